// The manifests in an archive: which version each states, and whether it is the one to be published. Pure.
import { at, parseJson } from '../runner/values.ts'
import { judgeVersion } from './versions.ts'

/** A kind of manifest: its path, at the root or one folder down, and how it states its version. */
const KINDS: readonly (readonly [path: RegExp, find: (text: string) => string])[] = [
  [
    /^(?:[^/]+\/)?(?:paper-)?plugin\.yml$/,
    text => /^version:[ \t]*(?:["']([^"'\n]*)["']|([^#\n]*))/m.exec(text)?.slice(1).join('') ?? ''
  ],
  [/^(?:[^/]+\/)?(?:fabric\.mod|package|manifest|composer)\.json$/, findInJson],
  [/^(?:[^/]+\/)?(?:style\.css|[^/]+\.php)$/, findInHeader]
]
/** Developers' own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/
/** What may lie beside the folder of the product. */
const DOCUMENT = /\.(?:txt|md|pdf|html?|rtf)$|^[^.]+$/i
/** In characters: what follows belongs to no version. */
const LONGEST_VERSION = 255

/** Whether a file in an archive may be a manifest, by its path. */
export function isManifest(path: string): boolean {
  return KINDS.some(([kind]) => kind.test(path))
}

/** A clause about each manifest that states another version, and none of those to be published. */
export function findOtherVersions(
  texts: ReadonlyMap<string, string>,
  paths: readonly string[],
  versions: readonly string[]
): string[] {
  const top = paths.map(path => path.split('/', 1)[0] ?? '')
  // If the product lies loose at the top, manifests one folder down belong to something else.
  const isLoose = paths.some(path => !path.includes('/') && !DOCUMENT.test(path))
  const isOneFolder =
    !isLoose &&
    new Set(
      top.filter(name => !DOCUMENT.test(name) || paths.some(path => path.startsWith(`${name}/`)))
    ).size === 1
  const stated = [...texts].flatMap(([path, latin]) => {
    const find = KINDS.find(([kind]) => kind.test(path))?.[1]
    if (!find || (path.includes('/') && !isOneFolder)) return []
    const text = Buffer.from(latin, 'latin1')
      .toString()
      .replace(/^\ufeff/, '')
    const version = find(text).slice(0, LONGEST_VERSION).trim()
    return version === '' ? [] : [{ path, version, kind: judgeVersion(version, versions).kind }]
  })
  const isStated = stated.some(({ kind }) => kind === 'agrees')
  return stated
    .filter(({ path, kind }) => kind === 'other' && !(isStated && WEAK.test(path)))
    .slice(0, 10)
    .map(({ path, version }) => {
      return `${JSON.stringify(path)} says ${JSON.stringify(version)}, but the tag's version is "${versions[0]}"`
    })
}

/** `version` at the top, or in a Minecraft pack's `header`, there as `[1, 4, 2]`. */
function findInJson(text: string): string {
  const json = parseJson(text)
  const given = at(json, 'version') ?? at(at(json, 'header'), 'version')
  // A member that is an object may have no text at all: `{"toString": 1}`.
  const isList = Array.isArray(given) && given.every(part => typeof part !== 'object')
  return typeof given === 'string' || isList ? [given].flat().join('.') : ''
}

/** WordPress reads the headers of plugins and themes like this, from their first 8 KiB. */
function findInHeader(text: string): string {
  const head = text.slice(0, 8 * 1024)
  if (!/^(?:[ \t]*<\?php)?[ \t/*#@]*(?:Plugin|Theme) Name:./im.test(head)) return ''
  return /^(?:[ \t]*<\?php)?[ \t/*#@]*Version:(.*?)(?:\*\/|\?>|$)/im.exec(head)?.[1] ?? ''
}
