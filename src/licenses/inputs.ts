// The licenses action's inputs: raw strings in, typed values or every problem at once out.
import {
  type Fault,
  oneOf,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  required,
  startReading
} from '../runner/values.ts'
import { FORMATS, type Format } from './export.ts'

/** Every input, as `licenses/action.yml` declares them. */
export const INPUT_NAMES = [
  'base-url',
  'api-key',
  'output',
  'format',
  'product',
  'first-page',
  'max-pages',
  'stall-timeout'
] as const

export type InputName = (typeof INPUT_NAMES)[number]

export interface LicenseInputs {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  /** As given; empty for the default. */
  readonly output: string
  readonly format: Format
  /** The only product wanted; empty for all. */
  readonly product: string
  readonly firstPage: number
  readonly maxPages: number
  /** In milliseconds. */
  readonly stallTimeout: number
}

/** The inputs, as far as they are right. */
export type Parsed = { readonly [K in keyof LicenseInputs]: LicenseInputs[K] | undefined }

/** Reads every input, and notes a fault for each that is wrong. */
export function parseInputs(raw: (name: InputName) => string): {
  readonly parsed: Parsed
  readonly faults: readonly Fault[]
} {
  const faults: Fault[] = []
  const read = startReading(raw, faults)
  const parsed = {
    baseUrl: read('base-url', parseBaseUrl),
    apiKey: read('api-key', text => parseSecret(required(text))),
    output: read('output', parsePath),
    format: read('format', text => oneOf(text || 'json', FORMATS)),
    product: read('product', text => text),
    firstPage: read('first-page', text => parseId(text || '1')),
    maxPages: read('max-pages', text => (text === '' ? Infinity : parseId(text))),
    stallTimeout: read('stall-timeout', text => parseSeconds(text || '60'))
  }
  return { parsed, faults }
}

/** Whether every input is right. */
export function isComplete(parsed: Parsed): parsed is LicenseInputs {
  return Object.values(parsed).every(value => value !== undefined)
}

function parsePath(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new Error(`${JSON.stringify(text)} has a control character in it; remove it`)
  }
  return text
}
