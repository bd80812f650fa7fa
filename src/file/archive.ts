// Whether an archive is fit for buyers: what must not be in it, what must, and what is.
import { posix } from 'node:path'
import { counted, sizeText } from '../runner/text.ts'
import { type Entry, isArchive, READABLE, type Source, type Visit, walkEntries } from './entries.ts'
import { FileFault, listed, quoted, systemError } from './fault.ts'
import { hasWildcard, includes, matcherOf, pathOf } from './glob.ts'
import { judgeManifests, type Manifest, manifestName, type Versions } from './versions.ts'

/** What a release's archive has to be like. */
export interface Rules {
  /** Patterns of what it must contain, and with `!` of what it must not. */
  readonly contents: readonly string[]
  /** What manifests are compared with; undefined: with nothing. */
  readonly versions: Versions | undefined
}

export interface Inspection {
  readonly problems: readonly {
    readonly reason: 'bad-file' | 'file-version'
    readonly message: string
  }[]
  readonly warnings: readonly string[]
  /** Such as `2 files, 59 bytes unpacked: "gallery/"`; empty for what was not looked into. */
  readonly contents: string
}

const ADVICE = 'Leave it out of the build. If buyers should have it, name it in `contents`.'

/** What may be wrong with entries, as it follows their names in a message. */
const ERRORS = {
  encrypted: 'which is encrypted: buyers have no password.',
  outside: 'which leads out of the folder that it is unpacked to.',
  twice: 'more than once, and programs differ in which one they take.',
  forbidden: 'which a line with "!" in `contents` excludes.',
  secret: `which often contains passwords. ${ADVICE}`,
  git: `the Git history of your source code. ${ADVICE}`,
  token: `which holds an npm token. ${ADVICE}`,
  key: `which holds a private key. ${ADVICE}`,
  nested: `and nothing else: buyers would get an archive in an archive. ${ADVICE}`
}
const WARNINGS = {
  junk: 'left there by an operating system, and of no use to buyers.',
  modules: 'the packages of a development install.'
}
type Kind = keyof typeof ERRORS | keyof typeof WARNINGS

const BY_PATH: readonly (readonly [Kind, RegExp])[] = [
  ['secret', /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i],
  ['git', /(?:^|\/)\.git\//],
  ['junk', /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/],
  ['modules', /(?:^|\/)node_modules\//]
]
const NPM_TOKEN = /^[^#;\n]*_(?:authToken|auth|password)\s*=\s*(?!\$\{)\S/m
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----\s*$/m
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|eot|mp[34]|ogg|wav|webm|class|dll|so|exe)$/i
const KEY_FILE = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk|npmrc))$/i
/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i

const WEB_PAGE = /^\s*(?:<!doctype html|<html|<\?xml|<head)/i

/** Of a `.tar.gz`, so many unpacked bytes are looked at: it has no directory. */
const UNPACKED = 256 * 1024 * 1024
/** Keys are looked for in files up to this size, and so many; in what is a key by its name beyond that. */
const HEAD = 64 * 1024
const READ = 1000
const MANIFESTS = 500
/** With links and keys: more would take seconds, and say so. */
const READ_AT_MOST = 1500
const TOP = 10
/** No data that a person makes packs so well. */
const BOMB = { unpacked: 1024 ** 3, ratio: 200 }

/** Looks into a file that is an archive by its name, without unpacking it to disk. */
export async function inspectArchive(
  source: Source,
  rules: Rules,
  limit = UNPACKED
): Promise<Inspection> {
  const file = `the file ${quoted(source.name)}`
  const fail = (text: string): Inspection => {
    const problem = { reason: 'bad-file', message: `${file} ${text}` } as const
    return { problems: [problem], warnings: [], contents: '' }
  }
  if (!isArchive(source.name)) {
    if (rules.contents.length === 0) return { problems: [], warnings: [], contents: '' }
    return fail(
      'cannot be opened: its name is not that of an archive such as .zip, .jar or .tar.gz. Leave out `contents`.'
    )
  }
  const look = await openLook(rules.contents)
  try {
    const isWhole = await walkEntries(source, entry => visit(look, entry), limit)
    return judge(file, source.size, look, isWhole, rules.versions)
  } catch (error) {
    if (error instanceof FileFault) throw error
    const head = (await source.readAt(0, Math.min(source.size, 512))).toString('latin1')
    const advice = WEB_PAGE.test(head)
      ? 'It is a web page: check the step that downloads it, and what that address answers.'
      : 'Check the step that builds or downloads it.'
    const why = systemError(error).message.replace(/[.?]$/, '')
    return fail(`cannot be read as an archive: ${why}. ${advice}`)
  }
}

/** What was seen of the entries so far. */
async function openLook(contents: readonly string[]) {
  return {
    lines: await openLines(contents),
    ...{ files: 0, unpacked: 0, packed: 0, read: 0, manifestsRead: 0 },
    /** The product lies at the top, not in a folder. */
    isLoose: false,
    paths: new Set<string>(),
    top: new Set<string>(),
    manifests: [] as Manifest[],
    found: new Map<string, string[]>()
  }
}
type Look = Awaited<ReturnType<typeof openLook>>

function note({ found }: Look, kind: Kind, name: string): void {
  const names = found.get(kind) ?? []
  names.push(name)
  found.set(kind, names)
}

