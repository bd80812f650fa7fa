// Fields and a file as a streaming request body whose length is known and whose tail is held back.
// The tail is the file's last byte or more, the required field `version_name`, and the end of the body.
// Without it, a service that acts on a fragment has an unfinished file and lacks a required field.
import { randomBytes } from 'node:crypto'
import { isObject } from '../runner/json.ts'
import { FILE_FIELD, TEXT_FIELDS, type VersionFields } from './form.ts'
import type { TypedBody } from './request.ts'

/** One reading of the whole file. */
export interface FileReading {
  readonly name: string
  /** In bytes, at least 1. */
  readonly size: number
  /** Yields that many bytes, or throws. */
  chunks(): AsyncIterable<Buffer>
}

/** A field of the form with its value. */
interface NamedValue {
  readonly name: string
  readonly value: string
}

/** The values that are sent before or after the file, in their order. */
function valuesOf(version: VersionFields, place: 'before file' | 'after file'): NamedValue[] {
  const fields = TEXT_FIELDS.filter(field => field.place === place)
  return fields.map(field => ({ name: field.name, value: field.value(version) }))
}

/** A `multipart/form-data` body (RFC 7578). */
export function multipart(fields: VersionFields, file: FileReading): TypedBody {
  // Unguessable: nobody checks that the texts and the file do not contain it.
  const boundary = `----publish-version-${randomBytes(24).toString('hex')}`
  const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  const field = ({ name, value }: NamedValue) => `${part(name)}\r\n\r\n${value}\r\n`

  // As browsers write it (HTML, 4.10.21.8).
  const fileName = file.name.replace(/[\r\n"]/g, encodeURIComponent)
  const fileHead = `${part(FILE_FIELD)}; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const before = valuesOf(fields, 'before file').map(field).join('') + fileHead
  const after = `\r\n${valuesOf(fields, 'after file').map(field).join('')}--${boundary}--\r\n`

  return holdTail(`multipart/form-data; boundary=${boundary}`, before, after, {
    chunks: file.chunks(),
    size: file.size,
    held: 1
  })
}

/**
 * Makes a JSON body with the file in base64.
 * @param template The object that holds the file; its `{file_name}` is filled in.
 */
export function base64Json(
  fields: VersionFields,
  file: FileReading,
  template: FileObjectTemplate
): TypedBody {
  const name = JSON.stringify(file.name).slice(1, -1)
  const named = (part: string) => part.replaceAll('{file_name}', () => name)
  const member = ({ name: key, value }: NamedValue) =>
    `${JSON.stringify(key)}:${JSON.stringify(value)}`

  const fileHead = `${JSON.stringify(FILE_FIELD)}:${named(template.before)}`
  const before = `{${[...valuesOf(fields, 'before file').map(member), fileHead].join(',')}`
  const after = `${[named(template.after), ...valuesOf(fields, 'after file').map(member)].join(',')}}`

  return holdTail('application/json', before, after, {
    chunks: encodeBase64(file.chunks()),
    size: Math.ceil(file.size / 3) * 4,
    held: 4
  })
}

/** The file as a body holds it. */
interface EncodedFile {
  readonly chunks: AsyncIterable<Buffer>
  /** In bytes. */
  readonly size: number
  /** In bytes: how much of it is held back. Its last chunk is at least as long. */
  readonly held: number
}

/** The file between two texts; its last `held` bytes, at least, go into the tail, which is complete after the head. */
function holdTail(
  contentType: string,
  before: string,
  after: string,
  file: EncodedFile
): TypedBody {
  const prefix = Buffer.from(before)
  const suffix = Buffer.from(after)
  let last: Buffer = Buffer.alloc(0)

  async function* head() {
    yield prefix
    let left = file.size
    for await (const chunk of file.chunks) {
      left -= chunk.length
      const cut = left > 0 ? chunk.length : chunk.length - file.held
      if (cut > 0) yield chunk.subarray(0, cut)
      last = chunk.subarray(cut)
    }
    if (left !== 0) throw new Error(`the file's bytes and its size differ by ${Math.abs(left)}`)
  }

  return {
    contentType,
    length: prefix.length + file.size + suffix.length,
    head,
    tail: () => Buffer.concat([last, suffix])
  }
}

/** The JSON of the file's object, before and after its base64. */
export interface FileObjectTemplate {
  readonly before: string
  readonly after: string
}

/** The JSON of `base64-file` before and after `{base64}`. Throws unless it is an object that has it once. */
export function parseTemplate(text: string): FileObjectTemplate {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`is not JSON (${cause instanceof Error ? cause.message : cause})`, { cause })
  }
  if (!isObject(value)) throw new Error(`"${text}" is not a JSON object`)

  // Neither placeholder has a character that JSON escapes, so both stand in the JSON text as they are.
  const parts = JSON.stringify(value).split('{base64}')
  const [before = '', after = ''] = parts
  if (parts.length === 2) return { before, after }
  throw new Error(`contains {base64} ${parts.length - 1} times, not once`)
}

/** A multiple of 3. Larger strings are kept apart on V8's heap, which is slow. */
const SLICE_BYTES = 24 * 1024

/** The chunks as one base64 text in ASCII bytes; asking for the next piece reuses the memory of the last. */
export async function* encodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let out: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    // A file's chunks, except the last, are multiples of 3: nothing is left over, and nothing is copied.
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.length - (bytes.length % 3)

    if (out.length < (end / 3) * 4) out = Buffer.allocUnsafe((end / 3) * 4)
    let at = 0
    for (let from = 0; from < end; from += SLICE_BYTES) {
      at += out.write(
        bytes.toString('base64', from, Math.min(from + SLICE_BYTES, end)),
        at,
        'latin1'
      )
    }

    rest = Buffer.from(bytes.subarray(end))
    if (at > 0) yield out.subarray(0, at)
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'))
}
