// Reads an earlier list, as this action writes it: a license in each line, or all of it is refused.
import { createReadStream } from 'node:fs'
import { parseJson, textAt } from '../runner/values.ts'
import { isLicense, type License } from '../shop/licenses.ts'
import { CSV_HEAD } from './format.ts'
import { ListingError } from './pages.ts'

/** An error about the earlier list. */
export function unusable(path: string, problem: string, cause?: unknown): ListingError {
  const advice =
    'Compare with a `json` or `ndjson` list that this action wrote. To start anew, delete that file: then this list is the first.'
  return new ListingError('compare-with', `The earlier list ${path} ${problem}`, advice, cause)
}

/**
 * Yields the licenses of a JSON or NDJSON list, some at a time. Throws a `ListingError`, which quotes nothing of
 * the file.
 */
export async function* readEarlier(path: string): AsyncGenerator<readonly License[]> {
  let number = 0
  let isArray = false
  let isComplete = false
  const parse = (line: string): License[] => {
    number++
    if (number === 1 && line.replaceAll('"', '') === CSV_HEAD.replaceAll('"', '')) {
      throw unusable(path, 'is CSV, which cannot be compared')
    }
    if (number === 1 && line === '[') isArray = true
    else if (isArray && line === ']' && !isComplete) isComplete = true
    else {
      const value = isComplete ? undefined : parseJson(isArray ? line.replace(/,$/, '') : line)
      if (isLicense(value)) return [value]
      throw unusable(path, `is not a list of this action: line ${number} is no license`)
    }
    return []
  }
  for await (const lines of readLines(path)) yield lines.flatMap(line => parse(line.trim()))
  if (isArray && !isComplete) throw unusable(path, 'is cut short')
  // As NDJSON, that is a list without licenses.
  if (number === 0 && !/\.(?:ndjson|jsonl)$/i.test(path)) throw unusable(path, 'is empty')
}

/** In bytes. A long line is put together anew with each chunk, so there should not be too many. */
const READ_SIZE = 1024 * 1024
/** In characters: a page has 64 MiB, and JSON may take more room when it is written anew. */
const LONGEST_LINE = 128 * 1024 * 1024

/** Yields the lines without their ends, some at a time. The last one must have an end, too. */
async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_SIZE })) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      yield lines
      if (rest.length > LONGEST_LINE) throw new Error('it is not a list of this action')
    }
    // Throws for a character that is cut.
    rest += decoder.decode()
  } catch (error) {
    throw unusable(path, `cannot be read: ${textAt(error, 'message')}`, error)
  }
  if (rest !== '') throw unusable(path, 'is cut short')
}
