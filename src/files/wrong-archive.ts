// Whether an archive is fit for buyers: it is whole, holds what it should and no more, and is of this version. Pure.
import { ActionError } from '../runner/action-error.ts'
import { isObject, parseJson } from '../runner/json.ts'
import {
  counted,
  listLines,
  listNames,
  messageOf,
  quoteName,
  quoteText,
  sizeText
} from '../runner/words.ts'
import { type ContentsLine, findExcluded, findUnmet } from './contents.ts'
import { type Manifest, otherVersions, topOf, unfilledVersions } from './manifests.ts'
import { describeFile, describeOwnVersion, describeRepair, type Origin } from './wrong-file.ts'

/** A file of an archive, and what is wrong with it, worded to follow its name. */
export interface Finding {
  readonly path: string
  readonly what: string
}

/** A file as messages name it. */
interface NamedFile {
  readonly name: string
  readonly origin: Origin
}

/** An archive as it was read. */
export interface Listing extends NamedFile {
  /** The paths of all files, one that is there twice only once. */
  readonly paths: readonly string[]
  /** In bytes, as the archive says. */
  readonly unpacked: number
  /** Files that buyers cannot unpack, or cannot use. */
  readonly wrong: readonly Finding[]
  /** Files that buyers should not get, by their path or first bytes. */
  readonly secrets: readonly Finding[]
  /** Files that were not read. */
  readonly unknown: readonly string[]
  /** At the root, or in the one folder that holds everything. */
  readonly manifests: readonly Manifest[]
}

/** Lines of `contents` for a file that nothing here can look into, such as `setup.exe`. */
export function faultInLines(
  { name, origin }: NamedFile,
  lines: readonly string[]
): ActionError | undefined {
  if (lines.length === 0) return undefined

  const message = `${describeFile(name, origin)} is not a ZIP file, by its name, so \`contents\` cannot be checked.`
  return new ActionError('bad-file', message, { advice: 'Leave out `contents`.' })
}

/** The error of a file that a library cannot read, in its words; an error of ours as it is. */
export function explainUnreadable({ name, origin }: NamedFile, cause: unknown): ActionError {
  if (cause instanceof ActionError) return cause

  const said = messageOf(cause).trim().replace(/\.$/, '')
  const message = `${describeFile(name, origin)} cannot be read as an archive: it is damaged, or not what its name says (${quoteText(said)}).`
  return new ActionError('bad-file', message, { advice: describeRepair(origin), cause })
}

/** About a path that an archive has more than once, worded to follow it. */
export const TWICE = 'more than once, and unpackers do not agree on which one counts'
/** About what Git LFS has not fetched, worded to follow its path. */
export const POINTER = 'a Git LFS pointer, not the file itself: check out with `lfs: true`'

/** A kind of file, recognized by its path, and where that is not enough, by its first bytes. */
interface FileKind {
  readonly path: RegExp
  readonly holds?: (text: string) => boolean
  /** Its fault, worded to follow its name. */
  readonly what: string
}

