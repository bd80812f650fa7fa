// From glob patterns to the one file in the workspace that they mean. The adapter of @actions/glob.
import { glob as list, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { sizeText } from '../runner/text.ts'
import { hostPathHint, textAt } from '../runner/values.ts'
import { includes, pathOf } from './glob.ts'
import { NAMES_SHOWN, quoteName, relativeTo } from './names.ts'

/** A plain path needs no search: loading the library takes as long as the rest of a start. */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

interface Search {
  readonly patterns: readonly string[]
  readonly workspace: string
}

/** The absolute path of the one file that matches, not a folder. Throws an `ActionError` for none or several. */
export async function findFile({ patterns, workspace }: Search): Promise<string> {
  const [plain = '', ...others] = patterns
  const named = join(workspace, plain)
  if (PLAIN.test(plain) && others.length === 0 && (await isFile(named))) return named
  const found = await search(patterns, workspace)
  const [path, ...more] = found
  if (path === undefined) throw await explainNone(patterns, workspace)
  if (more.length === 0) return path
  const lines = await Promise.all(
    found.slice(0, NAMES_SHOWN).map(async each => {
      const size = (await stat(each).catch(() => undefined))?.size
      const shown = size === undefined ? '' : `  ${sizeText(size)}`
      return `\n  ${quoteName(relativeTo(workspace, each))}${shown}`
    })
  )
  const message = `file: ${found.length} files match, and exactly one has to:${lines.join('')}`
  throw new ActionError('several-files', message, {
    advice: 'Put {version} into the pattern, or exclude files with a line that starts with "!".'
  })
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === false
}

/** The sorted paths of the files that match; the last pattern that matches a file decides. */
async function search(patterns: readonly string[], workspace: string): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const anchored = patterns.flatMap(pattern => anchor(pattern, workspace))
  try {
    const globber = await create(anchored.join('\n'), {
      implicitDescendants: false,
      matchDirectories: false,
      // Links may lead around in circles.
      followSymbolicLinks: false
    })
    const paths = (await globber.glob()).toSorted()
    const kept = await Promise.all(paths.map(isFile))
    return paths.filter((_, index) => kept[index])
  } catch (cause) {
    // Something on the way cannot be read, or a pattern is not valid.
    const message = `file: the search for ${patterns.join(' ')} stopped: ${textAt(cause, 'message')}`
    throw new ActionError('no-file', message, { cause })
  }
}

/** A pattern's path made absolute. An exclusion also counts for everything below the folder that it names. */
function anchor(pattern: string, workspace: string): string[] {
  const given = pathOf(pattern)
    .replaceAll(sep, '/')
    .replace(/^(?:\.\/+)+/, '')
  const root = workspace.replaceAll(sep, '/').replace(/[[?*]/g, '[$&]')
  const path = /^(?:\/|~|[a-z]:)/i.test(given) ? given : `${root}/${given}`
  return includes(pattern) ? [path] : [`!${path}`, `!${path}/**`]
}

async function explainNone(patterns: readonly string[], workspace: string): Promise<ActionError> {
  const files = await filesBelow(workspace)
  const shown = files.slice(0, NAMES_SHOWN).map(path => `\n  ${quoteName(path)}`)
  const there =
    files.length === 0 ? ' The workspace is empty.' : ` Files in the workspace:${shown.join('')}`
  const hint = patterns.map(pattern => hostPathHint(pattern, workspace)).find(Boolean)
  const usual =
    'Every job starts without files: build the file in this job, or download it (actions/download-artifact); one that is attached to the release is an `asset`.'
  const message = `file: nothing matches ${patterns.join(' ')}.${there}`
  return new ActionError('no-file', message, { advice: hint || usual })
}

/** Files in a folder and below it, relative to it, until there are enough to show. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const exclude = ({ name }: { readonly name: string }) => ['.git', 'node_modules'].includes(name)
  for await (const entry of list('**', { cwd: folder, withFileTypes: true, exclude })) {
    if (!entry.isDirectory()) files.push(relativeTo(folder, join(entry.parentPath, entry.name)))
    if (files.length > 1000) break
  }
  return files.toSorted()
}
