// Whether an archive is fit for buyers: it can be read, and holds what it should, and no more.
import { posix } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/json.ts'
import { counted, listLines, listNames, quoteName, quoteText, sizeText } from '../runner/words.ts'
import type { Artifact } from './artifact.ts'
import {
  describeFindings,
  type Finding,
  judgePaths,
  parseRule,
  type Rule,
  secretBytes,
  secretIn
} from './contents.ts'
import {
  ARCHIVE,
  Budget,
  type Entry,
  isTar,
  LONGEST_PATH,
  TooMuch,
  tarEntries,
  zipEntries
} from './entries.ts'
import { Links } from './links.ts'
import {
  type Manifest,
  manifestBytes,
  otherVersions,
  readManifest,
  unfilledVersions
} from './stated-version.ts'

/** How many entries are looked at. */
const ENTRIES = 200_000
/** `<!DOCTYPE html>`, perhaps behind a byte order mark: what a download got in place of the file. */
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<\?xml|<head)/i

interface Expected {
  /** Of the input `contents`. */
  readonly lines: readonly string[]
  /** The release’s version, and others that count, too; undefined to look at no manifest. */
  readonly versions: readonly string[] | undefined
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
  { lines, versions }: Expected
): Promise<Inspection> {
  const { name } = artifact
  const file = `The file ${quoteName(name)}`
  if (!ARCHIVE.test(name)) {
    if (lines.length === 0) return { contents: '', warnings: [] }
    const message = `${file} is not an archive, by its name, so \`contents\` cannot be checked.`
    throw new ActionError('bad-file', message, { advice: 'Leave out `contents`.' })
  }
  const rules = await Promise.all(lines.map(parseRule))

  // A change from here on is found when the file is sent.
  await artifact.digest()
  const look = new ArchiveLook({ findsVersions: versions !== undefined })
  const seen = await look.through(artifact).catch((cause: unknown) => {
    throw explainUnreadable(artifact, cause)
  })

  const useless = checkContents(file, name, seen, rules)
  checkVersions(file, seen, versions ?? [])

  const partly = 'is too large to check completely: only a part of it was checked'
  const warnings = seen.isWhole ? useless : [partly, ...useless]
  return {
    contents: describeContents(seen),
    warnings: warnings.map(text => `${file} ${text}.`)
  }
}

/** Such as `2 files, 59 bytes unpacked: "gallery/"`: the files and folders at the top. */
function describeContents({ paths, unpacked, isWhole }: Seen): string {
  const tops = new Set<string>()
  for (const path of paths) tops.add(topOf(path) || path)
  const count = `${isWhole ? '' : 'at least '}${counted(paths.size, 'file')}`
  return `${count}, ${sizeText(unpacked)} unpacked: ${listNames([...tops])}`
}

/** Throws an `ActionError` (`bad-file`) for all that is wrong; returns what is only of no use, as it follows the name. */
function checkContents(
  file: string,
  name: string,
  seen: Seen,
  rules: readonly Rule[]
): readonly string[] {
  const { isWhole } = seen
  const paths = [...seen.paths]
  const wrong = describeFindings(seen.wrong)
  if (paths.length === 0 && isWhole) wrong.push('is an archive without any files')

  const packedTwice = isWhole ? innerZip(name, paths) : ''
  if (packedTwice !== '' && !rules.some(({ allows }) => allows(packedTwice))) {
    wrong.push(
      `contains only another archive, ${quoteName(packedTwice)}, which buyers cannot install`
    )
  }

  const part = isWhole ? '' : ' in the part that was checked'
  const { forbidden, excluded, missing, useless } = judgePaths(paths, seen.secrets, rules, part)

  // Where something is missing, it may be there by another name.
  const all = missing.length > 0 ? [`contains only ${listNames(paths)}`] : []
  const problems = [...wrong, ...forbidden, ...excluded, ...missing, ...all]

  const others = excluded.length > 0 ? PACK_OTHERWISE : CHECK_BUILD
  throwIfAny(file, 'bad-file', problems, forbidden.length > 0 ? LEAVE_OUT : others)
  return useless
}

