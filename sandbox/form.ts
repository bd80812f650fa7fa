/** Owns reading a publish request's body, multipart or base64 JSON, into a list of entries. */
import busboy from 'busboy'
import type { Kept, Spool } from './spool.ts'

/** One field as it was sent, before anyone asked whether it is a good one. */
export type Entry =
  | { readonly kind: 'text'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly fileName: string; readonly kept: Kept }
  | { readonly kind: 'wrong'; readonly name: string; readonly message: string }

/** A body that cannot be read as what it claims to be. */
export class MalformedBody extends Error {}

/** A body too large for this stand-in to parse in memory. */
export class LargeBody extends Error {}

const jsonLimit = 256 * 1024 * 1024
const textLimit = 64 * 1024 * 1024

/** Reads a multipart form; the files go to the spool as they come. */
export async function readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string,
  spool: Spool
): Promise<readonly Entry[]> {
  const entries: (Entry | Promise<Entry>)[] = []
  let failure: unknown
  const parser = openParser(contentType)
  parser.on('field', (name, value) => entries.push({ kind: 'text', name, value }))
  parser.on('file', (name, stream, { filename }) => {
    const entry = spool
      .keep(stream)
      .then((kept): Entry => ({ kind: 'file', name, fileName: filename ?? '', kept }))
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
    if (failure !== undefined) throw new MalformedBody('The multipart body is malformed.')
    return await Promise.all(entries)
  } catch (error) {
    parser.destroy()
    await discard(await Promise.allSettled(entries))
    throw error
  }
}

/** Throws away the files of a form that is not stored. */
export async function discardFiles(entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) if (entry.kind === 'file') await entry.kept.discard()
}

/** Reads the JSON form, with the file as `{ name, content }`, content in base64. */
export async function readJson(
  body: AsyncIterable<Buffer>,
  spool: Spool
): Promise<readonly Entry[]> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size <= jsonLimit) chunks.push(chunk)
  }
  if (size > jsonLimit) throw new LargeBody('The JSON body is too large.')
  const parsed = parseObject(Buffer.concat(chunks))
  const entries: Entry[] = []
  for (const [name, value] of Object.entries(parsed)) {
    if (value === null) continue
    if (name === 'file') entries.push(...(await readBase64(value, spool)))
    else if (typeof value === 'string') entries.push({ kind: 'text', name, value })
    else entries.push(wrong(name, `The ${name} field must be a string.`))
  }
  return entries
}

async function readBase64(file: unknown, spool: Spool): Promise<readonly Entry[]> {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    return [wrong('file', 'The file field must be an object.')]
  }
  const { name, content, ...others }: Record<string, unknown> = { ...file }
  const faults = Object.keys(others).map(key =>
    wrong(`file.${key}`, `The file.${key} field is not allowed.`)
  )
  if (typeof name !== 'string' || name.trim() === '') {
    faults.push(wrong('file.name', 'The file.name field is required.'))
  }
  const bytes = typeof content === 'string' ? decodeBase64(content) : undefined
  if (bytes === undefined) {
    faults.push(wrong('file.content', 'The file.content field must be valid base64.'))
  }
  if (faults.length > 0 || typeof name !== 'string' || bytes === undefined) return faults
  const kept = await spool.keep(one(bytes))
  return [{ kind: 'file', name: 'file', fileName: name, kept }]
}

function openParser(contentType: string): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      limits: { fieldSize: textLimit }
    })
  } catch {
    throw new MalformedBody('The multipart body has no boundary.')
  }
}

function parseObject(bytes: Buffer): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new MalformedBody('The JSON body does not parse.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new MalformedBody('The JSON body is not an object.')
}

// Buffer skips what is not base64: only what comes out the same again was strict base64.
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function wrong(name: string, message: string): Entry {
  return { kind: 'wrong', name, message }
}

async function discard(results: readonly PromiseSettledResult<Entry>[]): Promise<void> {
  await discardFiles(results.flatMap(item => (item.status === 'fulfilled' ? [item.value] : [])))
}
