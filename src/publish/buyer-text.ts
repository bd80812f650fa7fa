// The changelog of a target: where it comes from, and how it becomes a text for buyers.
import { isUtf8 } from 'node:buffer'
import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { type Notes, writeForBuyers } from '../changelog/notes.ts'
import { hasText, normalize, TextError } from '../changelog/text.ts'
import { systemError } from '../file/fault.ts'
import { GitHubError } from '../github/github.ts'
import type { Tagged } from '../release/find-release.ts'
import { counted } from '../runner/text.ts'
import { hostPathHint, textAt } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import type { TargetInputs } from './inputs.ts'
import type { Named } from './naming.ts'

interface Written {
  readonly text: string
  /** What was taken out for buyers, in a sentence; empty when nothing was. */
  readonly removed: string
}

/** The text to send, or what is wrong and with which input. */
export type BuyerText =
  | Written
  | { readonly fault: string; readonly input: 'changelog' | 'changelog-file' }

const NO_RELEASE =
  'has no published release. If it has a draft, publish that on GitHub first ' +
  '(a job sees drafts only with `contents: write`). To publish the tag without a release, ' +
  'set `changelog` or `changelog-file`.'

/** Notes, text or section: what the inputs ask for, treated as they ask. */
export async function changelogOf(
  run: Run,
  tagged: Tagged,
  target: TargetInputs,
  named: Named
): Promise<BuyerText> {
  const { changelog, changelogFile, changelogFormat } = target
  const isFile = changelog === '' && changelogFile !== ''
  const isNotes = changelog === '' && !isFile
  const isHtml = changelogFormat === 'html'
  try {
    if (isNotes && !tagged.release) throw new TextError(`the tag "${tagged.tag}" ${NO_RELEASE}`)
    const given = isFile ? await readSection(run, tagged, changelogFile, named) : changelog
    const written = isNotes
      ? await writeNotes(run, tagged, target)
      : isHtml
        ? { text: normalize(given), removed: '' }
        : await write(run, { source: given, links: await linksOf(run, target) })
    if (!hasText(written.text)) return { text: fallBack(tagged, target, named), removed: '' }
    if (!isNotes || !isHtml) return written
    const { renderHtml } = await import('../changelog/html.ts')
    return { ...written, text: normalize(renderHtml(written.text)) }
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    return { input: isFile ? 'changelog-file' : 'changelog', fault: error.message }
  }
}

/** The version's section of a file, or all of a file without versions. */
async function readSection(
  { runner }: Run,
  { tag }: Tagged,
  path: string,
  { names }: Named
): Promise<string> {
  const file = await readInside(path, runner.context.workspace)
  const { takeSection } = await import('../changelog/section.ts')
  const section = takeSection(file, names.version, tag)
  if (section.kind === 'missing') {
    const titles = section.titles.slice(0, 20).map(title => `\n  ${title}`)
    throw new TextError(
      `"${path}" has no heading for "${names.version}", only these:${titles.join('')}`
    )
  }
  if (section.kind === 'whole' && section.text !== '') {
    runner.notice(
      `No line of "${path}" looks like the heading of a version, so the whole file is sent.`
    )
  }
  return section.text
}

/** The file's text; it must lie, links resolved, in the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  try {
    const real = await realpath(resolve(workspace, path))
    if (!real.startsWith((await realpath(workspace)) + sep)) {
      throw new TextError(`"${path}" is outside the workspace`)
    }
    const bytes = await readFile(real)
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString()
    throw new TextError(`"${path}" is not UTF-8: save it in that encoding`)
  } catch (error) {
    if (error instanceof TextError) throw error
    const { code, message } = systemError(error)
    const hint =
      hostPathHint(path, workspace) ||
      'Every job starts without files: check out the repository first'
    const words: Readonly<Record<string, string>> = {
      ENOENT: `does not exist. ${hint}`,
      EISDIR: 'is a folder; name the file in it'
    }
    throw new TextError(`"${path}" ${words[code] ?? `cannot be read: ${message}`}`, {
      cause: error
    })
  }
}

/** The notes of a release, however many targets have them, are treated once in each way. */
const treated = new WeakMap<Tagged, Map<string, Promise<Written>>>()

async function writeNotes(run: Run, tagged: Tagged, target: TargetInputs): Promise<Written> {
  const links = await linksOf(run, target)
  const ways = treated.get(tagged) ?? new Map<string, Promise<Written>>()
  treated.set(tagged, ways)
  const source = tagged.release?.notes ?? ''
  const written =
    ways.get(links) ?? write(run, { source, links, render: () => renderingOf(run, tagged) })
  ways.set(links, written)
  return written
}

async function write({ runner }: Run, notes: Omit<Notes, 'repository'>): Promise<Written> {
  const { serverUrl, repository } = runner.context
  const { text, notice, stripped } = await writeForBuyers({
    ...notes,
    repository: { serverUrl, repository }
  })
  if (notice) runner.notice(notice)
  const { names = 0, links = 0, images = 0 } = stripped ?? {}
  const counts = [counted(names, 'name'), counted(links, 'link'), counted(images, 'image')]
  const removals = counts.filter(it => !it.startsWith('0 '))
  // `Intl.ListFormat` takes as long to load as a Markdown parser.
  const list = removals.join(', ').replace(/, (?=[^,]*$)/, removals.length > 2 ? ', and ' : ' and ')
  const verb = names + links + images === 1 ? 'was' : 'were'
  const removed = list === '' ? '' : `${list} ${verb} removed`
  if (removed !== '') runner.info(`For buyers, ${removed}.`)
  if (images > 0) {
    runner.warning(
      `${counted(images, 'image')} from github.com/user-attachments cannot be sent: buyers may not be able to see them. Host images where everyone can see them.`
    )
  }
  return { text, removed }
}

async function linksOf(run: Run, { changelogLinks }: TargetInputs): Promise<Notes['links']> {
  if (changelogLinks !== 'auto') return changelogLinks
  // Not knowing is treated as private: a missing link does less harm than a dead or a telling one.
  return (await run.isPrivate()) === false ? 'expand' : 'strip'
}

/** GitHub's own rendering of the release; empty when there is none. */
async function renderingOf({ github }: Run, { release }: Tagged): Promise<string> {
  if (!release) return ''
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  const headers = { accept: 'application/vnd.github.full+json' }
  try {
    const { data } = await github.read(route, { release_id: release.id, headers })
    return textAt(data, 'body_html')
  } catch (error) {
    if (error instanceof GitHubError) return ''
    throw error
  }
}

/** @throws TextError when there is no fallback. */
function fallBack(tagged: Tagged, target: TargetInputs, named: Named): string {
  const text = normalize(named.changelogFallback)
  if (text !== '') return text
  const why = whyEmpty(tagged, target, named)
  throw new TextError(
    `${why}: write what is new and run this job again, or set \`changelog-fallback\``
  )
}

function whyEmpty(
  { tag, release }: Tagged,
  { changelog, changelogFile }: TargetInputs,
  { names }: Named
): string {
  if (changelog === '' && changelogFile !== '') {
    return `"${changelogFile}" has nothing for buyers about "${names.version}"`
  }
  if (changelog === '' && (release?.notes ?? '').trim() === '') {
    return `the release ${tag} has no notes, and buyers must be told what is new`
  }
  const what = changelog === '' ? `the notes of the release ${tag}` : 'the text'
  return `nothing of ${what} is left for buyers once comments and what \`changelog-links\` strips are removed`
}