const LEAVE_OUT = 'Leave it out of the build, or name it in `contents` if buyers should have it.'
const PACK_OTHERWISE =
  'Change what the build packs: it runs on the code of the tag, so a later change counts from the next tag on.'
const CHECK_BUILD = 'Check the step that builds it.'

/** Throws an `ActionError` (`file-version`) for manifests of another version, or of one that was never filled in. */
function checkVersions(file: string, { manifests, root }: Seen, versions: readonly string[]): void {
  const [own = ''] = versions
  const stated = otherVersions(manifests, root, versions).map(({ path, version }) => {
    return `states the version ${quoteName(version)} in ${quoteName(path)}, and this release is "${own}"`
  })
  const unfilled = unfilledVersions(manifests, root, versions).map(({ path, version }) => {
    return `has the version ${quoteName(version)} in ${quoteName(path)}, which was never filled in`
  })

  const advice = unfilled.length > 0 ? fillingAdvice(own) : versionAdvice(own)
  throwIfAny(file, 'file-version', [...stated, ...unfilled], advice)
}

function versionAdvice(own: string): string {
  return `Nothing was sent: set the version "${own}" there and move the tag to that commit, or release the next version; if the tag has it already, build from the tag.`
}

function fillingAdvice(own: string): string {
  return `Let the build write "${own}" there, as “A Minecraft plugin” in docs/recipes.md shows for Gradle and Maven.`
}

/** The only file of a ZIP file if that is another one: people who download workflow artifacts pack them again. */
function innerZip(name: string, paths: readonly string[]): string {
  const [only = '', ...others] = paths.filter(path => !isOfMacOs(path))
  const isZip = (file: string) => /\.zip$/i.test(file)
  return isZip(name) && isZip(only) && others.length === 0 ? only : ''
}

/** Throws one `ActionError` for all problems, if there are any; each begins with a verb. */
function throwIfAny(
  file: string,
  reason: 'bad-file' | 'file-version',
  problems: readonly string[],
  advice: string
): void {
  const [first, ...others] = problems
  if (first === undefined) return

  const lines = problems.map(text => `It ${text}.`)
  const message =
    others.length === 0 ? `${file} ${first}.` : `${file} must not be published:${listLines(lines)}`
  throw new ActionError(reason, message, { advice })
}

/** The folder at the top that a path is in, with its slash; empty for a path at the root. */
function topOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1)
}

/** Whether macOS has added it to the files that it packed. */
function isOfMacOs(path: string): boolean {
  return path.startsWith('__MACOSX/')
}

/** All that was seen of an archive. */
class Seen {
  readonly wrong: Finding[] = []
  readonly secrets: Finding[] = []
  readonly manifests: Manifest[] = []
  readonly links = new Links()
  /** In bytes, as the archive says. */
  unpacked = 0
  isWhole = true
  readonly #paths = new Set<string>()
  /** Undefined before the first path. */
  #root: string | undefined

  /** Of all but folders, with slashes, and without parts that mean nothing, such as `./`. */
  get paths(): ReadonlySet<string> {
    return this.#paths
  }

  /** The one folder that holds everything so far, with its slash; empty if there is none. */
  get root(): string {
    return this.#root ?? ''
  }

  add(path: string, size: number): void {
    this.#paths.add(path)
    this.unpacked += size
    if (isOfMacOs(path)) return

    const top = topOf(path)
    this.#root ??= top
    if (this.#root !== top) this.#root = ''
  }

  /** Whether a manifest may be the product’s: those in folders are not once something stands outside of them. */
  mayState(path: string): boolean {
    return [this.root, ''].includes(topOf(path))
  }
}

/** A look through an archive, with one budget for all that is read of it. */
class ArchiveLook {
  readonly #seen = new Seen()
  readonly #budget = new Budget()
  readonly #findsVersions: boolean

  constructor({ findsVersions }: { readonly findsVersions: boolean }) {
    this.#findsVersions = findsVersions
  }

