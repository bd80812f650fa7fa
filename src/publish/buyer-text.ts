// The changelog of a target: where its text comes from, and what is done to it for buyers.
import { isUtf8 } from 'node:buffer'
import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { type Notes, writeForBuyers } from '../changelog/notes.ts'
import { hasText, normalize, TextError } from '../changelog/text.ts'
import { belongsToGit } from '../file/artifact.ts'
import type { Tagged } from '../release/release.ts'
import { counted } from '../runner/text.ts'
import { hostPathHint, parseJson, textAt } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import { placeIn } from './inputs.ts'
import { DRAFT_ADVICE, type Problem } from './messages.ts'
import type { Named } from './naming.ts'

/** `removed` says in a sentence what was taken out for buyers; empty when nothing was. */
export type Written = Readonly<{ changelog: string; removed: string }>

/** Gives a function that writes a target's changelog. The notes are converted once for each `links`. */
export function openChangelogs(run: Run, tagged: Tagged) {
  const treated: { [Links in Notes['links']]?: Promise<Written> } = {}
  const writeNotes = (source: string, links: Notes['links']) => {
    treated[links] ??= write(run, { source, links, render: () => renderingOf(run, tagged) })
    return treated[links]
  }
  return async (named: Named): Promise<Written | Problem> => {
    const { target, changelogFormat } = named
    const input = sourceOf(named)
    const isHtml = changelogFormat === 'html'
    try {
      if (input === 'notes') {
        if (!tagged.release) throw explainNoRelease(tagged.tag, run.inputs.mode)
        const written = await writeNotes(tagged.release.notes, await linksOf(run, named))
        if (!hasText(written.changelog)) return fallBack(tagged, named)
        if (!isHtml) return written
        const { renderHtml } = await import('../changelog/html.ts')
        return { ...written, changelog: normalize(renderHtml(written.changelog)) }
      }
      const source = input === 'changelog' ? target.changelog : await readSection(run, named)
      const written = isHtml
        ? { changelog: normalize(source), removed: '' }
        : await write(run, { source, links: await linksOf(run, named) })
      return hasText(written.changelog) ? written : fallBack(tagged, named)
    } catch (error) {
      if (!(error instanceof TextError)) throw error
      const isTag = input === 'notes' && !tagged.release && run.inputs.tag !== ''
      if (isTag) return { place: 'tag', message: error.message, reason: 'event' }
      const place = placeIn(target, input === 'notes' ? 'changelog' : input)
      return { place, message: error.message, reason: 'no-changelog' }
    }
  }
}

function explainNoRelease(tag: string, mode: string): TextError {
  const isPlan = mode === 'plan'
  const what = isPlan ? 'release that this job can see' : 'published release'
  const draft = isPlan
    ? DRAFT_ADVICE
    : 'If it has a draft, publish that on GitHub first (a job sees drafts only with `contents: write`).'
  const without = `To ${mode} the tag without a release, set \`changelog\` or \`changelog-file\`.`
  const check = 'Check how the releases page writes it.'
  return new TextError(`the tag "${tag}" has no ${what}. ${check} ${draft} ${without}`)
}

function sourceOf({ target: { changelog, changelogFile } }: Named) {
  return changelog !== '' ? 'changelog' : changelogFile !== '' ? 'changelog-file' : 'notes'
}

