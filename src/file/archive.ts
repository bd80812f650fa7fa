// Whether an archive is fit for buyers: what must not be in it, what must (the input `contents`), and what is.
import { posix } from 'node:path'
import { counted, sizeText } from '../runner/text.ts'
import { ARCHIVE, ArchiveFault, isZip, type Source } from './entries.ts'
import { FileFault, hintsFor, inTime, listed, quoteName } from './fault.ts'
import { type Findings, type Found, inspectEntries } from './findings.ts'
import { hasWildcard, includes, matcherOf, pathOf } from './glob.ts'
import { judgeManifests } from './manifests.ts'
import { FORBIDDEN, type Signs, USELESS } from './signs.ts'
import { tarGzEntries } from './tar.ts'
import type { VersionNames } from './versions.ts'
import { zipEntries } from './zip.ts'

const CLASH = 'as a file and as a folder, and programs differ in which one they take.'
const NESTED =
  'and nothing else: buyers would get an archive in an archive. Take the inner file: unzip it ' +
  'first. If this is intended, name it in `contents`.'

/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i
const WEB_PAGE = /^\s*(?:<!doctype html|<html|<\?xml|<head)/i

/** In bytes, unpacked: so much of a `.tar.gz` is looked at, since it has no directory to list its files. */
const UNPACKED = 256 * 1024 * 1024

/** What was found in a file; the texts are whole sentences. */
export interface Inspection {
  readonly problems: readonly Remark[]
  readonly warnings: readonly string[]
  /** Such as `2 files, 59 bytes unpacked: "gallery/"`; empty if the file is no archive. */
  readonly contents: string
}

interface Remark {
  readonly reason: 'bad-file' | 'file-version'
  readonly message: string
}

/**
 * Checks an archive. Each line of `contents` must match something in it, or with `!`, nothing. Throws a
 * `FileFault` if it cannot be read. A file with another name is not checked, and must have no `contents`.
 */
export async function inspectArchive(
  source: Source,
  contents: readonly string[],
  versions: VersionNames | undefined,
  limit = UNPACKED
): Promise<Inspection> {
  const name = quoteName(source.name)
  if (!ARCHIVE.test(source.name)) {
    if (contents.length === 0) return { problems: [], warnings: [], contents: '' }
    const message = `${name} is not an archive, by its name: leave out \`contents\`.`
    throw new FileFault('bad-file', message)
  }
  const rules = await Promise.all(contents.map(parseRule))
  const warnings: string[] = []
  const warn = (text: string) => {
    warnings.push(`is read differently by different programs: ${text}.`)
  }
  const entries = isZip(source.name) ? zipEntries(source, warn) : tarGzEntries(source, limit)
  const findings = await inspectEntries(entries, versions).catch(async (error: unknown) => {
    throw await explainUnreadable(source, error)
  })
  return inTime('contents', () => judgeFindings(findings, rules, source, warnings))
}

async function explainUnreadable(
  { name, size, readAt }: Source,
  cause: unknown
): Promise<FileFault> {
  // Such as one for a file that changed while it was read.
  if (cause instanceof FileFault) return cause
  const file = `the file ${quoteName(name)}`
  const isOurs = cause instanceof ArchiveFault
  if (isOurs && cause.kind === 'ambiguous') {
    const advice =
      'Build it with another program, such as zip, 7-Zip, tar, or what your language has.'
    const message = `programs unpack ${file} differently: ${cause.message}. ${advice}`
    return new FileFault('bad-file', message, cause)
  }
  const head = (await readAt(0, Math.min(size, 512))).toString('latin1')
  const page = 'It is a web page: check the step that downloads it, and what that address answers.'
  const advice = WEB_PAGE.test(head) ? page : 'Check the step that builds or downloads it.'
  const why = isOurs ? cause.message : 'it is damaged, cut short, or not an archive at all'
  const message = `${file} cannot be read as an archive: ${why}. ${advice}`
  return new FileFault('bad-file', message, cause)
}

