// The one file to publish: which may be opened, and once only.
import { constants } from 'node:fs'
import { open, readlink, realpath } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { ActionError, type Reason } from '../runner/action-error.ts'
import { belongsToGit } from '../runner/values.ts'
import { quoteName, relativeTo } from './names.ts'
import { openReading, type Reading, throwUnreadable } from './reading.ts'

/** A regular file, opened. */
export interface Artifact extends Reading {
  /** Relative to the workspace if the file lies in it. */
  readonly path: string
  close(): Promise<void>
}

/** Follows no link that has just replaced the file, and does not wait at a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** In bytes; a pointer of Git LFS is shorter (github.com/git-lfs/git-lfs, docs/spec.md). */
const LONGEST_POINTER = 1024

/** Servers disagree on how to read these in the name of a file. */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%[\da-f]{2}|;\s*(?:file)?name\*?=/iu

/** Opens a regular file that lies in one of the folders, links resolved, or throws an `ActionError`. */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const [name, shownPath] = [basename(path), relativeTo(workspace, path)]
  const shown = quoteName(shownPath)
  const refuse = (message: string, reason: Reason = 'bad-file'): never => {
    throw new ActionError(reason, message)
  }
  const risks =
    'a quote, a backslash, a control character, "%" before two hexadecimal digits or "; name="'
  const advice = 'which servers read differently. Rename the file.'
  if (RISKY.test(name)) refuse(`The file name in ${shown} contains ${risks}, ${advice}`)
  const real = await realpath(path).catch(cause => throwUnreadable(shown, cause))
  const leads = real === path ? 'is' : `leads to ${quoteName(real)},`
  const place = await pathBelow(real, folders)
  if (place === undefined) {
    const outside = 'outside the workspace and the runner’s temporary folder (RUNNER_TEMP)'
    refuse(`${shown} ${leads} ${outside}. Copy the file itself into the workspace.`)
  } else if (belongsToGit(place)) {
    refuse(`${shown} ${leads} where Git keeps credentials. Name the file that was built.`)
  }
  const handle = await open(real, FLAGS).catch(cause => throwUnreadable(shown, cause))
  try {
    const opened = await handle.stat({ bigint: true })
    // Linux tells where the opened file lies, even if a folder on the way was a link for a moment.
    const held = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => real)
    const replaced = `${shown} was replaced while it was opened. Run this job again.`
    if (held !== real) refuse(replaced, 'file-changed')
    if (!opened.isFile()) refuse(`${shown} is not a regular file.`)
    if (opened.size === 0n) refuse(`${shown} is empty. Check the step that builds it.`)
    const reading = openReading(handle, name, shown, opened)
    const head = opened.size < LONGEST_POINTER ? await reading.readStart() : ''
    if (head.startsWith('version https://git-lfs.github.com/spec/')) {
      refuse(`${shown} is a pointer of Git LFS. Set \`lfs: true\` under actions/checkout.`)
    }
    return { path: shownPath, ...reading, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Where a file lies below the first of the folders that has it, links resolved; undefined if none has. */
async function pathBelow(real: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    // A folder that does not exist, or is not set, holds nothing.
    const root = await realpath(folder).catch(() => '')
    const start = root.endsWith(sep) ? root : root + sep
    if (root !== '' && real.startsWith(start)) return real.slice(start.length)
  }
  return undefined
}