  /** Looks at all entries, or at as many as the limits allow. Throws what reading them throws. */
  async through(artifact: Artifact): Promise<Seen> {
    const seen = this.#seen
    const open = isTar(artifact.name) ? tarEntries : zipEntries

    let count = 0
    try {
      for await (const entry of open(artifact, this.#budget)) {
        count += 1
        if (count > ENTRIES) throw new TooMuch()
        await this.#lookAt(entry)
      }
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error
      seen.isWhole = false
    }

    for (const path of seen.links.findLeadingOut()) seen.wrong.push({ path, what: OUTSIDE })
    return seen
  }

  async #lookAt(entry: Entry): Promise<void> {
    const seen = this.#seen
    if (isTooLong(entry)) {
      // V8 gives all texts of 16,384 characters or more one hash: a set of them would take minutes.
      // A copy: a slice would keep all of it.
      const start = Buffer.from(entry.name.slice(0, LONGEST_PATH)).toString()
      seen.wrong.push({ path: start, what: TOO_LONG })
      return
    }

    // `a//b`, `./a/./b`
    const path = entry.name.replace(/(^|\/)(?:\.?\/)+/g, '$1')
    const what = problemWith(entry, path, seen)
    if (what !== '') seen.wrong.push({ path: entry.name, what })
    if (entry.kind === 'folder') return

    seen.add(path, entry.size)
    if (what !== '') return

    if (entry.kind === 'file') await this.#read(entry, path)
    else seen.links.add(path, entry.linkTarget, entry.kind)
  }

  /** Reads a file that may hold a secret or a version. */
  async #read(entry: Entry, path: string): Promise<void> {
    const seen = this.#seen
    const secret = secretBytes(path)
    const manifest = this.#findsVersions ? manifestBytes(path) : 0
    const most = Math.min(entry.size, Math.max(secret, manifest))
    if (most === 0) return

    this.#budget.takeContent(most)
    const content = await entry.read(most)
    const what = secret === 0 ? '' : secretIn(path, content)
    if (what !== '') seen.secrets.push({ path, what })

    // JSON that is nested deeply takes a hundred times its size, so none is parsed that cannot count.
    if (!this.#findsVersions || !seen.mayState(path)) return
    const stated = readManifest(path, content.toString())
    if (stated) seen.manifests.push(stated)
  }
}

const OUTSIDE = 'which leads out of the folder that it is unpacked to'
const TOO_LONG = 'whose name or link target is too long to unpack'

function isTooLong({ name, linkTarget }: Entry): boolean {
  return Buffer.byteLength(name) > LONGEST_PATH || Buffer.byteLength(linkTarget) > LONGEST_PATH
}

/** Why an entry must not be in an archive, worded to follow its name; empty if nothing is wrong. */
function problemWith({ name, kind, linkTarget, problem }: Entry, path: string, seen: Seen): string {
  // A symbolic link starts from its own folder, a hard link from the root.
  const isRelative = kind === 'symlink' && !posix.isAbsolute(linkTarget)
  const target = isRelative ? posix.join(posix.dirname(path), linkTarget) : linkTarget
  if (leadsOut(name) || leadsOut(target)) return OUTSIDE
  if (problem !== '') return problem

  const isTwice = kind !== 'folder' && seen.paths.has(path)
  return isTwice ? 'more than once, and programs differ in which one they take' : ''
}

/** `/a`, `C:\a`, `a/../b` */
function leadsOut(path: string): boolean {
  return /^(?:[\\/]|[a-z]:)/i.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)
}

function explainUnreadable({ name, head }: Artifact, cause: unknown): ActionError {
  if (cause instanceof ActionError) return cause

  const said = textAt(cause, 'message').trim().replace(/\.$/, '')
  const isPage = WEB_PAGE.test(head.toString('latin1'))
  const why = isPage
    ? 'it is a web page'
    : `it is damaged, or not what its name says (${quoteText(said)})`
  const advice = isPage
    ? 'Check the step that downloads it, and what that address answers.'
    : 'Check the step that builds or downloads it.'
  const message = `The file ${quoteName(name)} cannot be read as an archive: ${why}.`
  return new ActionError('bad-file', message, { advice, cause })
}
