// Which version a plugin's or theme's own manifest states, and whether it is the one to be published. Pure.
import { judgeVersion, type Versions } from './versions.ts'

/** A manifest in the archive. */
export interface Manifest {
  /** Its path in the archive. */
  readonly path: string
  /** Its beginning, 64 KiB at most. */
  readonly text: string
}

/** A version as it is written, and the line it is on. */
interface Stated {
  readonly version: string
  readonly line: number
}

/** WordPress reads the headers of its plugins and themes like this, from their first 8 KiB. */
const HEADER = (name: string) => new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${name}:(.*)$`, 'im')
const HEADER_SIZE = 8 * 1024

const PLAIN = {
  yaml: /^version:[ \t]*(.+)$/m,
  lua: /^[ \t]*version[ \t]*\(?[ \t]*(["'].*)$/m,
  toml: /^[ \t]*version[ \t]*=[ \t]*(["'].*)$/m
}

/** How the version is found in a file of this name, at the root of the product. */
const READERS: readonly (readonly [RegExp, (text: string) => Stated | undefined])[] = [
  [/^(?:paper-)?plugin\.yml$/, text => stated(text, PLAIN.yaml)],
  [/^(?:fabric\.mod|package|manifest|composer)\.json$/, readJson],
  [/^fxmanifest\.lua$/, text => stated(text, PLAIN.lua)],
  [/^META-INF\/(?:neoforge\.)?mods\.toml$/, readToml],
  [/^[^/]+\.php$|^style\.css$/, readHeader]
]

/** Developers' own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/

/** What a build should have filled in. */
const TEMPLATE =
  /[$#%]\{|\{\{|<%|@[\w.-]+@|%[\w.-]+%|^__\w+__$|^unspecified$|^0\.0\.0-(?:dev|placeholder|snapshot|semantic)/i

/** The name of a manifest without the one folder that all may lie in; undefined for other files. */
export function manifestName(path: string): string | undefined {
  const inner = path.replace(/^[^/]+\//, '')
  return [path, inner].find(name => READERS.some(([names]) => names.test(name)))
}

/** What disagrees with the versions, one message each; nothing when in doubt. */
export function judgeManifests(
  manifests: readonly Manifest[],
  versions: Versions
): readonly string[] {
  const judged = manifests.flatMap(({ path, text }) => {
    const name = manifestName(path)
    const read = READERS.find(([names]) => name !== undefined && names.test(name))?.[1]
    const found = read?.(text.replace(/^\ufeff/, ''))
    if (found === undefined) return []
    const unfilled = TEMPLATE.test(found.version)
    const { kind } = judgeVersion(found.version, versions)
    return [{ path, ...found, kind: unfilled ? ('unfilled' as const) : kind }]
  })
  const isAgreed = judged.some(({ kind }) => kind === 'agrees')
  return judged.flatMap(({ path, line, version, kind }) => {
    if (isAgreed && WEAK.test(path)) return []
    const where = `${JSON.stringify(path)}, line ${line}, says ${JSON.stringify(version)}`
    if (kind === 'unfilled') return [`${where}, which the build should have filled in`]
    return kind === 'other' ? [`${where}, and the version to be published is "${versions[0]}"`] : []
  })
}

/** The first group of the expression, without quotes and what follows them, or a comment. */
function stated(text: string, expression: RegExp): Stated | undefined {
  const match = expression.exec(text)
  const [, quoted, bare] = /^(?:["']([^"']*)["']|([^#\r\n]*))/.exec(match?.[1] ?? '') ?? []
  const version = (quoted ?? bare ?? '').trim()
  return match && version !== '' ? { version, line: lineAt(text, match.index) } : undefined
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** `version` at the top, or as numbers in the header of a pack for Minecraft. */
function readJson(text: string): Stated | undefined {
  const json = parse(text)
  const version = property(json, 'version') ?? property(property(json, 'header'), 'version')
  const shown = Array.isArray(version) ? version.join('.') : version
  if (typeof shown !== 'string' || shown === '') return undefined
  const written = Array.isArray(version) ? '\\[' : `"${shown.replace(/[^\w]/g, '\\$&')}"`
  const at = text.search(new RegExp(`"version"\\s*:\\s*${written}`))
  return { version: shown, line: lineAt(text, Math.max(0, at)) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Forge fills in `${file.jarVersion}` itself, when the game starts. */
function readToml(text: string): Stated | undefined {
  const found = stated(text, PLAIN.toml)
  return found?.version === ['$', '{file.jarVersion}'].join('') ? undefined : found
}

function readHeader(text: string): Stated | undefined {
  const head = text.slice(0, HEADER_SIZE)
  if (!HEADER('(?:Plugin|Theme) Name').test(head)) return undefined
  const match = HEADER('Version').exec(head)
  const version = match?.[1]?.replace(/\*\/.*|\?>.*/, '').trim() ?? ''
  return match && version !== '' ? { version, line: lineAt(head, match.index) } : undefined
}
