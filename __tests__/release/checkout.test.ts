// Tests of src/release/checkout.ts: the commit that is checked out, in folders that Git itself has made, and when it is
// compared.
import { chmodSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from '@jest/globals'
import {
  environmentOfGit,
  findWorkTree,
  isComparable,
  isOriginOf,
  readCheckout
} from '../../src/release/checkout.ts'
import type { TaggedRelease } from '../../src/release/find-release.ts'
import { makeFolder } from '../support/folders.ts'
import { git, makeCommit } from '../support/git.ts'
import { onPosix } from '../support/platform.ts'
import { release } from './released.ts'

/** A repository with the tag v1, and one commit more on `main`. */
function makeRepository(...options: readonly string[]): string {
  const folder = makeFolder()
  git(folder, 'init', '--quiet', '--initial-branch=main', ...options)
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'One')
  git(folder, 'tag', '-a', 'v1', '-m', 'Release')
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Two')
  return folder
}

test.each<[string, readonly string[], readonly (readonly string[])[]]>([
  ['a branch', [], []],
  ['a tag', [], [['checkout', '--quiet', 'v1']]],
  ['a branch with a folder in its name', [], [['checkout', '--quiet', '-b', 'release/1.x']]],
  ['a commit of SHA-256', ['--object-format=sha256'], [['checkout', '--quiet', '--detach']]]
])('Git’s own view is shared: %s', async (_, options, commands) => {
  const folder = makeRepository(...options)
  for (const command of commands) git(folder, ...command)

  const commit = git(folder, 'rev-parse', 'HEAD')
  expect(await readCheckout(folder)).toEqual({ commit, why: '' })
})

test('nothing is checked out in a folder without a repository', async () => {
  expect(await readCheckout(makeFolder())).toEqual({ commit: '', why: '' })
})

test.each<[string, Readonly<Record<string, string>>]>([
  ['a `.git` that leads nowhere', { '.git': 'gitdir: ../elsewhere' }],
  ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }]
])('why git cannot read it is said: %s', async (_, files) => {
  const { commit, why } = await readCheckout(makeFolder(files))
  expect([commit, why]).toEqual(['', expect.stringMatching(/^fatal: /)])
})

const PAGE = 'https://github.com/acme/gallery'
const HERE = { serverUrl: 'https://github.com', repository: 'Acme/Gallery' }

test.each([
  ['https://github.com/acme/gallery', true],
  ['https://github.com/Acme/Gallery.git', true],
  ['https://x-access-token:no-token@github.com/acme/gallery/', true],
  ['ssh://git@github.com:22/acme/gallery.git', true],
  ['git@github.com:acme/gallery.git', true],
  ['github.com:acme/gallery', true],
  ['git://github.com/acme/gallery.git', true],
  ['https://github.com/acme/gallery-pro', false],
  ['https://github.com.example.com/acme/gallery', false],
  ['git@gitlab.com:acme/gallery.git', false],
  ['/srv/git/acme/gallery.git', false],
  ['../gallery', false],
  ['', false]
])('the origin %j is this repository: %s', (remote, expected) => {
  expect(isOriginOf(remote, PAGE)).toBe(expected)
})

test('the origin of a server of one’s own, below a folder', () => {
  const page = 'https://code.example.com/git/acme/gallery'
  expect(isOriginOf('https://code.example.com:8443/git/acme/gallery.git', page)).toBe(true)
})

test('a file belongs to its own work tree, if that is of this repository, also where `.git` is a file', async () => {
  const workspace = realpathSync(makeRepository())
  git(workspace, 'remote', 'add', 'origin', PAGE)
  const linked = join(workspace, 'linked')
  git(workspace, 'worktree', 'add', '--quiet', linked, 'v1')
  makeCommit(join(linked, 'vendor'), 'https://github.com/acme/tools')
  makeCommit(join(workspace, 'copied'))

  const treeOf = (path: string) => findWorkTree(join(workspace, path), { ...HERE, workspace })
  expect(await treeOf('dist/gallery.zip')).toBe(workspace)
  expect(await treeOf('linked/dist/gallery.zip')).toBe(linked)
  expect(await treeOf('linked/vendor/gallery.zip')).toBe(workspace)
  expect(await treeOf('copied/gallery.zip')).toBe(workspace)

  const { commit } = await readCheckout(linked)
  expect(commit).toBe(git(linked, 'rev-parse', 'HEAD'))
})

test.each([
  ['of this repository', PAGE, true],
  ['without an origin', undefined, true],
  ['of another repository', 'https://github.com/acme/tools', false]
])('a workspace %s counts: %#', async (_, origin, counts) => {
  const workspace = makeFolder()
  makeCommit(workspace, origin)
  const tree = await findWorkTree(join(workspace, 'gallery.zip'), { ...HERE, workspace })
  expect(tree).toBe(counts ? workspace : undefined)
  expect((await readCheckout(tree)).commit === '').toBe(!counts)
})

test('git gets no input', () => {
  const given = {
    PATH: '/bin',
    INPUT_TOKEN: 'a',
    'INPUT_GITHUB-TOKEN': 'b',
    Input_File: 'c'
  }
  expect(environmentOfGit(given)).toEqual({ PATH: '/bin' })
})

onPosix(
  'the program that is asked gets none, and Windows would not take it from the workspace',
  async () => {
    const { PATH = '' } = env
    const folder = makeFolder({ git: '#!/bin/sh\nenv | sort\n', 'work/.git': '' })
    chmodSync(join(folder, 'git'), 0o755)

    try {
      env.PATH = `${folder}:${PATH}`
      env.INPUT_TOKEN = 'token-that-opens-nothing'
      const { commit: variables } = await readCheckout(join(folder, 'work'))
      expect(variables).toContain(`PATH=${folder}:`)
      expect(variables).not.toContain('INPUT_')
      expect(env).toMatchObject({ NoDefaultCurrentDirectoryInExePath: '1' })
    } finally {
      env.PATH = PATH
      Reflect.deleteProperty(env, 'INPUT_TOKEN')
    }
  }
)

const tagged: TaggedRelease = {
  tag: 'v1',
  release,
  ownCommit: false
}

test.each<[string, Partial<TaggedRelease>, boolean]>([
  ['a release', {}, true],
  ['a tag without one', { release: undefined }, true],
  ['a draft', { release: { ...release, draft: true } }, false]
])('of %s, the commit is compared: %#', (_, found, expected) => {
  expect(isComparable({ ...tagged, ...found })).toBe(expected)
})
