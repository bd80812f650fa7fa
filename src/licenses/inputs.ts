// The inputs of the licenses action: their names, their parsers, and the rules between them.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunContext } from '../runner/runner.ts'
import { addUndeclared, judgeUndeclared } from '../runner/undeclared.ts'
import {
  enumOf,
  type Fault,
  hostPathHint,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  readTable,
  required,
  type Values,
  withDefault
} from '../runner/values.ts'
import { findDestination, type ListFolders } from './file.ts'

/** The inputs of a run; times are in milliseconds. */
export type ListInputs = Values<ReturnType<typeof makeTable>>

/** Parses every input. Returns them, undefined if any is wrong; what is wrong; and what may be a misspelled one. */
export function parseListInputs(
  input: (name: string) => string,
  context: Pick<RunContext, 'workspace' | 'temp' | 'inputNames'>
) {
  const raw = (name: string) => input(name).trim()
  const table = makeTable(raw, context)
  const problems: Fault[] = []
  const values = readTable(table, raw, problems)
  const { faults, warnings } = judgeUndeclared(context.inputNames, Object.keys(table))
  const all = addUndeclared(problems, faults, raw)
  return { inputs: all.length === 0 ? values : undefined, faults: all, warnings }
}

function makeTable(raw: (name: string) => string, folders: ListFolders) {
  const format = raw('format') || 'json'
  const hasFile = format !== 'none' || raw('compare-with') !== ''
  return {
    'base-url': parseBaseUrl,
    'api-key': (text: string) => parseSecret(required(text)),
    format: enumOf('json', 'ndjson', 'csv', 'none'),
    /** Where the list goes, and beside it the changes; undefined if no file is written. */
    output: (text: string) => {
      if (format === 'none') return hasFile ? findDestination('', 'json', folders) : undefined
      return findDestination(text, format, folders)
    },
    /** The only product wanted; empty for all. */
    product: String,
    /** In days. */
    'expires-within': optional(parseDays),
    /** The absolute path of an earlier list, or where there is none yet. */
    'compare-with': optional(text => {
      if (raw('max-pages') !== '' || !['', '1'].includes(raw('first-page'))) {
        throw new Error('compares whole lists: leave out `first-page` and `max-pages`')
      }
      const hint = hostPathHint(text, folders.workspace)
      if (hint !== '') throw new Error(`"${text}" cannot be found. ${hint}`)
      const path = resolve(folders.workspace, text)
      const isReplaced = path === resolve(folders.workspace, raw('output'))
      if (isReplaced && raw('expires-within') !== '') {
        throw new Error(
          `"${text}" would be replaced by a list of only what expires soon: write that to another path`
        )
      }
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return path
      throw new Error(`"${text}" is not a file`)
    }),
    'first-page': withDefault('1', parseId),
    'max-pages': optional(parseId),
    'stall-timeout': withDefault('60', parseSeconds),
    'response-timeout': withDefault('300', parseSeconds)
  }
}

const MOST_DAYS = 36_500

function parseDays(text: string): number {
  const days = Number(text)
  if (/^[1-9]\d*$/.test(text) && days <= MOST_DAYS) return days
  throw new Error(`"${text}" is not a number of days (1 to ${MOST_DAYS})`)
}
