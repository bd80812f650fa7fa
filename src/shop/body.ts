// Fields and a file as a request body that streams, with its length known and its tail held back.
//
// The tail is the file's last byte or more, the required field `version_name`, and what closes the body.
// Without it a service that runs on a fragment has an unfinished file and lacks a required field.
import { base64Length, encodeBase64, type FileObjectTemplate, fillTemplate } from './base64.ts'

/** The texts of a version, as they are sent. */
export interface VersionFields {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
}

/** One reading of the file to send, from its first byte to its last. */
export interface FileReading {
  readonly name: string
  /** In bytes; the chunks add up to exactly this, or the iteration throws. At least 1. */
  readonly size: number
  chunks(): AsyncIterable<Buffer>
}

/** A body and what to call it; the caller adds the permission that the tail waits for. */
export interface Content {
  readonly contentType: string
  readonly length: number
  /** Everything before the tail. Iterated once. */
  head(): AsyncIterable<Uint8Array>
  /** The tail; complete once the head has been iterated to its end. */
  tail(): Uint8Array
}

/** A part's name or file name as browsers write it: line breaks and `"` percent-encoded (HTML, 4.10.21.8). */
function quote(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

/**
 * A `multipart/form-data` body (RFC 7578): title, changelog, format, file, and last the version name.
 * `boundary` must be unguessable, since nothing looks whether a text or the file holds it.
 */
export function multipart(fields: VersionFields, file: FileReading, boundary: string): Content {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`
  const prefix = Buffer.from(
    field('title', fields.title) +
      field('changelog', fields.changelog) +
      field('changelog_format', fields.changelogFormat) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quote(file.name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n'
  )
  const suffix = Buffer.from(`\r\n${field('version_name', fields.versionName)}--${boundary}--\r\n`)
  const held = holdLast(file.chunks(), file.size, 1)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: prefix.length + file.size + suffix.length,
    head: () => join(prefix, held.chunks),
    tail: () => Buffer.concat([held.last(), suffix])
  }
}

/** A JSON body with the file as base64 inside the object that the template describes. */
export function base64Json(
  fields: VersionFields,
  file: FileReading,
  template: FileObjectTemplate
): Content {
  const around = fillTemplate(template, file.name)
  const prefix = Buffer.from(
    `{"title":${JSON.stringify(fields.title)},"changelog":${JSON.stringify(fields.changelog)},` +
      `"changelog_format":${JSON.stringify(fields.changelogFormat)},"file":${around.before}`
  )
  const suffix = Buffer.from(
    `${around.after},"version_name":${JSON.stringify(fields.versionName)}}`
  )
  const size = base64Length(file.size)
  const held = holdLast(encodeBase64(file.chunks()), size, 4)
  return {
    contentType: 'application/json',
    length: prefix.length + size + suffix.length,
    head: () => join(prefix, held.chunks),
    tail: () => Buffer.concat([held.last(), suffix])
  }
}

async function* join(
  prefix: Uint8Array,
  chunks: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  yield prefix
  yield* chunks
}

/** The same chunks without the last `count` of `total` bytes, which the last chunk must hold. */
function holdLast(source: AsyncIterable<Buffer>, total: number, count: number) {
  let last: Buffer = Buffer.alloc(0)
  const chunks = (async function* () {
    let left = total
    for await (const chunk of source) {
      left -= chunk.length
      if (left > 0) {
        yield chunk
        continue
      }
      const cut = chunk.length - count
      if (cut > 0) yield chunk.subarray(0, cut)
      last = chunk.subarray(cut)
    }
    if (left !== 0) throw new Error(`the file's bytes and its size differ by ${Math.abs(left)}`)
  })()
  return { chunks, last: () => last }
}
