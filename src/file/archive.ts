// Whether an archive is fit for buyers: what must not be in it, what must, and what is.
import { posix } from 'node:path'
import { counted, sizeText } from '../runner/text.ts'
import type { Entry, Source } from './entries.ts'
import { ARCHIVE, entriesOf, pathOfEntry, Unfinished, Unreadable } from './entries.ts'
import { FileFault, hintsFor, listed, quoted } from './fault.ts'
import { hasWildcard, includes, matcherOf, pathOf } from './glob.ts'
import type { Manifest, Versions } from './versions.ts'
import { isManifest, judgeManifests, readManifest } from './versions.ts'

const ADVICE = 'Leave it out of the build. If buyers should have it, name it in `contents`.'
const OUTSIDE = 'which leads out of the folder that it is unpacked to.'
const TWICE = 'more than once, and programs differ in which one they take.'

const ENV = /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/

/** What the path of a file tells, worded to follow the names in a message. */
type Signs = readonly (readonly [RegExp, string])[]
const ERRORS: Signs = [
  [ENV, `which often contains passwords. ${ADVICE}`],
  [/(?:^|\/)\.git\//, `the Git history of your source code. ${ADVICE}`]
]
const NESTED = `and nothing else: buyers would get an archive in an archive. ${ADVICE}`
const WARNINGS: Signs = [
  [JUNK, 'left there by an operating system, and of no use to buyers.'],
  [/(?:^|\/)node_modules\//, 'the packages of a development install.']
]

const NPM_TOKEN = /^[^#;\n]*_(?:authToken|auth|password)\s*=\s*(?!\$\{)\S/m
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----\s*$/m
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|eot|mp[34]|ogg|wav|webm|class|dll|so|exe)$/i
const KEY_FILE = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk|npmrc))$/i
/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i
const WEB_PAGE = /^\s*(?:<!doctype html|<html|<\?xml|<head)/i

/** How many unpacked bytes of a `.tar.gz` are looked at: it has no directory to list its files. */
const UNPACKED = 256 * 1024 * 1024
/** In bytes. No larger entry is read, packed or unpacked; one over `HEAD` only for its version or its link. */
const READABLE = 1024 * 1024
const HEAD = 64 * 1024
/** After so many reads, only links, manifests and files named like keys are read; after the second, none. */
const READ = 1000
const READ_AT_MOST = 1500

/**
 * Checks an archive. Each line of `contents` must match something in it, or with `!`, nothing. Throws a
 * `FileFault` if it cannot be read. A file with another name is not checked, and must have no `contents`.
 */
export async function inspectArchive(
  source: Source,
  contents: readonly string[],
  versions: Versions | undefined,
  limit = UNPACKED
) {
  if (!ARCHIVE.test(source.name)) {
    if (contents.length === 0) return { problems: [], warnings: [], contents: '' }
    const message = `${quoted(source.name)} is not an archive, by its name: leave out \`contents\`.`
    throw new FileFault('bad-file', message)
  }
  const look = await openLook(contents, versions)
  try {
    for await (const entry of entriesOf(source, limit)) {
      const path = pathOfEntry(entry)
      note(look, entry, path)
      if (isRead(look, entry, path)) readInto(look, entry, path, await entry.read())
    }
  } catch (error) {
    if (error instanceof FileFault) throw error
    if (!(error instanceof Unfinished)) throw await explainUnreadable(source, error)
    look.isWhole = false
  }
  return judge(look, source)
}

async function explainUnreadable(source: Source, cause: unknown): Promise<FileFault> {
  const head = (await source.readAt(0, Math.min(source.size, 512))).toString('latin1')
  const page = 'It is a web page: check the step that downloads it, and what that address answers.'
  const advice = WEB_PAGE.test(head) ? page : 'Check the step that builds or downloads it.'
  const isOurs = cause instanceof Unreadable
  const why = isOurs ? cause.message : 'it is damaged, cut short, or not an archive at all'
  const message = `the file ${quoted(source.name)} cannot be read as an archive: ${why}. ${advice}`
  return new FileFault('bad-file', message, cause)
}

/** Starts a record of what is seen of the entries, with the lines of `contents` as matchers. */
async function openLook(contents: readonly string[], versions: Versions | undefined) {
  // A line matches a file, or all that is in a folder.
  const lineOf = async (line: string) => {
    const path = pathOf(line).replace(/\/+$/, '')
    // A folder's line allows no file in it, unless the folder itself is what would be refused.
    const inside = /(?:^|\/)(?:\.git|node_modules|__MACOSX)$/.test(path) ? [`${path}/**`] : []
    const isPlain = includes(line) && !hasWildcard(posix.basename(path))
    const allows = isPlain ? await matcherOf([path, ...inside]) : () => false
    // An exclusion that names no folder counts everywhere.
    const anywhere = includes(line) || path.includes('/') ? [] : [`**/${path}`, `**/${path}/**`]
    return { line, allows, matches: await matcherOf([path, `${path}/**`, ...anywhere]) }
  }
  const lines = await Promise.all(contents.map(lineOf))
  return {
    ...{ lines, versions, files: 0, packed: 0, unpacked: 0, read: 0, isWhole: true },
    paths: new Set<string>(),
    manifests: [] as Manifest[],
    wrong: [] as (readonly [what: string, name: string])[],
    /** Whether a line with no wildcard after its last slash names the file. */
    isNamed: (path: string) => lines.some(({ allows }) => allows(path))
  }
}
type Look = Awaited<ReturnType<typeof openLook>>

