// The commit of a tag, the commit that is checked out, and whether the two can be compared.
import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { GitHub } from '../github/github.ts'
import { readTagCommit } from '../github/tags.ts'
import { textAt } from '../runner/json.ts'
import type { RunContext } from '../runner/runner.ts'
import { messageOf } from '../runner/words.ts'
import { lookAgain } from './ask-again.ts'
import type { TaggedRelease } from './find-release.ts'

/** A tag, and the run that asks for its commit. */
export interface CommitQuestion {
  readonly tagged: TaggedRelease
  /** The run's own commit, GITHUB_SHA. */
  readonly sha: string
  readonly api: Api
  sleep(ms: number): Promise<void>
}

/**
 * The SHA of the commit that a tag names now; empty if there is no such tag. A tag that started the run may have been
 * moved since, or be gone; then the run's own commit stands for it. Throws a `GitHubError` when GitHub cannot say.
 */
export async function commitOf(question: CommitQuestion): Promise<string> {
  const { tagged, sha, api } = question
  const { tag, ownCommit } = tagged
  if (!ownCommit) return readTagCommit(tag, api)

  // After a forced push, GitHub may show the commit before it for a while.
  const commit = await lookAgain(
    () => readTagCommit(tag, api),
    it => it === sha,
    question
  )
  return commit || sha
}

/** GitHub, as this file needs it. */
type Api = Pick<GitHub, 'read' | 'lag'>

/** How long git may take. */
const GIT_MAX_MS = 20_000

/** The variables of this process for git: without the inputs, among which are credentials. */
export function environmentOfGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^INPUT_/i.test(name)))
}

/** The state of a folder; both texts are empty if nothing is checked out in it. */
export interface Checkout {
  /** The SHA of the commit that is checked out; empty if git cannot say it. */
  readonly commit: string
  /** Why git cannot. */
  readonly why: string
}

/** Asks git which commit is checked out in a folder; undefined stands for a folder where nothing is. */
export async function readCheckout(folder: string | undefined): Promise<Checkout> {
  if (folder === undefined || !(await isWorkTree(folder))) return { commit: '', why: '' }
  const { output, why } = await askGit(folder, 'rev-parse', '--verify', 'HEAD')
  return { commit: output, why }
}

/** A folder that has a `.git`: a repository's folder, or the file of a submodule or of a linked work tree. */
async function isWorkTree(folder: string): Promise<boolean> {
  const isThere = await stat(join(folder, '.git')).catch(() => undefined)
  return isThere !== undefined
}

/** A line of git's, or why there is none. */
interface GitAnswer {
  readonly output: string
  readonly why: string
}

/** Asks git about the repository of a folder, and of none above it, which may be somebody else's. */
async function askGit(folder: string, ...question: readonly string[]): Promise<GitAnswer> {
  // In a container, the workspace belongs to another user.
  const config = ['-c', 'safe.directory=*', '--git-dir', join(folder, '.git')]
  // Windows would look for `git.exe` in the workspace first. Node asks its own environment for this, not the child's.
  env.NoDefaultCurrentDirectoryInExePath = '1'
  const options = { timeout: GIT_MAX_MS, env: environmentOfGit(env) }

  return promisify(execFile)('git', [...config, ...question], options).then(
    ({ stdout }) => ({ output: stdout.trim(), why: '' }),
    (error: unknown) => {
      const [line] = textAt(error, 'stderr').trim().split('\n')
      return { output: '', why: line || messageOf(error) }
    }
  )
}

/**
 * The folder whose checkout a file was built from: the file's own work tree, if it holds this repository
 * (`actions/checkout` with `path: plugin`), or else the workspace; undefined if that holds another repository.
 */
export async function findWorkTree(
  file: string,
  context: Pick<RunContext, 'workspace' | 'serverUrl' | 'repository'>
): Promise<string | undefined> {
  const { workspace } = context
  const page = `${context.serverUrl}/${context.repository}`

  const own = await findOwnTree(file, workspace)
  if (own !== undefined && isOriginOf(await readOrigin(own), page)) return own

  // A work tree without an origin may be a copy of this repository.
  const origin = await readOrigin(workspace)
  return origin === '' || isOriginOf(origin, page) ? workspace : undefined
}

/** The work tree that a file lies in, below the workspace; undefined if there is none. */
async function findOwnTree(file: string, workspace: string): Promise<string | undefined> {
  const root = await realpath(workspace).catch(() => workspace)
  const real = await realpath(file).catch(() => file)
  for (let folder = dirname(real); isBelow(folder, root); folder = dirname(folder)) {
    if (await isWorkTree(folder)) return folder
  }
  return undefined
}

/** The address that a repository was cloned from; empty if git knows none. */
async function readOrigin(folder: string): Promise<string> {
  if (!(await isWorkTree(folder))) return ''
  const { output } = await askGit(folder, 'config', '--get', 'remote.origin.url')
  return output
}

function isBelow(folder: string, root: string): boolean {
  const below = relative(root, folder)
  return below !== '' && below.split(sep)[0] !== '..' && !isAbsolute(below)
}

/** Such as `git@github.com:acme/gallery.git`. */
const SCP_LIKE = /^(?:[^@/:]+@)?([^/:]+):(?!\/\/)(.+)$/

/** Whether a remote's address, in any form that git takes, is the one of a page such as `https://github.com/acme/gallery`. */
export function isOriginOf(remote: string, page: string): boolean {
  const place = hostAndPathOf(remote)
  return place !== '' && place === hostAndPathOf(page)
}

/** The host and the path, such as `github.com/acme/gallery`, in lower case; empty for what is no address. */
function hostAndPathOf(address: string): string {
  const [, host = '', path = ''] = SCP_LIKE.exec(address) ?? []
  const url = URL.parse(host === '' ? address : `ssh://${host}/${path}`)
  if (!url) return ''

  // A server may be asked over another port by ssh than by https.
  const place = `${url.hostname}${url.pathname}`.toLowerCase()
  return place
    .replace(/\/+/g, '/')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
}

/** Whether the checkout should be the tag's commit: not for a draft, whose tag may not exist yet. */
export function isComparable({ release }: TaggedRelease): boolean {
  return release?.draft !== true
}
