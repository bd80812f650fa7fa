// The changelog of a target: where it comes from, and how it becomes a text for buyers.
import { isUtf8 } from 'node:buffer'
import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { renderHtml } from '../changelog/html.ts'
import { normalize, TextError } from '../changelog/markdown.ts'
import { hasText, writeForBuyers } from '../changelog/notes.ts'
import { takeSection } from '../changelog/section.ts'
import type { Stripped } from '../changelog/strip.ts'
import { systemError } from '../file/fault.ts'
import { GitHubError } from '../github/github.ts'
import type { Tagged } from '../release/find-release.ts'
import type { Run } from './adapters.ts'
import type { TargetInputName, TargetInputs } from './inputs.ts'
import type { Named } from './naming.ts'

/** The text to send, or what is wrong and with which input. */
export type BuyerText =
  | {
      readonly text: string
      /** What was taken out for buyers, in a sentence; empty when nothing was. */
      readonly removed: string
    }
  | { readonly fault: string; readonly input: TargetInputName }

/** Notes, text or section: what the inputs ask for, treated as they ask. */
export async function changelogOf(
  run: Run,
  tagged: Tagged,
  target: TargetInputs,
  named: Named
): Promise<BuyerText> {
  const source = await sourceOf(run, tagged, target, named)
  if ('fault' in source) return source
  try {
    return await forBuyers(run, tagged, target, named, source)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    return {
      input: target.changelogFile === '' ? 'changelog' : 'changelog-file',
      fault: error.message
    }
  }
}

async function forBuyers(
  run: Run,
  tagged: Tagged,
  target: TargetInputs,
  named: Named,
  source: Source
): Promise<BuyerText> {
  const isMarkdown = source.kind === 'notes' || target.changelogFormat === 'markdown'
  const { text: written, removed } = isMarkdown
    ? await treat(run, tagged, target, source)
    : { text: normalize(source.text), removed: '' }
  if (!hasText(written)) return fallBack(tagged, target, named)
  const render = source.kind === 'notes' && target.changelogFormat === 'html'
  return { text: render ? normalize(await renderHtml(written)) : written, removed }
}

type Source = { readonly kind: 'notes' | 'given'; readonly text: string }

async function sourceOf(
  { runner }: Run,
  { tag, release }: Tagged,
  target: TargetInputs,
  { names }: Named
): Promise<Source | Extract<BuyerText, { fault: string }>> {
  if (target.changelog !== '') return { kind: 'given', text: target.changelog }
  if (target.changelogFile === '') return { kind: 'notes', text: release?.notes ?? '' }
  const input = 'changelog-file'
  const text = await readInside(target.changelogFile, runner.context.workspace)
  if (typeof text !== 'string') return { input, fault: text.fault }
  const section = await takeSection(text, names.version, tag)
  if (section.kind === 'whole' && section.text !== '') {
    runner.notice(
      `No line of "${target.changelogFile}" looks like the heading of a version, so the whole file is sent.`
    )
  }
  if (section.kind !== 'missing') return { kind: 'given', text: section.text }
  const titles = section.titles.slice(0, 20).map(title => `  ${title}`)
  const fault = [
    `"${target.changelogFile}" has no heading for "${names.version}", only these:`,
    ...titles
  ]
  return { input, fault: fault.join('\n') }
}

/** The file's text; it must lie, links resolved, in the workspace. */
async function readInside(path: string, workspace: string): Promise<string | { fault: string }> {
  try {
    const root = await realpath(workspace)
    const real = await realpath(isAbsolute(path) ? path : resolve(workspace, path))
    if (!real.startsWith(root + sep)) return { fault: `"${path}" is outside the workspace` }
    const bytes = await readFile(real)
    const isText = isUtf8(bytes) && !bytes.includes(0)
    return isText ? bytes.toString() : { fault: `"${path}" is not UTF-8: save it in that encoding` }
  } catch (error) {
    const { code, message } = systemError(error)
    return { fault: `"${path}" ${WORDS.get(code) ?? `cannot be read: ${message}`}` }
  }
}

const WORDS = new Map([
  ['ENOENT', 'does not exist. Every job starts without files: check out the repository first'],
  ['EISDIR', 'is a folder; name the file in it']
])

/** The notes of a release, however many targets have them, are treated once in each way. */
const treated = new WeakMap<Tagged, Map<string, Promise<Treated>>>()

