// Owns the independent reader of bodies: busboy and JSON.parse, and nothing of ours.
import busboy from 'busboy'
import fc from 'fast-check'
import type { Content, FileReading } from '../../src/shop/body.ts'

/** Any text: controls, quotes, emoji, what looks like headers; well-formed, since UTF-8 holds nothing else. */
export const text = fc.string({ unit: 'binary', maxLength: 40 }).map(made => made.toWellFormed())

/** Any name that may be sent: no controls, no line separators, no quote, no backslash. */
export const fileName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .map(made => made.toWellFormed().replaceAll('/', ''))
  .filter(made => made !== '' && !/["\\\p{Cc}\u2028\u2029]/u.test(made))

/** One reading, in chunks of that size whose memory is used again for the next but one. */
export function readingOf(name: string, content: Uint8Array, chunk: number): FileReading {
  const buffers = [Buffer.alloc(chunk), Buffer.alloc(chunk)]
  return {
    name,
    size: content.length,
    async *chunks() {
      for (let at = 0, turn = 0; at < content.length; at += chunk, turn = 1 - turn) {
        const buffer = buffers[turn] ?? Buffer.alloc(0)
        const part = content.subarray(at, at + chunk)
        buffer.set(part)
        yield buffer.subarray(0, part.length)
      }
    }
  }
}

/** The head, each chunk copied as a connection would have it; then the tail. */
export async function partsOf(content: Content): Promise<{ head: Buffer; tail: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of content.head()) chunks.push(Buffer.from(chunk))
  return { head: Buffer.concat(chunks), tail: Buffer.from(content.tail()) }
}

export async function bytesOf(content: Content): Promise<Buffer> {
  const { head, tail } = await partsOf(content)
  return Buffer.concat([head, tail])
}

/** What a form holds, and whether the reader was content; what it had read before a fault is kept. */
export interface Form {
  readonly error: string | undefined
  readonly order: readonly string[]
  readonly fields: Readonly<Record<string, string>>
  readonly fileName: string | undefined
  readonly file: Buffer | undefined
}

/** Reads a form with busboy. */
export function readForm(bytes: Buffer, contentType: string): Promise<Form> {
  const order: string[] = []
  const fields: [string, string][] = []
  const chunks: Buffer[] = []
  let fileName: string | undefined
  const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' })
  return new Promise(resolve => {
    const end = (error: string | undefined) => {
      const file = fileName === undefined ? undefined : Buffer.concat(chunks)
      resolve({ error, order, fields: Object.fromEntries(fields), fileName, file })
    }
    parser.on('field', (name, value) => {
      order.push(name)
      fields.push([name, value])
    })
    parser.on('file', (name, stream, info) => {
      order.push(name)
      fileName = info.filename
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', () => undefined)
    })
    parser.on('error', error => end(error instanceof Error ? error.message : String(error)))
    parser.on('close', () => end(undefined))
    parser.end(bytes)
  })
}
