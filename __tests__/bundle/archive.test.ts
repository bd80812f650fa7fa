// Tests of the archive that the runner downloads: what `export-ignore` leaves is enough to run.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { startService } from '../../sandbox/service.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { runAction } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop } from '../support/shop.ts'

const git = promisify(execFile)
let folder: string

/** What would be committed now, as the archive of it: built without touching the index or a branch. */
async function unpackArchive(to: string): Promise<void> {
  const env = { ...own, GIT_INDEX_FILE: join(to, '..', 'archive.index') }
  await git('git', ['read-tree', 'HEAD'], { cwd: ROOT, env })
  await git('git', ['add', '--all', '.'], { cwd: ROOT, env })
  const { stdout: tree } = await git('git', ['write-tree'], { cwd: ROOT, env })
  const archive = spawn('git', ['archive', '--worktree-attributes', tree.trim()], { cwd: ROOT })
  const tar = spawn('tar', ['-x', '-C', to], { stdio: ['pipe', 'ignore', 'inherit'] })
  archive.stdout.pipe(tar.stdin)
  const code = await new Promise(resolve => tar.once('close', resolve))
  if (code !== 0) throw new Error(`tar ended with ${code}`)
}

beforeAll(async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'archive-')))
  folder = await mkdtemp(join(root, 'unpacked-'))
  await unpackArchive(folder)
})

afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }))

test('it holds what an action needs, and nothing else', async () => {
  const entries = await readdir(folder)
  expect(entries.toSorted()).toEqual([
    ...['LICENSE', 'README.md', 'action.yml', 'dist', 'licenses', 'sandbox']
  ])
  expect(await readdir(join(folder, 'sandbox'))).toEqual(['action.yml'])
})

test('the publish action runs from it', async () => {
  await using shop = await openShop()
  const run = await runAction({
    action: join(folder, 'action.yml'),
    inputs: shop.inputs(),
    event: shop.event(),
    workspace: shop.workspace,
    githubToken: GITHUB_TOKEN,
    env: { GITHUB_REPOSITORY: 'acme/gallery', GITHUB_API_URL: shop.github.url }
  })
  expect(run.outputs).toMatchObject({ outcome: 'published', sha256: shop.sha256 })
  expect(shop.service.versions).toHaveLength(1)
})

test('the sandbox action runs from it', async () => {
  const temp = await mkdtemp(join(folder, '..', 'temp-'))
  const action = join(folder, 'sandbox', 'action.yml')
  const { conclusion, state } = await runAction({ action, temp })
  const post = await runAction({ action, temp, post: state })
  expect([conclusion, post.conclusion]).toEqual(['success', 'success'])
})

test('the licenses action runs from it', async () => {
  const licenses = { apiKey: 'not-a-real-key', pageOf: pagesOf(madeUpLicenses(25), { size: 10 }) }
  const service = await startService({ token: 'not-a-real-token', products: [], licenses })
  try {
    const run = await runAction({
      action: join(folder, 'licenses', 'action.yml'),
      inputs: { 'base-url': service.url, 'api-key': 'not-a-real-key', format: 'csv' }
    })
    expect(run.outputs).toMatchObject({ outcome: 'listed', count: '25', pages: '3' })
  } finally {
    await service.close()
  }
})
