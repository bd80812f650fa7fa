// The table of the publish action's inputs: name and parser of each. Pure.
import { splitPatterns } from '../file/glob.ts'
import { faultOfPattern, unknownWords } from '../release/tag.ts'
import { oneOf, parseBaseUrl, parseId, parseSeconds, parseSecret } from '../runner/values.ts'
import { parseTemplate } from '../shop/body.ts'
import { parseApproval } from './approval.ts'

/** An input: its name in action.yml, and a parser that throws an `Error` about a wrong text. */
function input<const Name extends string, Value>(name: Name, parse: (text: string) => Value) {
  return { name, parse }
}

/** One of a few words; the first is the default. */
function word<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  return (text: string): Word => oneOf(text || words[0], words)
}

const DEFAULT_BASE64_FILE = '{"name": "{file_name}", "content": "{base64}"}'

/** The inputs of the step. */
export const STEP = {
  baseUrl: input('base-url', parseBaseUrl),
  /** Empty in a mode that needs none. */
  token: input('token', parseSecret),
  tag: input('tag', parseTag),
  tagPattern: input('tag-pattern', parseTagPattern),
  prerelease: input('prerelease', word('skip', 'publish', 'only')),
  mode: input('mode', word('publish', 'plan', 'check', 'settle', 'audit')),
  settleAs: input('settle-as', text =>
    text === '' ? text : oneOf(text, ['published', 'not-published'])
  ),
  auditSince: input('audit-since', parseTag),
  order: input('order', word('rising', 'any')),
  fileVersion: input('file-version', word('agree', 'any')),
  /** In milliseconds; 0: the attached file is not waited for. */
  assetTimeout: input('asset-timeout', text => (text === '0' ? 0 : parseSeconds(text || '60'))),
  /** Undefined when nothing has to be approved. */
  approvedPlan: input('approved-plan', parseApproval),
  base64File: input('base64-file', text => parseTemplate(text || DEFAULT_BASE64_FILE)),
  once: input('once', word('require', 'auto', 'off')),
  downloadLink: input('download-link', word('auto', 'show', 'hide')),
  /** In milliseconds. */
  stallTimeout: input('stall-timeout', text => parseSeconds(text || '60')),
  /** In milliseconds; undefined: it depends on the file. */
  responseTimeout: input('response-timeout', text =>
    text === '' ? undefined : parseSeconds(text)
  ),
  githubToken: input('github-token', parseSecret)
}

/** The inputs that each target has for itself, from the step or from an entry of `targets`. */
export const TARGET = {
  product: input('product', parseOptionalId),
  benefit: input('benefit', parseOptionalId),
  /** Glob patterns, templates not filled in; one of the two has some, but neither has to in a check. */
  file: input('file', parsePatterns),
  asset: input('asset', parsePatterns),
  /** Patterns of what the archive must contain, and with `!` of what it must not. */
  contents: input('contents', splitPatterns),
  versionName: input('version-name', text => parseTemplateText(text || '{version}')),
  title: input('title', text => parseTemplateText(text || '{name}')),
  changelog: input('changelog', text => text),
  changelogFile: input('changelog-file', text => text),
  changelogFallback: input('changelog-fallback', parseTemplateText),
  changelogFormat: input('changelog-format', word('markdown', 'html')),
  changelogLinks: input('changelog-links', word('auto', 'keep', 'expand', 'strip')),
  upload: input('upload', word('multipart', 'base64'))
}

export type Table = Readonly<
  Record<string, { readonly name: string; parse(text: string): unknown }>
>
export type Values<T extends Table> = { readonly [Key in keyof T]: ReturnType<T[Key]['parse']> }
type NameIn<T extends Table> = T[keyof T]['name']

export type TargetInputName = NameIn<typeof TARGET>
export type InputName = NameIn<typeof STEP> | TargetInputName | 'targets'

/** What an entry of `targets` may hold. */
export const TARGET_INPUT_NAMES: readonly TargetInputName[] = Object.values(TARGET).map(
  ({ name }) => name
)

/** Every input, as action.yml declares them. */
export const INPUT_NAMES: readonly InputName[] = [
  ...Object.values(STEP).map(({ name }) => name),
  ...TARGET_INPUT_NAMES,
  'targets'
]

export function isInputName(name: string): name is InputName {
  return INPUT_NAMES.some(known => known === name)
}

/** Inputs that contradict each other: of each pair only one may be given. */
export const RIVALS = [
  ['file', 'asset'],
  ['changelog', 'changelog-file']
] as const satisfies readonly (readonly [TargetInputName, TargetInputName])[]

function parseOptionalId(text: string): number | undefined {
  return text === '' ? undefined : parseId(text)
}

function parseTag(text: string): string {
  if (!text.startsWith('refs/tags/')) return text
  throw new Error(`"${text}" is a ref: give only the tag, "${text.slice('refs/tags/'.length)}"`)
}

function parseTagPattern(text: string): string {
  const wrong = text === '' ? undefined : faultOfPattern(text)
  if (wrong !== undefined) throw new Error(`"${text}" ${wrong}`)
  return text
}

function parseTemplateText(text: string): string {
  const [unknown] = unknownWords(text)
  if (unknown === undefined) return text
  throw new Error(`"${text}" contains "${unknown}"; allowed are {tag}, {version} and {name}`)
}

function parsePatterns(text: string): string[] {
  const patterns = splitPatterns(text)
  const [first = ''] = patterns
  if (text !== '' && patterns.every(pattern => pattern.startsWith('!'))) {
    throw new Error('has no pattern that includes a file, only comments and exclusions')
  }
  if (!first.startsWith('!')) return patterns
  throw new Error(
    `begins with the exclusion "${first}", which counts only for the patterns above it: move it down`
  )
}
