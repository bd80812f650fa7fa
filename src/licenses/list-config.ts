// The inputs of the licenses action, read once.
import { join, resolve } from 'node:path'
import { explainComplaints, findUndeclared, readTable } from '../runner/inputs.ts'
import {
  enumOf,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  required,
  withDefault
} from '../runner/parsers.ts'
import type { Runner } from '../runner/runner.ts'
import type { FileFormat } from './file.ts'

/** Every input, as licenses/action.yml declares them; times become milliseconds. */
const INPUTS = {
  'base-url': parseBaseUrl,
  'api-key': (text: string) => parseSecret(required(text)),
  output: String,
  format: enumOf('json', 'ndjson', 'csv', 'none'),
  product: String,
  'first-page': withDefault('1', parseId),
  'max-pages': optional(parseId),
  'stall-timeout': withDefault('60', parseSeconds),
  'response-timeout': withDefault('300', parseSeconds)
}

/** Where a list goes. */
export interface ListFile {
  /** Absolute. */
  readonly path: string
  readonly format: FileFormat
}

/** The inputs of one step, parsed, and where the list goes. */
export interface ListConfig {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Undefined if no file is to be written. */
  readonly file: ListFile | undefined
  /** The only product wanted; empty for all. */
  readonly product: string
  readonly firstPage: number
  /** Undefined to read all. */
  readonly maxPages: number | undefined
  /** In milliseconds. */
  readonly stallTimeout: number
  /** In milliseconds. */
  readonly responseTimeout: number
}

/** Reads every input. Throws an `ActionError` with all that is wrong. */
export function readListConfig({ input, context }: Pick<Runner, 'input' | 'context'>): ListConfig {
  const complaints = findUndeclared(context, Object.keys(INPUTS))
  const values = readTable(INPUTS, input, complaints)
  if (!values || complaints.length > 0) throw explainComplaints(complaints)

  const { output, format, ...others } = values
  if (format === 'none') return { ...others, file: undefined }

  const { workspace, temp } = context
  const path = output ? resolve(workspace, output) : join(temp || workspace, `licenses.${format}`)
  return { ...others, file: { path, format } }
}
