// Owns how bytes from a child become lines: LF, CRLF and a lone CR end one, as .NET's StreamReader has it.
import { StringDecoder } from 'node:string_decoder'

/** Takes chunks as they come and hands on whole lines; `end` hands on an unfinished last one. */
export interface LineSplitter {
  readonly write: (chunk: Uint8Array) => void
  readonly end: () => void
}

/** Cuts text into lines; an empty piece after the last line end is no line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Cuts a stream into lines, and hands each on as soon as its end is seen. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let started = false
  let afterCarriageReturn = false

  const push = (decoded: string) => {
    let text = decoded
    if (text === '') return
    // The runner's reader swallows a byte order mark, so a command may hide behind one.
    if (!started && text.startsWith('\uFEFF')) text = text.slice(1)
    started = true
    // The CR that closed the last chunk has ended its line already: an LF now belongs to it.
    if (afterCarriageReturn && text.startsWith('\n')) text = text.slice(1)
    afterCarriageReturn = text.endsWith('\r')
    const lines = (rest + text).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }

  return {
    write: chunk => push(decoder.write(Buffer.from(chunk))),
    end: () => {
      push(decoder.end())
      if (rest !== '') onLine(rest)
      rest = ''
    }
  }
}
