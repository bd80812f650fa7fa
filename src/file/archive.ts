// Whether an archive is fit to be mailed to buyers: what must not be in it, what must, and what is.
import { posix } from 'node:path'
import { sizeText } from '../runner/text.ts'
import {
  type Entry,
  isArchive,
  leadsOut,
  plainPath,
  READABLE,
  type Source,
  type Visit,
  walkEntries
} from './entries.ts'
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

interface Problem {
  readonly reason: 'bad-file' | 'file-version'
  readonly message: string
}

export interface Inspection {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Such as `2 files, 59 bytes unpacked: "gallery/"`; empty for what was not looked into. */
  readonly contents: string
}

const ADVICE = 'Leave that out of the build; what buyers should have, name in `contents`.'

/** What may be wrong with entries, as it follows their names in a message. */
const FAULTS = {
  encrypted: 'encrypted, and buyers have no password.',
  outside: 'which leads out of the folder that it is unpacked to.',
  twice: 'more than once, and programs differ in which one they take.',
  forbidden: 'which a line of `contents` with "!" excludes.',
  secret: `which often contains passwords. ${ADVICE}`,
  git: `the history of the sources. ${ADVICE}`,
  token: `with a token of npm. ${ADVICE}`,
  key: `with a private key. ${ADVICE}`,
  nested: `and nothing else: buyers would get an archive in an archive. ${ADVICE}`
} as const
const WARNINGS = {
  junk: 'left there by an operating system, and of no use to buyers.',
  modules: 'packages that are installed for development.'
} as const
type Kind = keyof typeof FAULTS | keyof typeof WARNINGS

/** Of a `.tar.gz`, so many unpacked bytes are looked at: it has no directory. */
const UNPACKED = 256 * 1024 * 1024
/** So many entries are looked at, and so many characters of their names. */
const ENTRIES = 150_000
const NAMES = 12 * 1024 * 1024
/** Keys are looked for in files up to this size, and so many; in what is a key by its name always. */
const HEAD = 64 * 1024
const READ = 1000
const MANIFESTS = 100
const SHOWN = 10
/** No data that a person makes packs so well. */
const BOMB = { unpacked: 1024 ** 3, ratio: 200 }

