// A publish request's body, multipart or base64 JSON: its fields, the rules that they keep, and the file on disk.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import busboy from 'busboy'

/** Bytes that were received in full. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** One field as it was sent, before anyone asked whether it is a good one. */
type Entry =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly fileName: string; readonly file: StoredFile }
  /** What is wrong with it ends the sentence that begins with the field's name. */
  | { readonly name: string; readonly wrong: string }

/** A publish request that keeps every rule. */
export interface Submission {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: string | null
  readonly fileName: string
  readonly file: StoredFile
}

/** A submission, or messages by field name, as the service answers them. */
export type Form = Submission | { readonly errors: Readonly<Record<string, readonly string[]>> }

/** A body that cannot be read as what it claims to be. */
export class UnreadableBody extends Error {}

const TEXT_LIMIT = 64 * 1024 * 1024

/** Reads a body to its end; the file goes to the folder as it comes, and stays there if all is good. */
export async function readForm(
  body: AsyncIterable<Buffer>,
  contentType: string,
  folder: string
): Promise<Form> {
  const stored: Promise<StoredFile>[] = []
  const keep: Keep = source => {
    const file = store(source, folder)
    stored.push(file)
    return file
  }
  const read = contentType.startsWith('application/json')
    ? readJson(body, keep)
    : readMultipart(body, contentType, keep)
  const form = await read.then(check).catch((error: unknown) => ({ errors: {}, error }))
  if ('errors' in form) {
    for (const end of await Promise.allSettled(stored)) {
      if (end.status === 'fulfilled') await rm(end.value.path)
    }
  }
  if ('error' in form) throw form.error
  return form
}

/** Stores what comes until its end. */
type Keep = (source: AsyncIterable<Buffer> | Iterable<Buffer>) => Promise<StoredFile>

async function readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string,
  keep: Keep
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const files: (() => Promise<Entry>)[] = []
  const parser = openParser(contentType)
  parser.on('field', (name, text) => entries.push({ name, text }))
  parser.on('file', (name, stream, { filename: fileName = '' }) => {
    const file = keep(stream)
    files.push(async () => ({ name, fileName, file: await file }))
  })
  const parsed = finished(parser).then(
    () => undefined,
    () => new UnreadableBody('The multipart body is malformed.')
  )
  try {
    // What comes after a fault is still read: an answer is only sure to arrive after the whole body.
    for await (const chunk of body) {
      if (parser.destroyed || parser.write(chunk)) continue
      await Promise.race([new Promise(resolve => parser.once('drain', resolve)), parsed])
    }
  } finally {
    parser.end()
  }
  const unreadable = await parsed
  if (unreadable !== undefined) throw unreadable
  for (const file of files) entries.push(await file())
  return entries
}

function openParser(contentType: string): busboy.Busboy {
  const headers = { 'content-type': contentType }
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: { fieldSize: TEXT_LIMIT } })
  } catch {
    throw new UnreadableBody('The multipart body has no boundary.')
  }
}

/** The JSON form has the file as `{ name, content }`, content in base64. */
async function readJson(body: AsyncIterable<Buffer>, keep: Keep): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const [name, value] of Object.entries(parseObject(await text(body)))) {
    if (value === null) continue
    if (name === 'file') entries.push(...(await readFile(value, keep)))
    else if (typeof value === 'string') entries.push({ name, text: value })
    else entries.push({ name, wrong: 'must be a string' })
  }
  return entries
}

function parseObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch {}
  throw new UnreadableBody('The body is no JSON object.')
}

async function readFile(given: unknown, keep: Keep): Promise<readonly Entry[]> {
  if (!isObject(given)) return [{ name: 'file', wrong: 'must be an object' }]
  const { name, content, ...others }: Record<string, unknown> = { ...given }
  const faults = Object.keys(others).map(key => ({ name: `file.${key}`, wrong: 'is not allowed' }))
  const fileName = typeof name === 'string' ? name.trim() : ''
  if (fileName === '') faults.push({ name: 'file.name', wrong: 'is required' })
  // Buffer skips what is not base64: only what comes out the same again was strict base64.
  const bytes = Buffer.from(typeof content === 'string' ? content : '', 'base64')
  if (bytes.toString('base64') !== content) {
    faults.push({ name: 'file.content', wrong: 'must be valid base64' })
  }
  return faults.length > 0 ? faults : [{ name: 'file', fileName, file: await keep([bytes]) }]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a source to its end; one that fails leaves nothing behind. */
async function store(source: Parameters<Keep>[0], folder: string): Promise<StoredFile> {
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
    await pipeline(measured, createWriteStream(path))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, size, sha256: hash.digest('hex') }
}

const FIELDS: readonly string[] = [
  ...['version_name', 'title', 'changelog', 'changelog_format', 'file']
]

/** Holds the entries against the rules, and names every field that breaks one. */
function check(entries: readonly Entry[]): Form {
  const given = Map.groupBy(entries, ({ name }) => name)
  const errors = [...new Set([...FIELDS, ...given.keys()])].flatMap(name => {
    const fault = faultOf(name, given.get(name) ?? [], [...given.keys()])
    return fault === undefined ? [] : [[name, [`The ${name} field ${fault}.`]] as const]
  })
  const file = entries.find(entry => 'file' in entry)
  if (errors.length > 0 || file === undefined) return { errors: Object.fromEntries(errors) }
  const textOf = (name: string): string | undefined => {
    const entry = given.get(name)?.[0]
    return entry !== undefined && 'text' in entry ? entry.text : undefined
  }
  return {
    versionName: textOf('version_name') ?? '',
    title: textOf('title') ?? '',
    changelog: textOf('changelog') ?? '',
    changelogFormat: textOf('changelog_format') ?? null,
    fileName: file.fileName,
    file: file.file
  }
}

/** The end of the sentence that begins with the field's name. */
function faultOf(
  name: string,
  [entry, ...others]: readonly Entry[],
  given: readonly string[]
): string | undefined {
  if (entry !== undefined && 'wrong' in entry) return entry.wrong
  if (!FIELDS.includes(name)) return 'is not allowed'
  if (others.length > 0) return 'was given more than once'
  if (name === 'file') {
    // Of an object with faults, the parts are named.
    if (entry === undefined)
      return given.some(key => key.startsWith('file.')) ? undefined : 'is required'
    if ('text' in entry) return 'must be a file'
    if (entry.file.size === 0) return 'must not be empty'
    return entry.fileName === '' ? 'must have a file name' : undefined
  }
  if (entry !== undefined && 'file' in entry) return 'must be a string'
  const { text: value = '' } = entry ?? {}
  if (name === 'changelog_format') {
    return entry === undefined || ['markdown', 'html'].includes(value)
      ? undefined
      : 'must be markdown or html'
  }
  if (value.trim() === '') return 'is required'
  const short = name === 'version_name' || name === 'title'
  return short && [...value].length > 255 ? 'must not be greater than 255 characters' : undefined
}
