// Tests of the archive that the runner downloads: what `export-ignore` leaves is enough to run.
import { execFile, spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from '@jest/globals'
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
  const entries = ['LICENSE', 'action.yml', 'dist', 'licenses', 'sandbox']
  expect((await readdir(folder)).toSorted()).toEqual(entries)
  expect(await readdir(join(folder, 'sandbox'))).toEqual(['action.yml'])
})

test('its actions play a rehearsal', async () => {
  await using shop = await openShop()
  const temp = makeFolder()

  const at = (name: string) => join(folder, name, 'action.yml')
  const { outputs, state } = await runAction({ action: at('sandbox'), temp })
  const { 'base-url': baseUrl = '', token = '', 'api-key': apiKey = '' } = outputs

  const inputs = shop.inputs({ 'base-url': baseUrl, token })
  const published = await runAction({
    action: at(''),
    temp,
    workspace: shop.workspace,
    event: shop.event(),
    githubToken: GITHUB_TOKEN,
    inputs,
    env: { GITHUB_API_URL: shop.github.url, GITHUB_REPOSITORY: 'acme/gallery' }
  })
  expect(published.outputs).toMatchObject({ outcome: 'published', sha256: shop.sha256 })

  const listed = await runAction({
    action: at('licenses'),
    inputs: {
      'base-url': baseUrl,
      'api-key': apiKey,
      format: 'csv'
    }
  })
  expect(listed.outputs).toMatchObject({ outcome: 'listed', count: '25' })

  const post = await runAction({ action: at('sandbox'), temp, post: state })
  expect([post.exitCode, post.summary.includes('1 version arrived')]).toEqual([0, true])
})
