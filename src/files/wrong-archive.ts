// Whether an archive is fit for buyers: it can be read, holds what it should and no more, and is of this version.
import { ActionError, throwIf } from '../runner/action-error.ts'
import {
  counted,
  listLines,
  listNames,
  messageOf,
  quoteName,
  quoteText,
  sizeText
} from '../runner/words.ts'
import { isOfMacOs, type Listing, listArchive } from './archive.ts'
import type { Artifact } from './artifact.ts'
import { describeFindings, type Judgment, judgePaths, parseRule, type Rule } from './contents.ts'
import { ARCHIVE, topOf } from './entries.ts'
import { type Manifest, otherVersions, unfilledVersions } from './manifests.ts'

interface Expectation {
  /** The lines of the input `contents`. */
  readonly lines: readonly string[]
  /** The release’s version, and others that count, too; undefined to compare none. */
  readonly versions: readonly string[] | undefined
  /** Whether the file was attached to the release, and not built by this job. */
  readonly isAttached: boolean
}

/** The findings about an archive that may be published. */
export interface Inspection {
  /** Such as `2 files, 59 bytes unpacked: "gallery/"`; empty for a file that is no archive. */
  readonly contents: string
  /** Sentences. */
  readonly warnings: readonly string[]
}

/**
 * Looks into an archive without unpacking it; a file that is no archive by its name is not looked into. Throws one
 * `ActionError` (`bad-file`, `file-version`, `file-changed`) for all that is wrong.
 */
export async function inspectArchive(
  artifact: Artifact,
  { lines, versions, isAttached }: Expectation
): Promise<Inspection> {
  const { name } = artifact
  if (!ARCHIVE.test(name)) {
    throwIf(faultInRules(name, lines))
    return { contents: '', warnings: [] }
  }

  const rules = await Promise.all(lines.map(parseRule))
  // A change from here on is found when the file is sent.
  await artifact.digest()
  const listing = await listArchive(artifact).catch((cause: unknown) => {
    throw explainUnreadable(artifact, cause)
  })

  const { paths, secrets, isWhole } = listing
  const part = isWhole ? '' : ' in the part that was checked'
  const judgment = judgePaths([...paths], secrets, rules, part)
  throwIf(faultInContents(name, listing, rules, { ...judgment, isAttached }))
  throwIf(faultInVersions(name, listing, versions ?? []))
  return {
    contents: describeContents(listing),
    warnings: warningsAbout(listing, judgment).map(text => `${fileOf(name)} ${text}.`)
  }
}

/** The beginning of a sentence. */
function fileOf(name: string): string {
  return `The file ${quoteName(name)}`
}

/** `contents` for a `setup.exe`, which nothing here can look into. */
function faultInRules(name: string, lines: readonly string[]): ActionError | undefined {
  if (lines.length === 0) return undefined

  const message = `${fileOf(name)} is not an archive, by its name, so \`contents\` cannot be checked.`
  return new ActionError('bad-file', message, { advice: 'Leave out `contents`.' })
}

/** `<!DOCTYPE html>`, perhaps behind a byte order mark: what a download got in place of the file. */
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<\?xml|<head)/i

function explainUnreadable({ name, head }: Artifact, cause: unknown): ActionError {
  if (cause instanceof ActionError) return cause

  const said = messageOf(cause).trim().replace(/\.$/, '')
  const isPage = WEB_PAGE.test(head.toString('latin1'))
  const why = isPage
    ? 'it is a web page'
    : `it is damaged, or not what its name says (${quoteText(said)})`
  const advice = isPage
    ? 'Check the step that downloads it, and what that address answers.'
    : 'Check the step that builds or downloads it.'
  const message = `${fileOf(name)} cannot be read as an archive: ${why}.`
  return new ActionError('bad-file', message, { advice, cause })
}

const LEAVE_OUT = 'Leave it out of the file, or name it in `contents` if buyers should have it.'
const PACK_OTHERWISE =
  'Change what the build packs: it runs on the code of the tag, so a later change counts from the next tag on.'
const CHECK_BUILD = 'Check the step that builds it.'
const REPLACE = 'Replace the attached file, then run this job again.'

