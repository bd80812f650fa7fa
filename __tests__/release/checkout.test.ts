// Tests of src/release/checkout.ts: what is checked out, in folders that Git itself has made, and what it is compared with.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { explainCheckout, isComparable, readCheckout } from '../../src/release/checkout.ts'
import type { Tagged } from '../../src/release/release.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { release } from './released.ts'

const WHO = [
  '-c',
  'user.name=Mona',
  '-c',
  'user.email=mona@example.com',
  '-c',
  'commit.gpgsign=false'
]

/** Runs Git in a folder, and gives what it says. */
function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

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
  ['a branch of which only the packed ref is left', [], [['pack-refs', '--all']]],
  [
    'a branch that went on since it was packed',
    [],
    [
      ['pack-refs', '--all'],
      ['commit', '--quiet', '--allow-empty', '-m', 'Three']
    ]
  ],
  ['a branch with a folder in its name', [], [['checkout', '--quiet', '-b', 'release/1.x']]],
  ['a commit of SHA-256', ['--object-format=sha256'], [['checkout', '--quiet', '--detach']]]
])('Git’s own view is shared: %s', async (_, options, commands) => {
  const folder = makeRepository(...options)
  for (const command of commands) git(folder, ...command)
  expect(await readCheckout(folder)).toBe(git(folder, 'rev-parse', 'HEAD'))
})

const SHA = 'a'.repeat(40)
test.each<[string, Readonly<Record<string, string>>]>([
  ['no repository', {}],
  ['a `.git` that is a file', { '.git': 'gitdir: ../elsewhere' }],
  ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  [
    'a folder in the place of the ref',
    { '.git/HEAD': 'ref: refs/heads', '.git/refs/heads/main': SHA }
  ],
  ['a ref that leads out', { '.git/HEAD': 'ref: refs/../../outside', outside: SHA }],
  [
    'a ref that is no commit',
    {
      '.git/HEAD': 'ref: refs/heads/a',
      '.git/refs/heads/a': 'ref: refs/b',
      '.git/packed-refs': `${SHA} refs/heads/a`
    }
  ],
  [
    'another format of refs',
    { '.git/HEAD': 'ref: refs/heads/.invalid\n', '.git/reftable/tables.list': 'x' }
  ],
  ['nonsense', { '.git/HEAD': '<html>' }]
])('nothing is read of %s', async (_, files) => {
  expect(await readCheckout(makeFolder(files))).toBe('')
})

onPosix('a pipe in the place of a file (not on Windows) is not waited for', async () => {
  const folder = makeRepository()
  rmSync(join(folder, '.git', 'HEAD'))
  execFileSync('mkfifo', [join(folder, '.git', 'HEAD')])
  expect(await readCheckout(folder)).toBe('')
})

test('a worktree, whose `.git` is a file, is not compared', async () => {
  const [folder, other] = [makeRepository(), makeFolder()]
  git(folder, 'worktree', 'add', '--quiet', '--detach', join(other, 'tree'))
  expect(await readCheckout(join(other, 'tree'))).toBe('')
})

const tagged: Tagged = { tag: 'v1', release, standIn: '', ownCommit: false }
const BY_HAND = { eventName: 'workflow_dispatch', isAct: false }
test.each<[string, Partial<Tagged>, Partial<typeof BY_HAND>, boolean]>([
  ['a release', {}, {}, true],
  ['a tag without one', { release: undefined }, {}, true],
  ['a draft', { release: { ...release, draft: true } }, {}, false],
  ['a stand-in', { standIn: 'It is.' }, {}, false],
  ['a pull request', {}, { eventName: 'pull_request_target' }, false],
  ['a run of act', {}, { isAct: true }, false]
])('of %s, the commit is compared: %#', (_, found, context, expected) => {
  expect(isComparable({ ...tagged, ...found }, { ...BY_HAND, ...context })).toBe(expected)
})

const OTHER = 'b'.repeat(40)
test.each([
  ['the same', SHA, SHA],
  ['nobody knows the tag’s', '', SHA],
  ['nothing is checked out', SHA, '']
])('nothing is wrong when it is %s', (_, commit, checkedOut) => {
  expect(explainCheckout(tagged, commit, checkedOut)).toBe('')
})

test('another one is told with both, and what to do about it', () => {
  const message = explainCheckout(tagged, SHA, OTHER)
  expect(message).toMatch(
    /^the workspace has the commit bbbbbbb checked out, and the tag v1 is the commit aaaaaaa,/
  )
  expect(message).toMatch(
    /\n {4}- uses: actions\/checkout@v7\n {6}with:\n {8}ref: \$\{\{ inputs\.tag \}\} #.*\nIf/
  )
  const own = explainCheckout({ ...tagged, ownCommit: true }, SHA, OTHER)
  expect(own).toMatch(/Check the `ref` of actions\/checkout\. If .* `file-version: any`\.$/)
})
