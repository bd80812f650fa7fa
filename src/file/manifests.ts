// The manifests in an archive: which version each states, and whether it is the one to be published. Pure.
import { counted } from '../runner/text.ts'
import { at, parseJson } from '../runner/values.ts'
import { judgeVersion, type VersionNames } from './versions.ts'

/** A manifest that states a version. */
export interface Manifest {
  readonly path: string
  /** Whether it lies one folder down. */
  readonly inFolder: boolean
  readonly agrees: boolean
  /** What is wrong, and what to do; empty if nothing is, or in doubt. */
  readonly fault: string
}

interface Statement {
  readonly version: string
  readonly line: number
}

/** A kind of manifest: its path, at the root or one folder down, its version, and how that is written. */
interface ManifestKind {
  readonly path: RegExp
  readonly find: (text: string) => Statement | undefined
  readonly write: (version: string) => string
}

const MANIFEST_KINDS: readonly ManifestKind[] = [
  {
    path: /^(?:[^/]+\/)?(?:paper-)?plugin\.yml$/,
    find: text => findLine(text, /^version:[ \t]*(.+)$/m),
    write: version => `version: ${version}`
  },
  {
    path: /^(?:[^/]+\/)?(?:fabric\.mod|package|manifest|composer)\.json$/,
    find: findInJson,
    write: version => `"version": "${version}"`
  },
  {
    path: /^(?:[^/]+\/)?fxmanifest\.lua$/,
    find: text => findLine(text, /^[ \t]*version[ \t]*(?:\([ \t]*)?(["'].*)$/m),
    write: version => `version '${version}'`
  },
  {
    path: /^(?:[^/]+\/)?META-INF\/(?:neoforge\.)?mods\.toml$/,
    // Forge itself fills in `${file.jarVersion}`, when the game starts.
    find: text =>
      findLine(text, /^[ \t]*version[ \t]*=[ \t]*(?!.\$\{file\.jarVersion\})(["'].*)$/m),
    write: version => `version="${version}"`
  },
  {
    path: /^(?:[^/]+\/)?(?:style\.css|[^/]+\.php)$/,
    find: findInHeader,
    write: version => `Version: ${version}`
  }
]

function manifestKindOf(path: string): ManifestKind | undefined {
  // Most files have another ending, so that one look is enough.
  const isLikely = /\.(?:yml|json|lua|toml|css|php)$/.test(path)
  return isLikely ? MANIFEST_KINDS.find(kind => kind.path.test(path)) : undefined
}

/** Developers' own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/

/** What a build should have filled in: `${version}`, `@VERSION@`, `0.0.0-dev`. */
const TEMPLATE =
  /[$#%]\{|\{\{|<%|@[\w.-]+@|%[\w.-]+%|^__\w+__$|^unspecified$|^0\.0\.0-(?:dev|placeholder|snapshot|semantic)/i

/** Whether a file in an archive is a manifest, by its path. */
export function isManifest(path: string): boolean {
  return manifestKindOf(path) !== undefined
}

/** Reads and judges a manifest; undefined if it states no version. */
export function readManifest(
  path: string,
  text: string,
  versions: VersionNames
): Manifest | undefined {
  const kind = manifestKindOf(path)
  const stated = kind?.find(text.replace(/^\ufeff/, ''))
  if (!kind || !stated || stated.version === '') return undefined
  const { version, line } = stated
  const [right] = versions
  const verdict = judgeVersion(version, versions).kind
  const shown = JSON.stringify(path)
  const where = `${shown}, line ${line}, says ${JSON.stringify(version)}`
  const rightLine = `\`${kind.write(right)}\` in ${shown}`
  const other = `${where}, but the version of the tag is "${right}". Set ${rightLine} and release a new tag; if the tag has that already, build from the tag`
  const unfilled = `${where}, which the build should have filled in. Correct the build (Maven and Gradle call it resource filtering), or set ${rightLine}, and release a new tag`
  const fault = TEMPLATE.test(version) ? unfilled : verdict === 'other' ? other : ''
  const inFolder = path.replace(/META-INF\/[^/]+$/, '').includes('/')
  return { path, inFolder, agrees: verdict === 'agrees', fault }
}

/** So many manifests have a message of their own. */
const MANIFESTS_SHOWN = 10

/** A message for each manifest that disagrees, or for the first of them and how many more there are. */
export function judgeManifests(manifests: readonly Manifest[]): string[] {
  const isAgreed = manifests.some(({ agrees }) => agrees)
  const faulty = manifests.filter(
    ({ path, fault }) => fault !== '' && !(isAgreed && WEAK.test(path))
  )
  const told = faulty
    .slice(0, MANIFESTS_SHOWN)
    .map(({ fault }) => `${fault}. \`file-version: any\` turns this check off.`)
  const more = faulty.length - told.length
  return more > 0 ? [...told, `the same is true of ${counted(more, 'more manifest')}.`] : told
}

/** In characters: what follows belongs to no version. */
const LONGEST_VERSION = 255
/** In so many lines with the word "version", that of a manifest in JSON is looked for. */
const LINES = 1000

/** Where a line fits: what is in the quotes of its first group, or without quotes, what is before a `#`. */
function findLine(text: string, expression: RegExp): Statement | undefined {
  const match = expression.exec(text)
  if (!match) return undefined
  const [, found = ''] = match
  const [, inQuotes, plain = ''] = /^(?:["']([^"']*)["']|([^#]*))/.exec(found) ?? []
  const version = (inQuotes ?? plain).slice(0, LONGEST_VERSION).trim()
  return { version, line: lineNumberAt(text, match.index) }
}

function lineNumberAt(text: string, position: number): number {
  let line = 1
  for (let at = 0; at < position; at++) {
    const ends = text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')
    if (ends) line++
  }
  return line
}

/** `version` at the top, or in a Minecraft pack's `header`, there as `[1, 4, 2]`. */
function findInJson(text: string): Statement | undefined {
  const json = parseJson(text)
  const given = at(json, 'version') ?? at(at(json, 'header'), 'version')
  // A member that is an object may have no text at all: `{"toString": 1}`.
  const isList = Array.isArray(given) && given.every(part => typeof part !== 'object')
  if (typeof given !== 'string' && !isList) return undefined
  const version = [given].flat().join('.').slice(0, LONGEST_VERSION)
  const lines = [...text.matchAll(/^.*\bversion\b.*$/gim).take(LINES)]
  const found = lines.find(([line]) => line.includes(version)) ?? lines[0]
  return { version, line: found ? lineNumberAt(text, found.index) : 0 }
}

const NAME_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*(?:Plugin|Theme) Name:(.)/im
const VERSION_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*Version:(.*?)(?:\*\/|\?>|$)/im

/** WordPress reads the headers of plugins and themes like this, from their first 8 KiB. */
function findInHeader(text: string): Statement | undefined {
  const head = text.slice(0, 8 * 1024)
  return findLine(head, NAME_FIELD) && findLine(head, VERSION_FIELD)
}
