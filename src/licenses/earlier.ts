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
  let [number, isArray, isComplete] = [0, false, false]
  const parse = (text: string): License[] => {
    const line = text.trim()
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
  for await (const lines of readLines(path)) yield lines.flatMap(parse)
  if (isArray && !isComplete) throw unusable(path, 'is cut short')
  // As NDJSON, that is a list without licenses.
  if (number === 0 && !/\.(?:ndjson|jsonl)$/i.test(path)) throw unusable(path, 'is empty')
}

/** In characters: a page has 64 MiB, and JSON may take more room when it is written anew. */
const LONGEST_LINE = 128 * 1024 * 1024

/** Yields the lines without their ends, some at a time. The last one must have an end, too. */
async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [parts, length]: [string[], number] = [[], 0]
  try {
    for await (const chunk of createReadStream(path)) {
      const lines = decoder.decode(chunk, { stream: true }).split('\n')
      const last = lines.pop() ?? ''
      if (lines.length > 0) {
        lines[0] = parts.join('') + lines[0]
        yield lines
        parts = []
        length = 0
      }
      parts.push(last)
      length += last.length
      if (length > LONGEST_LINE) throw new Error('it is not a list of this action')
    }
  } catch (error) {
    throw unusable(path, `cannot be read: ${textAt(error, 'message')}`, error)
  }
  if (length > 0) throw unusable(path, 'is cut short')
}