type Treated = Extract<BuyerText, { text: string }>

async function treat(
  run: Run,
  tagged: Tagged,
  target: TargetInputs,
  source: Source
): Promise<Treated> {
  const links = await linksOf(run, target)
  if (source.kind !== 'notes') return write(run, source.text, links, undefined)
  const ways = treated.get(tagged) ?? new Map<string, Promise<Treated>>()
  treated.set(tagged, ways)
  const rendering = () => (links === 'expand' ? renderingOf(run, tagged) : undefined)
  const text = ways.get(links) ?? write(run, source.text, links, rendering())
  ways.set(links, text)
  return text
}

async function write(
  { runner }: Run,
  source: string,
  links: 'keep' | 'expand' | 'strip',
  asked: Promise<string | undefined> | undefined
): Promise<Treated> {
  const { serverUrl, repository } = runner.context
  const rendering = await asked
  const { text, notices, stripped } = await writeForBuyers({
    source,
    links,
    repository: { serverUrl, repository },
    ...(rendering === undefined ? {} : { rendering })
  })
  for (const notice of notices) runner.notice(notice)
  const removed = describeRemoved(stripped)
  if (removed !== '') runner.info(`For buyers, ${removed}.`)
  const images = stripped?.images ?? 0
  if (images > 0) {
    runner.warning(
      `${count(images, 'image')} from github.com/user-attachments cannot be sent: buyers may not be able to see them. Host images where everyone can see them.`
    )
  }
  return { text, removed }
}

/** Such as `3 names and 4 links were removed`; empty when nothing was. */
function describeRemoved({ names, links, images }: Stripped = NOTHING): string {
  const counts = [count(names, 'name'), count(links, 'link'), count(images, 'image')]
  const shown = counts.filter(text => text !== '')
  if (shown.length === 0) return ''
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(shown)
  return `${list} ${names + links + images === 1 ? 'was' : 'were'} removed`
}

const NOTHING: Stripped = { names: 0, links: 0, images: 0 }

function count(number: number, noun: string): string {
  if (number === 0) return ''
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}

async function linksOf(run: Run, { changelogLinks }: TargetInputs) {
  if (changelogLinks !== 'auto') return changelogLinks
  // Not knowing is treated as private: a missing link does less harm than a dead or a telling one.
  return (await run.isPrivate()) === false ? 'expand' : 'strip'
}

/** Something that GitHub might show as a link: `#12`, `@user`, a commit id, a relative link. */
const MAYBE_REFERENCE =
  /#\d|@\w|\b[0-9a-f]{7,40}\b|GH-\d|\]\((?!https?:)|\]:\s*(?!\s|https?:)|<a\b/i

/** GitHub's own rendering of the release; undefined when there is none, or none is needed. */
async function renderingOf({ github }: Run, { release }: Tagged): Promise<string | undefined> {
  if (!release || !MAYBE_REFERENCE.test(release.notes)) return undefined
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  const headers = { accept: 'application/vnd.github.full+json' }
  try {
    const { data } = await github.read(route, { release_id: release.id, headers })
    const html: unknown =
      typeof data === 'object' && data !== null ? Reflect.get(data, 'body_html') : ''
    return typeof html === 'string' ? html : undefined
  } catch (error) {
    if (error instanceof GitHubError) return undefined
    throw error
  }
}

function fallBack({ tag, release }: Tagged, target: TargetInputs, named: Named): BuyerText {
  const text = normalize(named.changelogFallback)
  if (text !== '') return { text, removed: '' }
  if (target.changelog === '' && target.changelogFile !== '') {
    const fault = `"${target.changelogFile}" has nothing for buyers about "${named.names.version}": write it there, or set \`changelog-fallback\``
    return { input: 'changelog-file', fault }
  }
  if (target.changelog !== '' || (release && release.notes.trim() !== '')) {
    const what = target.changelog === '' ? `the notes of the release ${tag}` : 'the text'
    const fault = `nothing of ${what} is left for buyers once comments and what \`changelog-links\` strips are removed: write more, or set \`changelog-fallback\``
    return { input: 'changelog', fault }
  }
  const fault = release
    ? `the release ${tag} has no notes, and buyers must be told what is new: write release notes, or set \`changelog\`, \`changelog-file\` or \`changelog-fallback\``
    : `there is no published release for the tag "${tag}": create it first, or set \`changelog\` or \`changelog-file\``
  return { input: 'changelog', fault }
}
