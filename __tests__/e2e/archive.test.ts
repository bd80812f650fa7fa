// Tests of the archive that the runner downloads: what `export-ignore` leaves is enough to run.
import { execFile, spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder } from '../support/folders.ts'
import { runAction } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop } from '../support/shop.ts'

const git = promisify(execFile)
const folder = makeFolder()

/** The archive of what git tracks, as it is in the working tree: built without touching the index or a branch. */
async function unpackArchive(): Promise<void> {
  const env = { ...own, GIT_INDEX_FILE: join(makeFolder(), 'archive.index') }
  await git('git', ['read-tree', 'HEAD'], { cwd: ROOT, env })
  await git('git', ['add', '--update', '.'], { cwd: ROOT, env })
  const { stdout: tree } = await git('git', ['write-tree'], { cwd: ROOT, env })

  const archive = spawn('git', ['archive', '--worktree-attributes', tree.trim()], { cwd: ROOT })
  const tar = spawn('tar', ['-x', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] })
  archive.stdout.pipe(tar.stdin)

  const code = await new Promise(resolve => tar.once('close', resolve))
  if (code !== 0) throw new Error(`tar ended with ${code}`)
}

beforeAll(unpackArchive)

test('it holds what an action needs, and nothing else', async () => {
  const entries = ['LICENSE', 'action.yml', 'dist', 'licenses']
  expect((await readdir(folder)).toSorted()).toEqual(entries)
})

test('its actions run', async () => {
  const licenses = { apiKey: 'key-of-the-shop', pageOf: pagesOf(madeUpLicenses(25)) }
  await using shop = await openShop({ service: { licenses } })

  const at = (name: string) => join(folder, name, 'action.yml')
  const published = await runAction({
    action: at(''),
    workspace: shop.workspace,
    event: shop.event(),
    githubToken: GITHUB_TOKEN,
    inputs: shop.inputs(),
    env: {
      GITHUB_API_URL: shop.github.url,
      GITHUB_REPOSITORY: 'acme/gallery',
      GITHUB_SHA: shop.github.commitOf('v1.4.2') ?? ''
    }
  })
  expect(published.outputs).toMatchObject({ outcome: 'published', sha256: shop.sha256 })

  const listed = await runAction({
    action: at('licenses'),
    inputs: {
      'base-url': shop.service.url,
      'api-key': licenses.apiKey,
      format: 'csv'
    }
  })
  expect(listed.outputs).toMatchObject({ outcome: 'listed', count: '25' })
})
