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
import { type Destination, FORMATS, type Folders, findDestination } from './file.ts'

export interface LicenseInputs {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly destination: Destination | 'none'
  /** The only product wanted; empty for all. */
  readonly product: string
  readonly firstPage: number
  readonly maxPages: number
  /** In milliseconds. */
  readonly stallTimeout: number
}

/** Reads every input; gives the faults, one for each that is wrong, in place of the inputs. */
export function parseInputs(
  raw: (name: string) => string,
  folders: Folders
): LicenseInputs | readonly Fault[] {
  const faults: Fault[] = []
  const read = startReading(raw, faults)
  const format = read('format', text => oneOf(text || 'json', ['none', ...FORMATS])) ?? 'json'
  const inputs = {
    baseUrl: read('base-url', parseBaseUrl),
    apiKey: read('api-key', text => parseSecret(required(text))),
    destination: read('output', text =>
      format === 'none' ? format : findDestination(text, format, folders)
    ),
    product: read('product', text => text),
    firstPage: read('first-page', text => parseId(text || '1')),
    maxPages: read('max-pages', text => (text === '' ? Infinity : parseId(text))),
    stallTimeout: read('stall-timeout', text => parseSeconds(text || '60'))
  }
  return faults.length === 0 && isComplete(inputs) ? inputs : faults
}

type Parsed = { readonly [K in keyof LicenseInputs]: LicenseInputs[K] | undefined }

function isComplete(inputs: Parsed): inputs is LicenseInputs {
  return Object.values(inputs).every(value => value !== undefined)
}