/** Files that no buyer should get. */
const PRIVATE: readonly FileKind[] = [
  {
    // Settings of a machine: `.env`, `a/.env.production`; not what is there to be filled in, as `.env.example` or
    // `.env.local.dist`.
    path: /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i,
    what: 'which often contains passwords'
  },
  { path: /(?:^|\/)\.git\//i, what: 'the Git history of your source code' },
  { path: /(?:^|\/)\.(?:netrc|git-credentials)$/i, what: 'which contains passwords' },
  {
    path: /(?:^|\/)\.npmrc$/i,
    holds: text => NPM_TOKEN.test(text),
    what: 'which holds an npm token'
  },
  {
    path: /(?:^|\/)auth\.json$/i,
    holds: holdsComposerKey,
    what: 'which holds credentials of Composer'
  },
  {
    // any name
    path: /^/,
    holds: text => PRIVATE_KEY.test(text),
    what: 'which holds a private key'
  }
]

/**
 * `//registry.example/:_authToken=abc`, not `_authToken=${TOKEN}` or a comment. All that begins a line for `^` also ends it
 * here: else each empty line would be searched to the end of the text.
 */
const NPM_TOKEN = /^[^#;\r\n\u2028\u2029]*_(?:authToken|auth|password)[ \t]*=[ \t]*(?!\$\{)\S/m

/** A private key: `-----BEGIN RSA PRIVATE KEY-----` at the start, perhaps behind its certificate, or a key of PuTTY. */
const PRIVATE_KEY =
  /^\s*(?:-----BEGIN (?:[\s\S]*\n-----BEGIN )?(?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d)/

/** https://getcomposer.org/doc/articles/authentication-for-private-packages.md */
const COMPOSER_KEYS = [
  'http-basic',
  'bearer',
  'github-oauth',
  'gitlab-token',
  'gitlab-oauth',
  'bitbucket-oauth'
]

function holdsComposerKey(text: string): boolean {
  const json = parseJson(text)
  return isObject(json) && COMPOSER_KEYS.some(key => key in json)
}

const LEFT_THERE = 'left there by an operating system, and of no use to buyers'
/** Files that are of no use to buyers. */
const USELESS: readonly FileKind[] = [
  { path: /(?:^|\/)__MACOSX\//i, what: LEFT_THERE },
  { path: /(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db)$/i, what: LEFT_THERE },
  { path: /(?:^|\/)node_modules\//i, what: 'the packages of a development install' },
  { path: /(?:^|\/)\.github\//i, what: 'the workflows and settings of your repository' }
]

/** Finds out by a file’s path and its first bytes that no buyer should get it. */
export function findSecrets(path: string, head: Buffer): Finding[] {
  const kind = PRIVATE.find(each => {
    return each.path.test(path) && (each.holds === undefined || each.holds(head.toString()))
  })
  return kind ? [{ path, what: kind.what }] : []
}

const LEAVE_OUT = 'Leave it out of the file, or name it in `contents` if buyers should have it.'
const PACK_OTHERWISE =
  'Change what the build packs: it runs on the code of the tag, so a later change counts from the next tag on.'

/** A file that cannot be unpacked, an `.env`, nothing at all, or not what `contents` demands. */
export function faultInContents(
  listing: Listing,
  lines: readonly ContentsLine[]
): ActionError | undefined {
  const { name, origin, paths } = listing
  const isAllowed = (path: string) => lines.some(line => line.allows(path))

  const secrets = listing.secrets.filter(({ path }) => !isAllowed(path))
  const excluded = findExcluded(paths, lines)
  const unmet = findUnmet(paths, lines)
  const inner = innerZip(name, paths)

  const problems = describeFindings([
    ...listing.wrong,
    ...secrets,
    ...findings(excluded, 'which a `!` line of `contents` excludes')
  ])
  if (paths.length === 0) problems.push('is an archive without any files')
  if (inner !== '' && !isAllowed(inner)) {
    problems.push(`contains only another archive, ${quoteName(inner)}, which buyers cannot install`)
  }
  for (const { text } of unmet) {
    problems.push(`contains nothing that matches ${quoteName(text)} of \`contents\``)
  }
  // Where something is missing, it may be there by another name.
  if (unmet.length > 0) problems.push(`contains only ${listNames(paths)}`)

  let advice = describeRepair(origin)
  if (secrets.length > 0) advice = LEAVE_OUT
  else if (excluded.length > 0 && origin.source === 'workspace') advice = PACK_OTHERWISE
  return explainProblems(listing, 'bad-file', problems, advice)
}

/** The only file of a ZIP file if that is another one: people who download workflow artifacts pack them again. */
function innerZip(name: string, paths: readonly string[]): string {
  const [only = '', ...others] = paths.filter(path => !isOfMacOs(path))
  const isZip = (file: string) => /\.zip$/i.test(file)
  return isZip(name) && isZip(only) && others.length === 0 ? only : ''
}

/** Whether macOS has added it to the files that it packed. */
export function isOfMacOs(path: string): boolean {
  return path.startsWith('__MACOSX/')
}

/**
 * The error of a file whose manifest states another version, as a `plugin.yml` of an old build does, or one that no build
 * filled in: `@version@`.
 */
export function faultInVersions(
  listing: Listing,
  versions: readonly string[]
): ActionError | undefined {
  const { origin, manifests } = listing
  const [own = ''] = versions

  const stated = otherVersions(manifests, versions).map(({ path, version }) => {
    return `states the version ${quoteName(version)} in ${quoteName(path)}, and this release is "${own}"`
  })
  const unfilled = unfilledVersions(manifests, versions).map(({ path, version }) => {
    return `has the version ${quoteName(version)} in ${quoteName(path)}, which was never filled in`
  })

  const isTemplate = unfilled.length > 0 && origin.source === 'workspace'
  const advice = isTemplate
    ? `Let the build write "${own}" there, as “A Minecraft plugin” in docs/recipes.md shows for Gradle and Maven.`
    : describeOwnVersion(origin, own)
  return explainProblems(listing, 'file-version', [...stated, ...unfilled], advice)
}

/** One error for all problems; each begins with a verb. */
function explainProblems(
  { name, origin }: Listing,
  reason: 'bad-file' | 'file-version',
  problems: readonly string[],
  advice: string
): ActionError | undefined {
  const [first, ...others] = problems
  if (first === undefined) return undefined

  const lines = problems.map(text => `It ${text}.`)
  const file = describeFile(name, origin)
  const message =
    others.length === 0 ? `${file} ${first}.` : `${file} must not be published:${listLines(lines)}`
  return new ActionError(reason, message, { advice })
}

/** Sentences about what is of no use to buyers, was not read, or confuses WordPress. */
export function describeDoubts(listing: Listing, lines: readonly ContentsLine[]): string[] {
  const { name, origin, paths, unknown, manifests } = listing
  const isAllowed = (path: string) => lines.some(line => line.allows(path))
  const useless = USELESS.flatMap(kind => {
    const found = paths.filter(path => kind.path.test(path) && !isAllowed(path))
    return findings(found, kind.what)
  })

  const unread = findings(unknown, 'whose compression method is unknown here, so it was not read')
  const doubts = [...describeFindings([...useless, ...unread]), ...describeFolder(manifests)]
  return doubts.map(text => `${describeFile(name, origin)} ${text}.`)
}

function findings(paths: readonly string[], what: string): Finding[] {
  return paths.map(path => ({ path, what }))
}

/** A text for each thing that is wrong, which begins with a verb. */
function describeFindings(found: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(found, ({ what }) => what)]
  return groups.map(([what, those]) => `contains ${listNames(those.map(it => it.path))}, ${what}`)
}

/** A folder that a build named: `gallery-1.4.2/`, `gallery-v2/`; or GitHub, in its source code archives: `gallery-main/`. */
const NAMED_BY_BUILD =
  /[-_](?:v?\d+\.[a-z\d.+]+(?:-[a-z\d.+]+)?|v\d+|main|master|trunk|develop)\/$/i

/** About the folder of a WordPress plugin or theme, by which WordPress knows it. */
function describeFolder(manifests: readonly Manifest[]): string[] {
  const header = manifests.find(({ isWordPress }) => isWordPress)
  if (!header || (header.folder !== '' && !NAMED_BY_BUILD.test(header.folder))) return []

  const place =
    header.folder === '' ? 'without a folder' : `in the folder ${quoteName(header.folder)}`
  return [
    `has the WordPress plugin or theme ${place}: WordPress takes it for another one than before, and deactivates that; pack it in a folder that keeps its name`
  ]
}

/** Such as `2 files, 59 bytes unpacked: "gallery/"`: the files and folders at the top. */
export function describeListing({ paths, unpacked }: Listing): string {
  const tops = new Set(paths.map(path => topOf(path) || path))
  return `${counted(paths.length, 'file')}, ${sizeText(unpacked)} unpacked: ${listNames([...tops])}`
}
