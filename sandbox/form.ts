// Reading a publish request's body, multipart or base64 JSON, into a list of entries; files go to disk.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'

/** Bytes that were received in full. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** One field as it was sent, before anyone asked whether it is a good one. */
export type Entry =
  | { readonly kind: 'text'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly fileName: string
      readonly file: StoredFile
    }
  /** `fault` ends the sentence that begins with the field's name. */
  | { readonly kind: 'wrong'; readonly name: string; readonly fault: string }

/** A body that cannot be read as what it claims to be. */
export class UnreadableBody extends Error {}

const TEXT_LIMIT = 64 * 1024 * 1024

/** Reads a multipart form; the files go to the folder as they come. */
export async function readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string,
  folder: string
): Promise<readonly Entry[]> {
  const entries: Promise<Entry>[] = []
  let failure: unknown
  const parser = openParser(contentType)
  parser.on('field', (name, value) =>
    entries.push(Promise.resolve({ kind: 'text', name, value } as const))
  )
  parser.on('file', (name, stream, { filename: fileName = '' }) => {
    const entry = store(stream, folder).then(
      file => ({ kind: 'file', name, fileName, file }) as const
    )
    entry.catch(() => {})
    entries.push(entry)
  })
  parser.on('error', error => {
    failure ??= error
  })
  const settled = new Promise<void>(resolve => parser.once('close', () => resolve()))
  try {
    // What comes after a fault is still read: an answer is only sure to arrive after the whole body.
    for await (const chunk of body) {
      if (failure !== undefined || parser.write(chunk)) continue
      await Promise.race([new Promise<void>(resolve => parser.once('drain', resolve)), settled])
    }
    if (failure === undefined) parser.end()
    await settled
    if (failure !== undefined) throw new UnreadableBody('The multipart body is malformed.')
    return await Promise.all(entries)
  } catch (error) {
    parser.destroy()
    const ends = await Promise.allSettled(entries)
    await discardFiles(ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : [])))
    throw error
  }
}

function openParser(contentType: string): busboy.Busboy {
  const headers = { 'content-type': contentType }
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: { fieldSize: TEXT_LIMIT } })
  } catch {
    throw new UnreadableBody('The multipart body has no boundary.')
  }
}

/** Throws away the files of a form that is not stored. */
export async function discardFiles(entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) if (entry.kind === 'file') await rm(entry.file.path, { force: true })
}

/** Reads the JSON form, with the file as `{ name, content }`, content in base64. */
export async function readJson(
  body: AsyncIterable<Buffer>,
  folder: string
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const [name, value] of Object.entries(parseObject(await buffer(body)))) {
    if (value === null) continue
    if (name === 'file') entries.push(...(await readBase64(value, folder)))
    else if (typeof value === 'string') entries.push({ kind: 'text', name, value })
    else entries.push(wrong(name, 'must be a string'))
  }
  return entries
}

async function readBase64(given: unknown, folder: string): Promise<readonly Entry[]> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [wrong('file', 'must be an object')]
  }
  const { name, content, ...others }: Record<string, unknown> = { ...given }
  const faults = Object.keys(others).map(key => wrong(`file.${key}`, 'is not allowed'))
  const fileName = typeof name === 'string' ? name.trim() : ''
  const bytes = typeof content === 'string' ? decodeBase64(content) : undefined
  if (fileName === '') faults.push(wrong('file.name', 'is required'))
  if (bytes === undefined) faults.push(wrong('file.content', 'must be valid base64'))
  if (faults.length > 0 || bytes === undefined) return faults
  return [{ kind: 'file', name: 'file', fileName, file: await store([bytes], folder) }]
}

function parseObject(bytes: Buffer): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new UnreadableBody('The JSON body does not parse.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UnreadableBody('The JSON body is not an object.')
}

// Buffer skips what is not base64: only what comes out the same again was strict base64.
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

function wrong(name: string, fault: string): Entry {
  return { kind: 'wrong', name, fault }
}

/** Reads a source to its end; one that fails leaves nothing behind. */
async function store(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  folder: string
): Promise<StoredFile> {
  const path = join(folder, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(measured(), createWriteStream(path))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, size, sha256: hash.digest('hex') }
}
