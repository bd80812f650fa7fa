// The changelog of a target: where its text comes from, and what is done to it for buyers.
import { isUtf8 } from 'node:buffer'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve, sep } from 'node:path'
import { doTask } from '../changelog/bounded.ts'
import { type Notes, needsRendering } from '../changelog/notes.ts'
import { hasText, normalize, normalizeLimited, TextError } from '../changelog/text.ts'
import type { Tagged } from '../release/release.ts'
import type { Problem } from '../report/failures.ts'
import { DRAFT_ADVICE } from '../report/ways.ts'
import { counted, firstOfMany, sizeText } from '../runner/text.ts'
import { belongsToGit, hostPathHint, parseJson, placeIn, textAt } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import type { Named } from './naming.ts'

/** `removed` holds each piece that was taken out for buyers, as it was written. */
export interface Written {
  readonly changelog: string
  readonly removed: readonly string[]
}

/** Returns a function that writes a target's changelog. The notes are converted once for each `links`. */
export function openChangelogs(run: Run, tagged: Tagged) {
  const treated: { [Links in Notes['links']]?: Promise<Written> } = {}
  const { repository, serverUrl } = run.runner.context
  const treat = async (source: string, links: Notes['links']): Promise<Written> => {
    const notes = { source, links, repository: { repository, serverUrl } }
    const bodyHtml = needsRendering(notes) ? await renderingOf(run, tagged) : ''
    return writeAndReport(run, { ...notes, bodyHtml })
  }
  const treatNotes = (source: string, links: Notes['links']) => {
    treated[links] ??= treat(source, links)
    return treated[links]
  }
  return async (named: Named): Promise<Written | Problem> => {
    const { target, changelogFormat } = named
    const input = sourceOf(named)
    const isHtml = changelogFormat === 'html'
    try {
      if (input === 'notes') {
        if (!tagged.release) throw explainNoRelease(tagged.tag, run.inputs.mode)
        const written = await treatNotes(tagged.release.notes, await linksOf(run, named))
        if (!hasText(written.changelog)) return fallBack(tagged, named)
        if (!isHtml) return written
        const { text } = await doTask({ markdown: written.changelog }, run.runner.cancelled)
        return { ...written, changelog: normalize(text) }
      }
      const source = input === 'changelog' ? target.changelog : await readSection(run, named)
      if (isHtml && isMarkdown(source)) throw new TextError(NO_HTML)
      const written = isHtml
        ? { changelog: normalizeLimited(source), removed: [] }
        : await treat(source, await linksOf(run, named))
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
  const check = 'Check its spelling on the releases page.'
  return new TextError(`the tag "${tag}" has no ${what}. ${check} ${draft} ${without}`)
}

function sourceOf({ target: { changelog, changelogFile } }: Named) {
  return changelog !== '' ? 'changelog' : changelogFile !== '' ? 'changelog-file' : 'notes'
}

const NO_HTML =
  'is not HTML: it has no tag, but headings or lists of Markdown. Set `changelog-format: markdown`; release notes are rendered with `html`, a text of your own is not'

/** Whether a text has Markdown's headings or lists, and no tag. */
function isMarkdown(text: string): boolean {
  return (
    !/<[a-z!/]/i.test(text) && /^(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+\S|^[=-]{3,}[ \t]*$/m.test(text)
  )
}

const STYLES_READ =
  'Headings that are read: "## {version}", "= {version} =", "{version}" underlined, "**{version}**", or "{version} - 2026-01-31" alone on a line.'
const OTHERWISE =
  'A re-run reads the same commit again: write the section in a commit, and put the tag on that commit or release a new tag. ' +
  'To publish this version without it, set `changelog` to the text (or leave out `changelog-file`, for the release notes), and start the workflow again.'

async function readSection({ runner }: Run, { target, names }: Named): Promise<string> {
  const path = target.changelogFile
  const { version, tag } = names
  const file = await readInside(path, runner.context.workspace)
  if (typeof parseJson(file) === 'object') {
    throw new TextError(`"${path}" is JSON. Buyers need text: Markdown, or HTML`)
  }
  if (target.changelogSection === 'whole') return file
  const { takeSection } = await import('../changelog/section.ts')
  const section = takeSection(file, version, tag)
  if (section.kind === 'section') return section.text
  const styles = STYLES_READ.replaceAll('{version}', version)
  const lines = ['', ...section.lines].join('\n  ')
  if (section.kind === 'several') {
    throw new TextError(
      `"${path}" has several headings for "${version}", and only one can be its own:${lines}\nMake one section of them, or write the other versions into their headings. ${OTHERWISE}`
    )
  }
  if (section.kind === 'unclear') {
    throw new TextError(
      `"${path}" names versions in a way that does not show where the text of "${version}" ends:${lines}\nWithin its text, begin no line with a version, and write headings of a lower level only; what follows its text needs a heading of its level or a higher one. ${styles} ${OTHERWISE}`
    )
  }
  if (section.lines.length > 0) {
    throw new TextError(
      `"${path}" has no heading for "${version}". The nearest lines:${lines}\nWrite a section for it. ${styles} ${OTHERWISE}`
    )
  }
  throw new TextError(
    `"${path}" has no heading of a version. If it was written for this release alone, set \`changelog-section: whole\`. ${styles} ${OTHERWISE}`
  )
}

/** In bytes. */
const LARGEST_FILE = 5_000_000

/** A file's text. Throws a `TextError`, also if a symbolic link leads out of the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  try {
    const real = await realpath(resolve(workspace, path))
    const root = (await realpath(workspace)) + sep
    if (!real.startsWith(root)) throw new TextError(`"${path}" is outside the workspace`)
    if (belongsToGit(real.slice(root.length))) {
      throw new TextError(`"${path}" is or leads to a file in which Git keeps credentials`)
    }
    const found = await stat(real)
    // Reading a pipe waits for whoever writes to it.
    if (!found.isFile() && !found.isDirectory()) {
      throw new TextError(`"${path}" is not a regular file. Write the text to a file`)
    }
    if (found.size > LARGEST_FILE) {
      const most = `at most ${sizeText(LARGEST_FILE)} are read: move old versions to another file`
      throw new TextError(`"${path}" has ${sizeText(found.size)}, and ${most}`)
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
        : await explainAbsence(path, workspace))
    const words: Readonly<Record<string, string>> = {
      ENOENT: `does not exist. ${hint}`,
      EISDIR: 'is a folder; name the file in it'
    }
    const other = `cannot be read: ${textAt(cause, 'message')}`
    throw new TextError(`"${path}" ${words[textAt(cause, 'code')] ?? other}`, { cause })
  }
}

/** Why a file does not exist: perhaps its name is there in another case. */
async function explainAbsence(path: string, workspace: string): Promise<string> {
  const wanted = basename(path)
  const names = await readdir(dirname(resolve(workspace, path))).catch(() => [])
  const other = names.find(name => name !== wanted && name.toLowerCase() === wanted.toLowerCase())
  return other === undefined
    ? 'Every job starts without files: check out the repository first'
    : `There is "${other}": upper and lower case differ`
}

async function writeAndReport({ runner }: Run, notes: Notes): Promise<Written> {
  const { text, notice, removed } = await doTask(notes, runner.cancelled)
  if (notice !== '') runner.notice(notice)
  if (removed.length > 0) {
    const verb = removed.length === 1 ? 'was' : 'were'
    runner.info(`For buyers, ${counted(removed.length, 'piece')} of the changelog ${verb} removed:`)
    runner.block(firstOfMany(removed, 50))
  }
  const images = removed.filter(piece => piece.includes('github.com/user-attachments')).length
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
  if (changelog !== '') return { changelog, removed: [] }
  const input = sourceOf(named)
  const isBlank = input === 'notes' && release?.notes.trim() === ''
  const { changelogFile } = named.target
  switch (input) {
    case 'notes': {
      const why = isBlank
        ? `the release ${tag} has no notes, and buyers must be told what is new`
        : `the notes of the release ${tag} contain nothing for buyers (headings, comments, a link to the full changelog, and what \`changelog-links\` strips do not count)`
      throw new TextError(
        `${why}: edit the release on GitHub, write what is new, and run this job again, which reads the notes again. Or set \`changelog-fallback\`, and start the workflow again`
      )
    }
    case 'changelog':
      throw new TextError(
        'nothing of the text is for buyers (headings, comments, a "TODO" alone, and what `changelog-links` strips do not count): write what is new, or set `changelog-fallback`, and start the workflow again'
      )
    case 'changelog-file':
      throw new TextError(
        `"${changelogFile}" has nothing for buyers about "${named.names.version}". ${OTHERWISE} Or set \`changelog-fallback\``
      )
  }
}

/** In milliseconds; a plan goes without a preview rather than wait as long again as for the text itself. */
const PREVIEW_DEADLINE = 5000

/** The changelog as buyers see it, in HTML without scripts; undefined where making it would take too long. */
export async function previewOf({ runner }: Run, { changelog, changelogFormat }: Named & Written) {
  // Inside an element and without blank lines, Markdown leaves HTML as it is.
  const html = () => `<div>\n${changelog.replace(/\n\s*\n/g, '\n')}\n</div>`
  const task = { markdown: changelogFormat === 'html' ? html() : changelog }
  const rendered = await doTask(task, runner.cancelled, PREVIEW_DEADLINE).catch(
    (error: unknown) => {
      if (!(error instanceof TextError)) throw error
    }
  )
  return rendered?.text
}
