/** Owns the demo's licenses: a shop that has some, and the action that lists them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Run, runAction } from '../__tests__/support/runner.ts'
import { ROOT } from '../scripts/manifest.ts'
import { madeUpLicenses, pagesOf } from './licenses.ts'
import { startService } from './service.ts'

const API_KEY = 'demo-key-that-opens-nothing'

export interface ListingScene {
  readonly title: string
  readonly uses: string
  readonly inputs: Readonly<Record<string, string>>
  readonly run: Run
  /** The first lines of the file. */
  readonly excerpt: string
}

/** Lists 1,234 licenses of three products into a CSV file in that folder. */
export async function playListing(folder: string): Promise<ListingScene> {
  const pageOf = pagesOf(madeUpLicenses(1234, [12, 12, 13, 14]))
  const licenses = { apiKey: API_KEY, pageOf }
  const service = await startService({ token: 'none', products: [], licenses })
  try {
    const inputs = { 'base-url': service.url, 'api-key': API_KEY, format: 'csv' }
    const run = await runAction({
      action: join(ROOT, 'licenses', 'action.yml'),
      inputs,
      workspace: folder,
      temp: join(folder, 'temp'),
      secrets: [API_KEY]
    })
    const text = run.outputs.path ? await readFile(run.outputs.path, 'utf8') : ''
    return {
      title: 'Every license, page by page, into a file',
      uses: 'OWNER/REPO/licenses@v1',
      inputs: { ...inputs, 'api-key': `\${{ secrets.SHOP_API_KEY }}` },
      run,
      excerpt: text.split('\r\n').slice(0, 4).join('\n')
    }
  } finally {
    await service.close()
  }
}