const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|eot|mp[34]|ogg|wav|webm|class|dll|so|exe)$/i
const KEY_FILE = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk|npmrc))$/i
const NPM_TOKEN = /^[^#;\n]*_(?:authToken|auth|password)\s*=\s*(?!\$\{)\S/m
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----\s*$/m
const NAMED = /\.env|\.git\/|__MACOSX\/|\.DS_Store$|Thumbs\.db$|node_modules\//i
const BY_NAME: readonly (readonly [Kind, RegExp])[] = [
  ['secret', /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i],
  ['git', /(?:^|\/)\.git\//],
  ['junk', /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/],
  ['modules', /(?:^|\/)node_modules\//]
]
/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i

/** Looks into a file that is an archive by its name, without unpacking it to disk. */
export async function inspectArchive(
  source: Source & { readonly name: string },
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
  const notes = openNotes(await openLines(rules.contents))
  try {
    const isWhole = await walkEntries(source, notes.visit, limit)
    return judge(file, source.size, notes.end(isWhole), rules.versions)
  } catch (error) {
    if (error instanceof FileFault) throw error
    const { message } = systemError(error)
    return fail(`cannot be read as an archive: ${message}. ${await guess(source)}`)
  }
}

type Noticed = ReturnType<ReturnType<typeof openNotes>['end']>

function judge(file: string, size: number, noticed: Noticed, versions?: Versions): Inspection {
  const { isWhole, files, unpacked, packed, found, missing, manifests } = noticed
  const tell = (texts: Readonly<Partial<Record<Kind, string>>>) =>
    [...found].flatMap(([kind, { names, count }]) =>
      texts[kind] ? [`contains ${listed(names, count)}, ${texts[kind]}`] : []
    )
  const part = isWhole ? '' : ' in the part that was looked at'
  const wrong = [
    ...(files === 0 && isWhole ? ['is an archive without a file in it.'] : []),
    ...(packed > size ? ['is not a proper archive: its entries overlap.'] : []),
    ...(unpacked > BOMB.unpacked && unpacked > BOMB.ratio * size
      ? [`says that it unpacks from ${sizeText(size)} to ${sizeText(unpacked)}.`]
      : []),
    ...tell(FAULTS),
    ...missing.map(line => `contains nothing that matches ${quoted(line)} of \`contents\`${part}.`)
  ]
  const isPart = isWhole ? [] : ['is too large to be looked through: only a part of it was.']
  const others = versions === undefined ? [] : judgeManifests(manifests, versions)
  const advice =
    'Build it from the tag that is published; `file-version: any` turns this check off.'
  return {
    problems: [
      ...wrong.map((text): Problem => ({ reason: 'bad-file', message: `${file} ${text}` })),
      ...others.map((text): Problem => {
        return { reason: 'file-version', message: `in ${file}, ${text}. ${advice}` }
      })
    ],
    warnings: [...isPart, ...tell(WARNINGS)].map(text => `${file} ${text}`),
    contents: describe(noticed)
  }
}

function describe({ isWhole, files, unpacked, top }: Noticed): string {
  const count = `${isWhole ? '' : 'at least '}${files} ${files === 1 ? 'file' : 'files'}`
  const names = [...top].slice(0, SHOWN).map(quoted).join(', ')
  return `${count}, ${sizeText(unpacked)} unpacked: ${names}${top.size > SHOWN ? ', …' : ''}`
}

type Note = (kind: Kind, name: string) => void

/** Takes note of entries. */
function openNotes(rules: Awaited<ReturnType<typeof openLines>>) {
  const found = new Map<Kind, { names: string[]; count: number }>()
  const note: Note = (kind, name) => {
    const { names, count } = found.get(kind) ?? { names: [], count: 0 }
    found.set(kind, { names: count < SHOWN ? [...names, name] : names, count: count + 1 })
  }
  const { read, manifests } = openReading(rules, note)
  const [paths, top] = [new Set<string>(), new Set<string>()]
  const sums = { files: 0, unpacked: 0, packed: 0 }
  let [entries, characters, isLoose] = [0, 0, false]
  const isTooMuch = () => entries > ENTRIES || characters > NAMES
  const visit: Visit = entry => {
    entries++
    characters += entry.name.length
    if (isTooMuch()) return 'stop'
    if (leadsOut('', entry.name)) note('outside', entry.name)
    if (entry.kind === 'folder') return undefined
    const path = plainPath(entry.name)
    const slash = path.indexOf('/')
    sums.files++
    sums.unpacked += entry.size
    sums.packed += entry.packed
    if (paths.has(path)) note('twice', path)
    if (entry.encrypted) note('encrypted', path)
    if (rules.forbid(path)) note('forbidden', path)
    if (NAMED.test(path) && !rules.name(path)) {
      for (const [kind, sign] of BY_NAME) if (sign.test(path)) note(kind, path)
    }
    if (top.size <= SHOWN) top.add(slash < 0 ? path : path.slice(0, slash + 1))
    isLoose ||= slash < 0 && !DOCUMENT.test(path)
    paths.add(path)
    return read(entry, path)
  }
  const end = (isWhole: boolean) => {
    const [only = ''] = paths
    if (sums.files === 1 && isArchive(only) && !rules.name(only)) note('nested', only)
    // Where the product lies loose at the top, what is a folder down is another's.
    const own = manifests.filter(({ path }) => !isLoose || manifestName(path) === path)
    const missing = rules.missing()
    return { ...sums, found, top, missing, manifests: own, isWhole: isWhole && !isTooMuch() }
  }
  return { visit, end }
}

/** What has to be read: where links lead, manifests, and small files that may hold a key or a token. */
function openReading(rules: { name(path: string): boolean }, note: Note) {
  const manifests: Manifest[] = []
  let count = 0
  const read = ({ kind, size, packed, encrypted }: Entry, path: string) => {
    if (Math.max(size, packed) > READABLE || encrypted) return undefined
    if (kind === 'link') {
      return (target: Buffer) => leadsOut(path, target.toString()) && note('outside', path)
    }
    const isManifest = manifests.length < MANIFESTS && manifestName(path) !== undefined
    const isShort = size > 0 && size <= HEAD
    const isLikely = isShort && ((count < READ && !MEDIA.test(path)) || KEY_FILE.test(path))
    if (!isManifest && !isLikely) return undefined
    count++
    return (content: Buffer) => {
      const text = content.subarray(0, HEAD).toString()
      if (isManifest) manifests.push({ path, text })
      if (!isShort || rules.name(path)) return
      if (PRIVATE_KEY.test(text)) note('key', path)
      if (path.endsWith('.npmrc') && NPM_TOKEN.test(text)) note('token', path)
    }
  }
  return { read, manifests }
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

/** What the file is instead. */
async function guess(source: Source): Promise<string> {
  const head = (await source.readAt(0, Math.min(source.size, 512))).toString('latin1')
  if (/^\s*(?:<!doctype html|<html|<\?xml|<head)/i.test(head)) {
    return 'It is a web page: look at the step that downloads it, and at what that address answers.'
  }
  if (/^\s*[[{]/.test(head)) return 'It looks like JSON: look at the step that downloads it.'
  return 'Look at the step that builds or downloads it.'
}
