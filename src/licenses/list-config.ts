// The inputs of the licenses action, read once.
import { join, resolve } from 'node:path'
import { explainComplaints, findUndeclared, readTable } from '../runner/inputs.ts'
import {
  enumOf,
  parseBaseUrl,
  parseSeconds,
  parseServiceSecret,
  required,
  withDefault
} from '../runner/parsers.ts'
import type { Runner } from '../runner/runner.ts'
import type { FileFormat } from './file.ts'

/** Every input, as licenses/action.yml declares them; times become milliseconds. */
const INPUTS = {
  'base-url': parseBaseUrl,
  'api-key': (text: string) => parseServiceSecret(required(text), 'api-key'),
  output: String,
  format: enumOf('json', 'csv'),
  product: String,
  'stall-timeout': withDefault('60', parseSeconds),
  'response-timeout': withDefault('300', parseSeconds)
}

/** The inputs of one step, parsed, and where the list goes. */
export interface ListConfig {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Absolute path of the file. */
  readonly path: string
  readonly format: FileFormat
  /** The only product wanted; empty for all. */
  readonly product: string
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

  const { output, ...others } = values
  const { workspace, temp } = context
  const inTemp = join(temp || workspace, `licenses.${others.format}`)
  return { ...others, path: output ? resolve(workspace, output) : inTemp }
}
