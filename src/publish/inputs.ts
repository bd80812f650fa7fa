// The publish action's inputs: raw strings in, typed values or every fault at once out.
import { type FileObjectTemplate, parseTemplate } from '../marketplace/base64.ts'
import type { PrereleasePolicy } from '../release/event.ts'
import { splitPatterns } from '../release/find.ts'
import { faultOfPattern, unknownWords } from '../release/tag.ts'

/** Every input, as `action.yml` declares them. */
export const INPUT_NAMES = [
  'base-url',
  'token',
  'product',
  'benefit',
  'file',
  'tag',
  'tag-pattern',
  'version-name',
  'title',
  'changelog',
  'prerelease',
  'upload',
  'base64-file',
  'once',
  'download-link',
  'stall-timeout',
  'response-timeout',
  'github-token'
] as const

export type InputName = (typeof INPUT_NAMES)[number]

export type Memory = 'require' | 'auto' | 'off'
export type LinkPolicy = 'show' | 'hide' | 'auto'

export interface PublishInputs {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string
  readonly token: string
  readonly product: number
  readonly benefit: number | undefined
  /** Glob patterns, templates not filled in. */
  readonly file: readonly string[]
  readonly tag: string
  readonly tagPattern: string
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly prerelease: PrereleasePolicy
  readonly upload: 'multipart' | 'base64'
  readonly base64File: FileObjectTemplate
  readonly once: Memory
  readonly downloadLink: LinkPolicy
  /** In milliseconds. */
  readonly stallTimeout: number
  readonly responseTimeout: number
  readonly githubToken: string
}

/** A wrong value, with the input that holds it. */
export interface Fault {
  readonly input: InputName
  readonly message: string
}

/** Reads every input; `faults` is empty exactly when `inputs` is there. */
export function parseInputs(raw: (name: InputName) => string): {
  readonly inputs?: PublishInputs
  readonly faults: readonly Fault[]
} {
  const faults: Fault[] = []
  const fault = (input: InputName, message: string) => {
    faults.push({ input, message: `\`${input}\` ${message}` })
  }
  /** The value of a parser that throws an `Error` about its text, or undefined with the fault noted. */
  const read = <T>(input: InputName, parse: (text: string) => T): T | undefined => {
    try {
      return parse(raw(input).trim())
    } catch (error) {
      fault(input, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  const inputs = {
    baseUrl: read('base-url', parseBaseUrl),
    token: read('token', text => parseSecret(required(text))),
    product: read('product', text => parseId(required(text))),
    benefit: read('benefit', text => (text === '' ? 0 : parseId(text))),
    file: read('file', text => parsePatterns(required(text))),
    tag: read('tag', parseTag),
    tagPattern: read('tag-pattern', parseTagPattern),
    versionName: read('version-name', text => parseText(text || '{version}')),
    title: read('title', text => parseText(text || '{name}')),
    changelog: read('changelog', text => text),
    prerelease: read('prerelease', text => oneOf(text || 'skip', ['skip', 'publish', 'only'])),
    upload: read('upload', text => oneOf(text || 'multipart', ['multipart', 'base64'])),
    base64File: read('base64-file', text => parseTemplate(text || DEFAULT_BASE64_FILE)),
    once: read('once', text => oneOf(text || 'require', ['require', 'auto', 'off'])),
    downloadLink: read('download-link', text => oneOf(text || 'auto', ['show', 'hide', 'auto'])),
    stallTimeout: read('stall-timeout', text => parseSeconds(text || '60')),
    responseTimeout: read('response-timeout', text => parseSeconds(text || '300')),
    githubToken: read('github-token', parseSecret)
  }
  if (inputs.upload === 'base64' && inputs.benefit) {
    fault(
      'upload',
      'cannot be "base64" with a `benefit`: the service documents it for products alone'
    )
  }
  return faults.length === 0 && isComplete(inputs)
    ? { inputs: { ...inputs, benefit: inputs.benefit || undefined }, faults }
    : { faults }
}

const DEFAULT_BASE64_FILE = '{"name": "{file_name}", "content": "{base64}"}'

type Parsed = { readonly [K in keyof PublishInputs]: PublishInputs[K] | undefined }

function isComplete(inputs: Parsed): inputs is PublishInputs {
  return Object.values(inputs).every(value => value !== undefined)
}

function required(text: string): string {
  if (text === '') throw new Error('is required, and is not given')
  return text
}

function parseId(text: string): number {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new Error(`is "${text}", which is not a positive integer`)
  }
  return id
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
    throw new Error(`is "${text}", which is not a number of seconds between 0 and 86400`)
  }
  return seconds * 1000
}

function oneOf<const T extends string>(text: string, values: readonly T[]): T {
  const found = values.find(value => value === text)
  if (found !== undefined) return found
  throw new Error(`is "${text}", which is none of ${values.map(value => `"${value}"`).join(', ')}`)
}

/** A credential goes into a header as it is, and is never quoted. */
function parseSecret(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text
  throw new Error(
    'holds a space, a line break or another character that no credential has; set the secret again'
  )
}

function parseText(text: string): string {
  const [word] = unknownWords(text)
  if (word === undefined) return text
  throw new Error(`holds "${word}"; it may hold {tag}, {version} and {name}`)
}

function parseTag(text: string): string {
  if (text.startsWith('refs/tags/')) {
    throw new Error(`is "${text}"; give the tag alone: "${text.slice('refs/tags/'.length)}"`)
  }
  return text
}

function parseTagPattern(text: string): string {
  const wrong = text === '' ? undefined : faultOfPattern(text)
  if (wrong !== undefined) throw new Error(`is "${text}": it ${wrong}`)
  return text
}

function parsePatterns(text: string): string[] {
  const patterns = splitPatterns(text)
  if (patterns.some(pattern => !pattern.startsWith('!'))) return patterns
  throw new Error('holds no pattern that includes a file, only comments and exclusions')
}

/** The service's address. One that may hold a credential is not quoted. */
function parseBaseUrl(text: string): string {
  required(text)
  const quotable = !/[@?#]/.test(text)
  const quote = quotable ? `is "${text}", which` : 'holds an address that'
  if (!URL.canParse(text))
    throw new Error(`${quote} is no address such as https://shop.example.com`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || !quotable) {
    throw new Error('holds a user name, a query or a fragment; give the address alone')
  }
  if (url.protocol === 'http:' ? !isLoopback(url.hostname) : url.protocol !== 'https:') {
    throw new Error(`${quote} is not https (http is accepted for loopback addresses alone)`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