function note(look: Look, entry: Entry, path: string): void {
  const { name, kind, size, packed, encrypted } = entry
  if (leadsOut('', name)) look.wrong.push([OUTSIDE, name])
  if (kind === 'folder') return
  look.files++
  look.packed += packed
  look.unpacked += size
  if (encrypted) look.wrong.push(['which is encrypted: buyers have no password.', path])
  if (look.paths.has(path)) look.wrong.push([TWICE, path])
  look.paths.add(path)
}

/** Whether an entry is to be read: a link, a manifest, or a small file that may hold a key or a token. */
function isRead(look: Look, { kind, size, packed, encrypted }: Entry, path: string): boolean {
  if (kind === 'folder' || encrypted || Math.max(size, packed) > READABLE) return false
  const isShort = size > 0 && size <= HEAD
  const isFirst = kind === 'link' || isManifest(path) || (isShort && KEY_FILE.test(path))
  if (!isFirst && !(isShort && look.read < READ && !MEDIA.test(path))) return false
  look.read++
  return look.read <= READ_AT_MOST
}

function readInto(look: Look, { kind, size }: Entry, path: string, content: Buffer): void {
  const text = content.toString()
  if (kind === 'link' && leadsOut(path, text)) look.wrong.push([OUTSIDE, path])
  if (kind === 'link') return
  const manifest = look.versions && readManifest(path, text, look.versions)
  if (manifest) look.manifests.push(manifest)
  if (size > HEAD || look.isNamed(path)) return
  if (PRIVATE_KEY.test(text)) look.wrong.push([`which holds a private key. ${ADVICE}`, path])
  const hasToken = path.endsWith('.npmrc') && NPM_TOKEN.test(text)
  if (hasToken) look.wrong.push([`which holds an npm token. ${ADVICE}`, path])
}

/** What is wrong, and the contents in a line, such as `2 files, 59 bytes unpacked: "gallery/"`. */
function judge(look: Look, { name, size }: Source) {
  const { files, packed, unpacked, isWhole, lines, isNamed } = look
  const paths = [...look.paths]
  const tell = (remarks: typeof look.wrong) =>
    [...Map.groupBy(remarks, ([what]) => what)].map(([what, found]) => {
      return `contains ${listed(found.map(([, path]) => path))}, ${what}`
    })
  const tellPaths = (signs: Signs) =>
    signs.flatMap(([sign, what]) => {
      const found = paths.filter(path => sign.test(path) && !isNamed(path))
      return tell(found.map(path => [what, path]))
    })
  // The last line that matches decides.
  const lineFor = (path: string) => lines.findLast(({ matches }) => matches(path))?.line ?? ''
  const forbidden = paths.filter(path => !includes(lineFor(path)))
  const idle = lines.filter(({ matches }) => !paths.some(matches))
  const part = isWhole ? '' : ' in the part that was checked'
  // No real data packs so well: over 1 GiB, and 200 times the file.
  const isBomb = unpacked > Math.max(1024 ** 3, 200 * size)
  const bad = [
    ...(files === 0 && isWhole ? ['is an archive that lists no files.'] : []),
    ...(packed > size ? ['is not a proper archive: its entries overlap.'] : []),
    ...(isBomb ? [`says that it unpacks from ${sizeText(size)} to ${sizeText(unpacked)}.`] : []),
    ...tell(look.wrong),
    ...tellPaths(ERRORS),
    ...(files === 1 ? tellPaths([[ARCHIVE, NESTED]]) : []),
    ...tell(forbidden.map(path => ['which a line with "!" in `contents` excludes.', path])),
    // An exclusion may match nothing, unless it looks mistyped.
    ...idle.flatMap(({ line }) => {
      const [hints, none] = [hintsFor([line], 'contents'), 'contains nothing that matches']
      const told = [`${none} ${quoted(line)} of \`contents\`${part}.`, ...hints].join(' ')
      const isMistake = /^!["'/]|\{.*,.*\}|[,;]\s*!|\s#\s|\\/.test(line)
      return includes(line) || (isMistake && hints.length > 0) ? [told] : []
    })
  ]
  const top = [...new Set(paths.map(path => path.slice(0, path.indexOf('/') + 1) || path))]
  // If the product lies loose at the top, manifests one folder down belong to something else.
  const isLoose = top.some(name => !name.endsWith('/') && !DOCUMENT.test(name))
  const others = judgeManifests(look.manifests.filter(({ inFolder }) => !(isLoose && inFolder)))
  const isAll = isWhole && look.read <= READ_AT_MOST
  const isPart = isAll ? [] : ['is too large to check completely: only part of it was checked.']
  const count = `${isWhole ? '' : 'at least '}${counted(files, 'file')}`
  const names = `${top.slice(0, 10).map(quoted).join(', ')}${top.length > 10 ? ', …' : ''}`
  const file = `the file ${quoted(name)}`
  return {
    problems: [
      ...bad.map(text => ({ reason: 'bad-file' as const, message: `${file} ${text}` })),
      ...others.map(text => ({ reason: 'file-version' as const, message: `in ${file}, ${text}` }))
    ],
    warnings: [...isPart, ...tellPaths(WARNINGS)].map(text => `${file} ${text}`),
    contents: `${count}, ${sizeText(unpacked)} unpacked: ${names}`
  }
}

/** Whether a path leads out of the unpacked folder: of a link, seen `from` it; of an entry, any with `..`. */
function leadsOut(from: string, path: string): boolean {
  if (/^[\\/]|^[a-z]:/i.test(path)) return true
  if (!path.includes('..')) return false
  const target = path.replaceAll('\\', '/')
  const climbs = from === '' ? target : posix.join(posix.dirname(from), target)
  return climbs.split('/').includes('..')
}