/** Takes note of an entry, and asks for its content where that has to be read. */
function visit(look: Look, entry: Entry): ReturnType<Visit> {
  if (leadsOut('', entry.name)) note(look, 'outside', entry.name)
  if (entry.kind === 'folder') return undefined
  const path = plainPath(entry.name)
  const slash = path.indexOf('/')
  look.files++
  look.unpacked += entry.size
  look.packed += entry.packed
  if (look.paths.has(path)) note(look, 'twice', path)
  look.paths.add(path)
  if (entry.encrypted) note(look, 'encrypted', path)
  if (look.lines.forbid(path)) note(look, 'forbidden', path)
  for (const [kind, sign] of BY_PATH) {
    if (sign.test(path) && !look.lines.name(path)) note(look, kind, path)
  }
  if (look.top.size <= TOP) look.top.add(slash < 0 ? path : path.slice(0, slash + 1))
  look.isLoose ||= slash < 0 && !DOCUMENT.test(path)
  return readerOf(look, entry, path)
}

/** What reads where a link leads, a manifest, or a small file that may hold a key or a token. */
function readerOf(look: Look, entry: Entry, path: string): ReturnType<Visit> {
  const { kind, size, packed, encrypted } = entry
  if (Math.max(size, packed) > READABLE || encrypted) return undefined
  const isFile = kind === 'file'
  // Contents come after the last entry: what was received says nothing yet.
  const isManifest = isFile && look.manifestsRead < MANIFESTS && manifestName(path) !== undefined
  const isShort = isFile && size > 0 && size <= HEAD
  const isLikely = isShort && ((look.read < READ && !MEDIA.test(path)) || KEY_FILE.test(path))
  if (isFile && !isManifest && !isLikely) return undefined
  if (isManifest) look.manifestsRead++
  look.read++
  if (look.read > READ_AT_MOST) return undefined
  if (kind === 'link') {
    return target => leadsOut(path, target.toString()) && note(look, 'outside', path)
  }
  return content => {
    const text = content.subarray(0, HEAD).toString()
    if (isManifest) look.manifests.push({ path, text })
    if (!isShort || look.lines.name(path)) return
    if (PRIVATE_KEY.test(text)) note(look, 'key', path)
    if (path.endsWith('.npmrc') && NPM_TOKEN.test(text)) note(look, 'token', path)
  }
}

function judge(
  file: string,
  size: number,
  look: Look,
  isWhole: boolean,
  versions: Versions | undefined
): Inspection {
  const { files, unpacked, packed, lines, paths, top, found } = look
  const [only = ''] = paths
  if (files === 1 && isArchive(only) && !lines.name(only)) note(look, 'nested', only)
  const tell = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).flatMap(([kind, text]) => {
      const names = found.get(kind)
      return names ? [`${file} contains ${listed(names)}, ${text}`] : []
    })
  const part = isWhole ? '' : ' in the part that was checked'
  const missing = lines.missing().map(line => `${quoted(line)} of \`contents\`${part}`)
  const isBomb = unpacked > BOMB.unpacked && unpacked > BOMB.ratio * size
  const wrong = [
    ...(files === 0 && isWhole ? [`${file} is an archive without a file in it.`] : []),
    ...(packed > size ? [`${file} is not a proper archive: its entries overlap.`] : []),
    ...(isBomb
      ? [`${file} says that it unpacks from ${sizeText(size)} to ${sizeText(unpacked)}.`]
      : []),
    ...tell(ERRORS),
    ...missing.map(what => `${file} contains nothing that matches ${what}.`)
  ]
  // Where the product lies loose at the top, what is a folder down is another's.
  const own = look.manifests.filter(({ path }) => !look.isLoose || manifestName(path) === path)
  const advice =
    'Build it from the tag that is published; `file-version: any` turns this check off.'
  const others = versions ? judgeManifests(own, versions) : []
  const isPart = `${file} is too large to check completely: only part of it was checked.`
  const count = `${isWhole ? '' : 'at least '}${counted(files, 'file')}`
  const names = [...top].slice(0, TOP).map(quoted).join(', ')
  return {
    problems: [
      ...wrong.map(message => ({ reason: 'bad-file' as const, message })),
      ...others.map(text => {
        return { reason: 'file-version' as const, message: `in ${file}, ${text}. ${advice}` }
      })
    ],
    warnings: [...(isWhole && look.read <= READ_AT_MOST ? [] : [isPart]), ...tell(WARNINGS)],
    contents: `${count}, ${sizeText(unpacked)} unpacked: ${names}${top.size > TOP ? ', …' : ''}`
  }
}

/** An entry's name with slashes, without what means nothing, such as `./`. */
function plainPath(name: string): string {
  if (!/\\|(?:^|\/)\.?\//.test(name)) return name
  return name.replaceAll('\\', '/').replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

/** Whether a path, seen from an entry, leaves the folder that all is unpacked to. */
function leadsOut(from: string, path: string): boolean {
  if (/^[\\/]|^[a-z]:/i.test(path)) return true
  if (!path.includes('..')) return false
  const target = path.replaceAll('\\', '/')
  const climbs = from === '' ? target : posix.normalize(posix.join(posix.dirname(from), target))
  return climbs.split('/').includes('..')
}

/** The lines of `contents`; each counts for a file, or for all that is in a folder. */
async function openLines(lines: readonly string[]) {
  const rules = await Promise.all(
    lines.map(async line => {
      const path = pathOf(line).replace(/\/+$/, '')
      const isPlain = includes(line) && !hasWildcard(posix.basename(path))
      return { line, isPlain, matches: await matcherOf([path, `${path}/**`]) }
    })
  )
  const missing = new Set(lines.filter(includes))
  return {
    /** Takes note of a file, and tells whether it must not be there: the last line that matches decides. */
    forbid: (path: string) => {
      const matching = rules.filter(({ matches }) => matches(path))
      for (const { line } of matching) missing.delete(line)
      const decisive = matching.at(-1)
      return decisive !== undefined && !includes(decisive.line)
    },
    /** Whether a line names the file outright, whatever the folders on the way to it are. */
    name: (path: string) => rules.some(({ isPlain, matches }) => isPlain && matches(path)),
    missing: () => [...missing]
  }
}
