// Owns which texts the runner hides, and hides them.
import { Buffer } from 'node:buffer'

/** What has to be hidden so far. */
export interface Masker {
  /** Hides the whole text and each line of it. */
  readonly add: (text: string) => void
  /** Puts `***` in place of everything hidden. */
  readonly mask: (text: string) => string
}

/** A masker that hides nothing yet. */
export function createMasker(): Masker {
  const hidden = new Set<string>()
  return {
    add: text => {
      for (const part of [text, ...text.split(/[\r\n]+/).map(line => line.trim())]) {
        for (const form of formsOf(part)) hidden.add(form)
      }
    },
    mask: text => replaceRanges(text, findRanges(text, hidden))
  }
}

/** The encodings of a value that the runner hides along with it. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const quoted = value.length > 8 && value.startsWith('"') && value.endsWith('"')
  return [
    value,
    bytes.toString('base64'),
    bytes.subarray(1).toString('base64'),
    bytes.subarray(2).toString('base64'),
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
    escapeXml(value),
    quoted ? value.slice(1, -1) : ''
  ].filter(form => form !== '')
}

const XML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '&': '&amp;'
}

function escapeXml(text: string): string {
  return text.replace(/[<>"'&]/g, character => XML[character] ?? character)
}

type Range = readonly [start: number, end: number]

function findRanges(text: string, hidden: ReadonlySet<string>): Range[] {
  const found: Range[] = []
  for (const value of hidden) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
      found.push([at, at + value.length])
    }
  }
  const merged: Range[] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) {
      merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
    } else {
      merged.push([start, end])
    }
  }
  return merged
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = ''
  let from = 0
  for (const [start, end] of ranges) {
    result += `${text.slice(from, start)}***`
    from = end
  }
  return result + text.slice(from)
}
