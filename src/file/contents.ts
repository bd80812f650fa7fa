// What is noticed of each entry of an archive: what must not be there, what must, and the manifests.
import { posix } from 'node:path'
import { type Entry, HEAD, isArchive, type Visit } from './entries.ts'
import { hasWildcard, includes, matcherOf, pathOf } from './glob.ts'
import { type Manifest, manifestName } from './manifest.ts'

/** What may be wrong with entries, as it follows their names in a message. */
export const ERRORS = {
  encrypted: 'encrypted, and buyers have no password',
  outside: 'which leads out of the folder that it is unpacked to',
  twice: 'more than once, and programs differ in which one they take',
  forbidden: 'which a line of `contents` with "!" excludes',
  secret: 'which often contains passwords',
  git: 'the history of the sources',
  token: 'with a token of npm',
  key: 'with a private key',
  nested: 'and nothing else: buyers would get an archive in an archive'
} as const

export const WARNINGS = {
  junk: 'left there by an operating system, and of no use to buyers',
  modules: 'packages that are installed for development'
} as const

export type Kind = keyof typeof ERRORS | keyof typeof WARNINGS

/** Names of entries, ten at most, and how many there are. */
export interface Found {
  readonly names: readonly string[]
  readonly count: number
}

/** All that was noticed. */
export interface Noticed {
  readonly found: ReadonlyMap<Kind, Found>
  /** Lines of `contents` that no file matches. */
  readonly missing: readonly string[]
  readonly manifests: readonly Manifest[]
  readonly files: number
  /** In bytes. */
  readonly unpacked: number
  readonly packed: number
  /** Names at the top, folders with a slash; eleven at most. */
  readonly top: readonly string[]
  /** Whether the walk was stopped, since there is too much to look at. */
  readonly stopped: boolean
}

/** Limits of what is looked at. */
const ENTRIES = 200_000
const NAMES = 12 * 1024 * 1024
const READ = 1000
const MANIFESTS = 100
const SHOWN = 10

const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|eot|mp[34]|ogg|wav|webm|class|dll|so|exe)$/i
const KEY_FILE = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk|npmrc))$/i
const ENVIRONMENT = /^\.env(?:\.(?!(?:.*\.)?(?:example|sample|template|dist)$).+)?$/i
const NPM_TOKEN = /^[^#;\n]*_(?:authToken|auth|password)\s*=\s*(?!\$\{)\S/m
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----\s*$/m
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/
/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i

/** Takes note of entries, with the lines of `contents` as rules of one's own. */
export async function openNotes(
  contents: readonly string[]
): Promise<{ readonly visit: Visit; end(): Noticed }> {
  const rules = await openRules(contents)
  const { found, note } = openFound()
  const { read, manifests } = openReading(rules, note)
  const paths = new Set<string>()
  const sums = { files: 0, unpacked: 0, packed: 0 }
  let [entries, names] = [0, 0]
  const isTooMuch = () => entries > ENTRIES || names > NAMES
  const visit: Visit = entry => {
    entries++
    names += entry.name.length
    if (isTooMuch()) return 'stop'
    if (leadsOut('', entry.name)) note('outside', entry.name)
    if (entry.kind === 'folder') return undefined
    const path = plainPath(entry.name)
    sums.files++
    sums.unpacked += entry.size
    sums.packed += entry.packed
    if (paths.has(path)) note('twice', path)
    if (entry.encrypted) note('encrypted', path)
    if (rules.forbid(path)) note('forbidden', path)
    for (const kind of kindsOf(path)) if (!rules.name(path)) note(kind, path)
    paths.add(path)
    return read(entry, path)
  }
  const end = (): Noticed => {
    const all = [...paths]
    const [only = ''] = all
    if (sums.files === 1 && isArchive(only) && !rules.name(only)) note('nested', only)
    const isLoose = all.some(path => !path.includes('/') && !DOCUMENT.test(path))
    const isOwn = ({ path }: Manifest) => !isLoose || manifestName(path) === path
    const top = [...new Set(all.map(path => path.replace(/\/.*$/, '/')))].slice(0, SHOWN + 1)
    return {
      ...{ found, ...sums, top, stopped: isTooMuch(), missing: rules.missing() },
      manifests: manifests.filter(isOwn)
    }
  }
  return { visit, end }
}

type Note = (kind: Kind, name: string) => void

/** What has to be read: where links lead, manifests, and small files that may hold a key or a token. */
function openReading(rules: { name(path: string): boolean }, note: Note) {
  const manifests: Manifest[] = []
  let count = 0
  const readLink = (path: string, target: string) => {
    if (leadsOut(path, target)) note('outside', path)
  }
  const readSecrets = (path: string, text: string) => {
    if (rules.name(path)) return
    if (PRIVATE_KEY.test(text)) note('key', path)
    if (path.endsWith('.npmrc') && NPM_TOKEN.test(text)) note('token', path)
  }
  const read = ({ kind, size, encrypted, target }: Entry, path: string) => {
    if (target !== undefined) return void readLink(path, target)
    if (kind === 'link') return (content: Buffer) => readLink(path, content.toString())
    const isManifest = manifestName(path) !== undefined && manifests.length < MANIFESTS
    const isShort = size > 0 && size <= HEAD
    const isLikely = KEY_FILE.test(path) || (count < READ && !MEDIA.test(path))
    if (encrypted || (!isManifest && !(isShort && isLikely))) return undefined
    count++
    return (content: Buffer) => {
      const text = content.toString()
      if (isManifest) manifests.push({ path, text })
      if (isShort) readSecrets(path, text)
    }
  }
  return { read, manifests }
}

function openFound() {
  const found = new Map<Kind, { names: string[]; count: number }>()
  const note: Note = (kind, name) => {
    const known = found.get(kind) ?? { names: [], count: 0 }
    if (known.count < SHOWN) known.names.push(name)
    known.count++
    found.set(kind, known)
  }
  return { found, note }
}

/** The lines of `contents`; each counts for a file, or for all that is in a folder. */
async function openRules(lines: readonly string[]) {
  const rules = await Promise.all(
    lines.map(async line => {
      const path = pathOf(line).replace(/\/+$/, '')
      const [itself, below] = await Promise.all([matcherOf([path]), matcherOf([`${path}/**`])])
      const isPlain = includes(line) && !hasWildcard(posix.basename(path))
      return { line, isPlain, matches: (name: string) => itself(name) || below(name) }
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

function kindsOf(path: string): Kind[] {
  if (!/\.env|\.git\/|node_modules\/|__MACOSX\/|\.DS_Store|Thumbs\.db/i.test(path)) return []
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return [
    ...(ENVIRONMENT.test(name) ? (['secret'] as const) : []),
    ...(folders.includes('.git') ? (['git'] as const) : []),
    ...(JUNK.test(path) ? (['junk'] as const) : []),
    ...(folders.includes('node_modules') ? (['modules'] as const) : [])
  ]
}

/** With slashes, without what means nothing, such as `./`. */
function plainPath(name: string): string {
  if (!/\\|(?:^|\/)\.?\//.test(name)) return name
  return name.replaceAll('\\', '/').replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

/** Whether a path, seen from an entry, leaves the folder that all is unpacked to. */
function leadsOut(from: string, path: string): boolean {
  if (/^[\\/]|^[a-z]:/i.test(path)) return true
  const target = path.replaceAll('\\', '/')
  const climbs = from === '' ? target : posix.normalize(posix.join(posix.dirname(from), target))
  return climbs.includes('..') && climbs.split('/').includes('..')
}
