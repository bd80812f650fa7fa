// The inputs of the licenses action, read once.
import { join, resolve } from 'node:path'
import { explainComplaints, findUndeclared, readTable, type Values } from '../runner/inputs.ts'
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

/** Every input, as licenses/action.yml declares them; times become milliseconds. */
const INPUTS = {
  'base-url': parseBaseUrl,
  'api-key': (text: string) => parseSecret(required(text)),
  output: String,
  format: enumOf('json', 'ndjson', 'csv', 'none'),
  /** The only product wanted; empty for all. */
  product: String,
  'first-page': withDefault('1', parseId),
  'max-pages': optional(parseId),
  'stall-timeout': withDefault('60', parseSeconds),
  'response-timeout': withDefault('300', parseSeconds)
}

/** The inputs, parsed, and where the list goes. */
export interface ListConfig extends Values<typeof INPUTS> {
  /** Absolute; empty if no file is to be written. */
  readonly path: string
}

/** Reads every input. Throws an `ActionError` with all that is wrong. */
export function readListConfig({ input, context }: Pick<Runner, 'input' | 'context'>): ListConfig {
  const complaints = findUndeclared(context, Object.keys(INPUTS))
  const values = readTable(INPUTS, input, complaints)
  if (!values || complaints.length > 0) throw explainComplaints(complaints)

  const { output, format } = values
  const { workspace, temp } = context
  const path = output ? resolve(workspace, output) : join(temp || workspace, `licenses.${format}`)
  return { ...values, path: format === 'none' ? '' : path }
}