async function readSection({ runner }: Run, { target, names }: Named): Promise<string> {
  const path = target.changelogFile
  const file = await readInside(path, runner.context.workspace)
  if (typeof parseJson(file) === 'object') {
    throw new TextError(`"${path}" is JSON. Buyers need text: Markdown, or HTML`)
  }
  const { takeSection } = await import('../changelog/section.ts')
  const section = takeSection(file, names.version, names.tag)
  if (section.kind === 'missing') {
    const titles = ['', ...section.titles.slice(0, 20)].join('\n  ')
    const { version } = names
    const words = section.titles.flatMap(title => title.split(/[\s()[\],:;!*|`"'<>=]+/))
    const isThere = words.some(word => word.replace(/^v/i, '') === version)
    const what = isThere
      ? `names versions in a way that does not show where the text of "${version}" ends. Write headings such as "## ${version}" in place of these lines:`
      : `has no heading for "${version}", only these:`
    throw new TextError(`"${path}" ${what}${titles}${isThere ? '' : '\nWrite a section for it.'}`)
  }
  const whole = `No line of "${path}" looks like the heading of a version, so the whole file is sent.`
  if (section.kind === 'whole' && section.text !== '') runner.notice(whole)
  return section.text
}

/** A file's text. Throws a `TextError`, also if a symbolic link leads out of the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  try {
    const real = await realpath(resolve(workspace, path))
    const root = (await realpath(workspace)) + sep
    if (!real.startsWith(root)) throw new TextError(`"${path}" is outside the workspace`)
    if (belongsToGit(real.slice(root.length))) {
      throw new TextError(`"${path}" is or leads to a file in which Git keeps credentials`)
    }
    const bytes = await readFile(real)
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString()
    throw new TextError(`"${path}" is not UTF-8: save it in that encoding`)
  } catch (cause) {
    if (cause instanceof TextError) throw cause
    const hint =
      hostPathHint(path, workspace) ||
      (/[{*\\$]/.test(path)
        ? 'Write the path as it is, with "/" between folders: nothing is filled in, and * finds nothing'
        : 'Every job starts without files: check out the repository first; upper and lower case differ')
    const words: Readonly<Record<string, string>> = {
      ENOENT: `does not exist. ${hint}`,
      EISDIR: 'is a folder; name the file in it'
    }
    const other = `cannot be read: ${textAt(cause, 'message')}`
    throw new TextError(`"${path}" ${words[textAt(cause, 'code')] ?? other}`, { cause })
  }
}

async function write({ runner }: Run, notes: Omit<Notes, 'repository'>): Promise<Written> {
  const written = await writeForBuyers({ ...notes, repository: runner.context })
  const { text, notice, stripped } = written
  if (notice) runner.notice(notice)
  const { names = 0, links = 0, images = 0 } = stripped ?? {}
  const counts = [counted(names, 'name'), counted(links, 'link'), counted(images, 'image')]
  const removals = counts.filter(it => !it.startsWith('0 '))
  // `Intl.ListFormat` takes as long to load as a Markdown parser.
  const list = removals.join(', ').replace(/, (?=[^,]*$)/, removals.length > 2 ? ', and ' : ' and ')
  const verb = names + links + images === 1 ? 'was' : 'were'
  const removed = list === '' ? '' : `${list} ${verb} removed`
  if (removed !== '') runner.info(`For buyers, ${removed}.`)
  const hidden = `${counted(images, 'image')} from github.com/user-attachments cannot be sent: buyers may not be able to see them. Host images where everyone can see them.`
  if (images > 0) runner.warning(hidden)
  return { changelog: text, removed }
}

async function linksOf(run: Run, { target }: Named): Promise<Notes['links']> {
  if (target.changelogLinks !== 'auto') return target.changelogLinks
  // If this is unknown, it counts as private: a missing link does less harm than one that reveals something.
  return (await run.isPrivate()) === false ? 'expand' : 'strip'
}

/** The notes as GitHub renders them, in HTML; empty when that cannot be read. */
async function renderingOf({ github }: Run, { release }: Tagged): Promise<string> {
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  const headers = { accept: 'application/vnd.github.full+json' }
  const asked = github.read(route, { release_id: release?.id, headers })
  const answer = await asked.catch((error: unknown) => {
    if (!github.isFailure(error)) throw error
  })
  return textAt(answer?.data, 'body_html')
}

function fallBack({ tag, release }: Tagged, named: Named): Written {
  const changelog = normalize(named.changelogFallback)
  if (changelog !== '') return { changelog, removed: '' }
  const input = sourceOf(named)
  const what = input === 'notes' ? `the notes of the release ${tag}` : 'the text'
  const isBlank = input === 'notes' && release?.notes.trim() === ''
  const why = isBlank
    ? `the release ${tag} has no notes, and buyers must be told what is new`
    : input === 'changelog-file'
      ? `"${named.target.changelogFile}" has nothing for buyers about "${named.names.version}"`
      : `nothing of ${what} is left for buyers after comments and what \`changelog-links\` strips are taken out`
  const advice = 'write what is new and run this job again, or set `changelog-fallback`'
  throw new TextError(`${why}: ${advice}`)
}