/** An `.env`, a path that leads out, nothing at all, or not what `contents` demands. */
function faultInContents(
  name: string,
  listing: Listing,
  rules: readonly Rule[],
  { forbidden, excluded, missing, isAttached }: Judgment & Pick<Expectation, 'isAttached'>
): ActionError | undefined {
  const { isWhole } = listing
  const paths = [...listing.paths]
  const wrong = describeFindings(listing.wrong)
  if (paths.length === 0 && isWhole) wrong.push('is an archive without any files')

  const packedTwice = isWhole ? innerZip(name, paths) : ''
  if (packedTwice !== '' && !rules.some(({ allows }) => allows(packedTwice))) {
    wrong.push(
      `contains only another archive, ${quoteName(packedTwice)}, which buyers cannot install`
    )
  }

  // Where something is missing, it may be there by another name.
  const all = missing.length > 0 ? [`contains only ${listNames(paths)}`] : []
  const problems = [...wrong, ...forbidden, ...excluded, ...missing, ...all]

  const built = excluded.length > 0 ? PACK_OTHERWISE : CHECK_BUILD
  const others = isAttached ? REPLACE : built
  return explainProblems(name, 'bad-file', problems, forbidden.length > 0 ? LEAVE_OUT : others)
}

/** The only file of a ZIP file if that is another one: people who download workflow artifacts pack them again. */
function innerZip(name: string, paths: readonly string[]): string {
  const [only = '', ...others] = paths.filter(path => !isOfMacOs(path))
  const isZip = (file: string) => /\.zip$/i.test(file)
  return isZip(name) && isZip(only) && others.length === 0 ? only : ''
}

/** A `plugin.yml` that says 1.4.1 in the release 1.4.2, an old build, or `@version@`, which no build filled in. */
function faultInVersions(
  name: string,
  { manifests }: Listing,
  versions: readonly string[]
): ActionError | undefined {
  const [own = ''] = versions
  if (versions.length === 0) return undefined

  const stated = otherVersions(manifests, versions).map(({ path, version }) => {
    return `states the version ${quoteName(version)} in ${quoteName(path)}, and this release is "${own}"`
  })
  const unfilled = unfilledVersions(manifests, versions).map(({ path, version }) => {
    return `has the version ${quoteName(version)} in ${quoteName(path)}, which was never filled in`
  })

  const advice =
    unfilled.length > 0
      ? `Let the build write "${own}" there, as “A Minecraft plugin” in docs/recipes.md shows for Gradle and Maven.`
      : `Nothing was sent: set the version "${own}" there and move the tag to that commit, or release the next version; if the tag has it already, build from the tag.`
  return explainProblems(name, 'file-version', [...stated, ...unfilled], advice)
}

/** One error for all problems; each begins with a verb. */
function explainProblems(
  name: string,
  reason: 'bad-file' | 'file-version',
  problems: readonly string[],
  advice: string
): ActionError | undefined {
  const [first, ...others] = problems
  if (first === undefined) return undefined

  const lines = problems.map(text => `It ${text}.`)
  const message =
    others.length === 0
      ? `${fileOf(name)} ${first}.`
      : `${fileOf(name)} must not be published:${listLines(lines)}`
  return new ActionError(reason, message, { advice })
}

/** Each begins with a verb. */
function warningsAbout({ isWhole, manifests }: Listing, { useless }: Judgment): string[] {
  const partly = 'is too large to check completely: only a part of it was checked'
  return [...(isWhole ? [] : [partly]), ...useless, ...warningsAboutFolder(manifests)]
}

/** `gallery-1.4.2/`, `gallery-v2/`, and the `gallery-main/` of the source code archives of GitHub. */
const NAMED_BY_BUILD =
  /[-_](?:v?\d+\.[a-z\d.+]+(?:-[a-z\d.+]+)?|v\d+|main|master|trunk|develop)\/$/i

/** About the folder of a WordPress plugin or theme, by which WordPress knows it. */
function warningsAboutFolder(manifests: readonly Manifest[]): string[] {
  const header = manifests.find(({ isWordPress }) => isWordPress)
  if (!header || (header.folder !== '' && !NAMED_BY_BUILD.test(header.folder))) return []

  const place =
    header.folder === '' ? 'without a folder' : `in the folder ${quoteName(header.folder)}`
  return [
    `has the WordPress plugin or theme ${place}: WordPress takes it for another one than before, and deactivates that; pack it in a folder that keeps its name`
  ]
}

/** Such as `2 files, 59 bytes unpacked: "gallery/"`: the files and folders at the top. */
function describeContents({ paths, unpacked, isWhole }: Listing): string {
  const tops = new Set<string>()
  for (const path of paths) tops.add(topOf(path) || path)
  const count = `${isWhole ? '' : 'at least '}${counted(paths.size, 'file')}`
  return `${count}, ${sizeText(unpacked)} unpacked: ${listNames([...tops])}`
}
