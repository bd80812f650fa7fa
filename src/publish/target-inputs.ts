// The inputs that each target has for itself, from the step or from an entry of `targets`.
import { splitPatterns } from '../file/glob.ts'
import { unknownWords } from '../release/tag.ts'
import { type Fault, oneOf, parseId, type Read, required } from '../runner/values.ts'
import type { InputName } from './inputs.ts'

/** What an entry of `targets` may hold. */
export const TARGET_INPUT_NAMES = [
  'product',
  'benefit',
  'file',
  'asset',
  'version-name',
  'title',
  'changelog',
  'changelog-file',
  'changelog-fallback',
  'changelog-format',
  'changelog-links',
  'upload'
] as const

export type TargetInputName = (typeof TARGET_INPUT_NAMES)[number]

export type LinkTreatment = 'keep' | 'expand' | 'strip' | 'auto'

export interface TargetInputs {
  /** Where it stands, such as `targets[2] (line 9)`; empty for the step's only target. */
  readonly place: string
  readonly product: number
  readonly benefit: number | undefined
  /** Glob patterns, templates not filled in; exactly one of the two has some, but none has in a check. */
  readonly file: readonly string[]
  readonly asset: readonly string[]
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFile: string
  readonly changelogFallback: string
  readonly changelogFormat: 'markdown' | 'html'
  readonly changelogLinks: LinkTreatment
  readonly upload: 'multipart' | 'base64'
}

/** Inputs that contradict each other: of each pair only one may be given. */
export const RIVALS = [
  ['file', 'asset'],
  ['changelog', 'changelog-file']
] as const satisfies readonly (readonly [TargetInputName, TargetInputName])[]

/** What is known of a target before its values are read. */
interface Origin {
  readonly place: string
  given(name: InputName): boolean
}

const OR_ASSET = '; give it, or `asset` for a file that is attached to the release'

/** Reads one target; undefined when something is wrong with it. */
export function parseTarget(
  read: Read<InputName>,
  { place, given }: Origin,
  needsFile: boolean,
  faults: Fault[]
): TargetInputs | undefined {
  const before = faults.length
  const at = (name: string) => (place === '' ? name : `${place}, ${name}`)
  for (const [one, other] of RIVALS) {
    if (!given(one) || !given(other)) continue
    faults.push({ place: at(one), message: `contradicts \`${other}\`: give one of the two` })
  }
  const benefit = read('benefit', text => (text === '' ? 0 : parseId(text)))
  const target = {
    product: read('product', text => parseId(required(text))),
    file: read('file', text =>
      parsePatterns(needsFile && !given('asset') ? required(text, OR_ASSET) : text)
    ),
    asset: read('asset', parsePatterns),
    versionName: read('version-name', text => parseTemplateText(text || '{version}')),
    title: read('title', text => parseTemplateText(text || '{name}')),
    changelog: read('changelog', text => text),
    changelogFile: read('changelog-file', text => text),
    changelogFallback: read('changelog-fallback', parseTemplateText),
    changelogFormat: read('changelog-format', text =>
      oneOf(text || 'markdown', ['markdown', 'html'])
    ),
    changelogLinks: read('changelog-links', text =>
      oneOf(text || 'auto', ['keep', 'expand', 'strip', 'auto'])
    ),
    upload: read('upload', text => parseUpload(text || 'multipart', benefit ?? 0))
  }
  if (faults.length > before || !isComplete(target)) return undefined
  return { ...target, place, benefit: benefit || undefined }
}

type Complete = Omit<TargetInputs, 'place' | 'benefit'>

function isComplete(
  target: { readonly [K in keyof Complete]: Complete[K] | undefined }
): target is Complete {
  return Object.values(target).every(value => value !== undefined)
}

function parseUpload(text: string, benefit: number): 'multipart' | 'base64' {
  const upload = oneOf(text, ['multipart', 'base64'])
  if (upload === 'multipart' || benefit === 0) return upload
  throw new Error(
    '"base64" cannot be used with a `benefit`: the service documents it for products alone'
  )
}

function parseTemplateText(text: string): string {
  const [word] = unknownWords(text)
  if (word === undefined) return text
  throw new Error(`"${text}" holds "${word}"; it may hold {tag}, {version} and {name}`)
}

function parsePatterns(text: string): string[] {
  const patterns = splitPatterns(text)
  const includes = patterns.some(pattern => !pattern.startsWith('!'))
  if (text !== '' && !includes) {
    throw new Error('holds no pattern that includes a file, only comments and exclusions')
  }
  const [first = ''] = patterns
  if (!first.startsWith('!')) return patterns
  throw new Error(
    `begins with the exclusion "${first}", which counts for the patterns above it alone: move it down`
  )
}