function judgeFindings(
  findings: Findings,
  rules: readonly Rule[],
  { name, size }: Source,
  warnings: readonly string[]
): Inspection {
  const { files, unpacked, isWhole, unread } = findings
  const paths = [...findings.paths]
  const isAllowed = (path: string) => rules.some(({ allows }) => allows(path))
  const describeSigns = (signs: Signs) =>
    signs.flatMap(([sign, what]) => {
      const found = paths.filter(path => sign.test(path) && !isAllowed(path))
      return describeFiles(found, what)
    })
  // No real data packs so well: over 1 GiB, and 200 times the file.
  const isBomb = unpacked > Math.max(1024 ** 3, 200 * size)
  const bad = [
    ...(files === 0 && isWhole ? ['is an archive that lists no files.'] : []),
    ...(isBomb ? [`says that it unpacks from ${sizeText(size)} to ${sizeText(unpacked)}.`] : []),
    ...describeFound(findings.wrong),
    ...describeFiles(findClashes([...paths, ...findings.folders]), CLASH),
    ...describeFound(findings.secrets.filter(([, path]) => !isAllowed(path))),
    ...describeSigns(FORBIDDEN),
    ...(files === 1 ? describeSigns([[ARCHIVE, NESTED]]) : []),
    ...judgeRules(rules, paths, isWhole)
  ]
  const top = [...new Set(paths.map(path => path.slice(0, path.indexOf('/') + 1) || path))]
  // If the product lies loose at the top, manifests one folder down belong to something else.
  const isLoose = top.some(each => !each.endsWith('/') && !DOCUMENT.test(each))
  const others = judgeManifests(findings.manifests.filter(({ inFolder }) => !(isLoose && inFolder)))
  const part = 'is too large to check completely: only part of it was checked.'
  const unsearched = `has so many files that ${unread} of them were not searched for private keys, other versions and links that lead out; the names of all were checked.`
  const remarks = [
    ...(isWhole ? [] : [part]),
    ...(isWhole && unread > 0 ? [unsearched] : []),
    ...warnings,
    ...describeFiles(
      findings.tooLarge,
      'which is too large, or one of too many, to look for its version.'
    ),
    ...describeSigns(USELESS)
  ]
  const count = `${isWhole ? '' : 'at least '}${counted(files, 'file')}`
  const file = `the file ${quoteName(name)}`
  return {
    problems: [
      ...bad.map(text => ({ reason: 'bad-file' as const, message: `${file} ${text}` })),
      ...others.map(text => ({ reason: 'file-version' as const, message: `in ${file}, ${text}` }))
    ],
    warnings: remarks.map(text => `${file} ${text}`),
    contents: `${count}, ${sizeText(unpacked)} unpacked: ${listed(top)}`
  }
}

/** Files whose paths are also those of folders; a folder's own path, which need not be there, ends with a slash. */
function findClashes(paths: readonly string[]): string[] {
  const clashes = new Set<string>()
  // The paths so far that this one begins with: sorted, they stand before it.
  const starts: string[] = []
  for (const path of paths.toSorted()) {
    while (!path.startsWith(starts.at(-1) ?? '')) starts.pop()
    for (const start of starts) if (path[start.length] === '/') clashes.add(start)
    starts.push(path)
  }
  return [...clashes]
}

function describeFound(found: readonly Found[]): string[] {
  const groups = Map.groupBy(found, ([what]) => what)
  return [...groups].flatMap(([what, those]) => {
    const paths = those.map(([, path]) => path)
    return describeFiles(paths, what)
  })
}

/** A line of `contents`. */
export interface Rule {
  readonly line: string
  /** Whether it names a file so clearly that it may be what is refused otherwise. */
  readonly allows: (path: string) => boolean
  readonly matches: (path: string) => boolean
}

/** Parses a line, which matches a file, or all that is in a folder. */
export async function parseRule(line: string): Promise<Rule> {
  const path = pathOf(line).replace(/\/+$/, '')
  // A folder's line allows no file in it, unless the folder itself is what would be refused.
  const inside = /(?:^|\/)(?:\.git|node_modules|__MACOSX)$/i.test(path) ? [`${path}/**`] : []
  const isPlain = includes(line) && !hasWildcard(posix.basename(path))
  const allows = isPlain ? await matcherOf([path, ...inside]) : () => false
  // An exclusion that names no folder counts everywhere.
  const place = includes(line) || path.includes('/') ? path : `**/${path}`
  return { line, allows, matches: await matcherOf([place, `${place}/**`]) }
}

/** A sentence about each line that is broken, or by which files are. */
export function judgeRules(
  rules: readonly Rule[],
  paths: readonly string[],
  isWhole: boolean
): string[] {
  // The last line that matches decides; before the first exclusion, none needs to be asked.
  const first = rules.findIndex(({ line }) => !includes(line))
  const deciding = first < 0 ? [] : rules.slice(first)
  const lineFor = (path: string) => deciding.findLast(({ matches }) => matches(path))?.line ?? ''
  const excluded = paths.filter(path => !includes(lineFor(path)))
  const part = isWhole ? '' : ' in the part that was checked'
  const idle = rules.filter(({ matches }) => !paths.some(matches))
  const missed = idle.flatMap(({ line }) => {
    const hints = hintsFor([line], 'contents')
    const none = `contains nothing that matches ${quoteName(line)} of \`contents\`${part}.`
    // An exclusion may match nothing, unless it looks mistyped.
    const isMistake = /^!["'/]|\{.*,.*\}|[,;]\s*!|\s#\s|\\/.test(line) && hints.length > 0
    return includes(line) || isMistake ? [[none, ...hints].join(' ')] : []
  })
  const there = paths.length === 0 ? '' : ` It contains ${listed(paths, 20)}.`
  const told = missed.map((text, index) => `${text}${index === missed.length - 1 ? there : ''}`)
  return [...describeFiles(excluded, 'which a line with "!" in `contents` excludes.'), ...told]
}

/** A sentence about these files; none if there are no files. */
export function describeFiles(paths: readonly string[], what: string): string[] {
  return paths.length === 0 ? [] : [`contains ${listed(paths)}, ${what}`]
}
