// The inputs of the licenses action: their names, their parsers, and where the list goes.
import { ActionError, type Complaint } from '../runner/action-error.ts'
import { findUndeclared, readTable, type Values } from '../runner/inputs.ts'
import type { Runner } from '../runner/runner.ts'
import {
  enumOf,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  required,
  withDefault
} from '../runner/values.ts'
import { type Destination, findDestination } from './file.ts'

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

/** The inputs of a run; times are in milliseconds. `destination` is undefined if no file is written. */
export type ListInputs = Values<typeof INPUTS> & Readonly<{ destination: Destination | undefined }>

/** Reads every input. Throws an `ActionError` with all that is wrong. */
export function readListInputs({ input, context }: Pick<Runner, 'input' | 'context'>): ListInputs {
  const complaints: Complaint[] = findUndeclared(context, Object.keys(INPUTS))
  const values = readTable(INPUTS, name => input(name), complaints)
  let destination: Destination | undefined
  if (values && values.format !== 'none') {
    try {
      destination = findDestination(values.output, values.format, context)
    } catch (error) {
      complaints.push({ place: 'output', message: error instanceof Error ? error.message : '' })
    }
  }
  if (values && complaints.length === 0) return { ...values, destination }
  const [first, second] = complaints
  if (first && !second) throw new ActionError('bad-input', `${first.place}: ${first.message}.`)
  throw new ActionError('bad-input', `${complaints.length} inputs are wrong.`, { complaints })
}
