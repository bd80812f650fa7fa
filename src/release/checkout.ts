// Whether the workspace holds the sources of the release: the commit that is checked out there, and the tag's.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunContext } from '../runner/runner.ts'
import type { Tagged } from './release.ts'

/** SHA-1 or SHA-256. */
const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/
/** In bytes. A repository with 100,000 branches and tags has a `packed-refs` of 8 MB. */
const LARGEST_REFS = 64 * 1024 * 1024
/** Does not wait at a pipe. Windows has no such flag. */
const NO_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The commit that is checked out in a folder; empty if there is none, or it cannot be read. Git's own files are
 * read (https://git-scm.com/docs/gitrepository-layout), so a job needs no Git.
 */
export async function readCheckout(folder: string): Promise<string> {
  const git = join(folder, '.git')
  const head = await readText(join(git, 'HEAD'))
  if (COMMIT.test(head)) return head
  const [, ref = ''] = /^ref: (refs\/[^\\:]+)$/.exec(head) ?? []
  if (ref === '' || ref.split('/').includes('..')) return ''
  const loose = await readText(join(git, ref))
  if (loose !== '') return COMMIT.test(loose) ? loose : ''
  const lines = (await readText(join(git, 'packed-refs'))).split('\n')
  const [commit = ''] = lines.find(line => line.endsWith(` ${ref}`))?.split(' ') ?? []
  return COMMIT.test(commit) ? commit : ''
}

/** The trimmed text of a regular file; empty if there is none, or it is too large. */
async function readText(path: string): Promise<string> {
  const handle = await open(path, NO_WAITING).catch(() => undefined)
  if (handle === undefined) return ''
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > LARGEST_REFS) return ''
    return (await handle.readFile('utf8')).trim()
  } catch {
    return ''
  } finally {
    await handle.close()
  }
}

/** Whether there is a commit to compare a checkout with: that of a release, and not of the next one's stand-in. */
export function isComparable(
  { release, standIn }: Tagged,
  { eventName, isAct }: Pick<RunContext, 'eventName' | 'isAct'>
): boolean {
  // A pull request only rehearses; act checks nothing out, but works in the user's own folder.
  const isRehearsal = isAct || eventName.startsWith('pull_request')
  return !isRehearsal && standIn === '' && release?.draft !== true
}

/** What is wrong when the tag's commit is not the one that is checked out; empty if nothing is, or nobody knows. */
export function explainCheckout({ tag, ownCommit }: Tagged, commit: string, checkedOut: string) {
  if (commit === '' || checkedOut === '' || commit === checkedOut) return ''
  const [found, wanted] = [checkedOut.slice(0, 7), commit.slice(0, 7)]
  const what =
    `the workspace has the commit ${found} checked out, and the tag ${tag} is the commit ${wanted}, ` +
    'so the file may be built from other sources.'
  const otherwise = 'If it does not come from what is checked out there, set `file-version: any`.'
  if (ownCommit) return `${what} Check the \`ref\` of actions/checkout. ${otherwise}`
  return `${what} Check out the tag before the build:
    - uses: actions/checkout@v7
      with:
        ref: \${{ inputs.tag }} # the same as in the input tag of this step
${otherwise}`
}
