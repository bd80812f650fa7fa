// A publish request's body, multipart or base64 JSON: its fields, the rules that they keep, and the file on disk.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
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

/** One field as it was sent, before it was checked. */
interface Entry {
  readonly name: string
  readonly text?: string
  readonly fileName?: string
  readonly file?: StoredFile
  /** Ends the sentence that begins with the field's name. */
  readonly wrong?: string
}

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
type Form = Submission | { readonly errors: Readonly<Record<string, readonly string[]>> }

/** A body that cannot be read as what it claims to be. */
export class UnreadableBody extends Error {}

/** In bytes. */
const TEXT_LIMIT = 64 * 1024 * 1024

/** Reads a body to its end; the file goes to the folder as it comes. */
export async function readForm(
  body: AsyncIterable<Buffer>,
  contentType: string,
  folder: string
): Promise<Form> {
  const isJson = contentType.startsWith('application/json')
  const entries = isJson
    ? await readJson(body, folder)
    : await readMultipart(body, contentType, folder)
  return check(entries)
}

async function readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string,
  folder: string
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const files: (() => Promise<Entry>)[] = []

  const parser = openParser(contentType)
  parser.on('field', (name, text) => entries.push({ name, text }))
  parser.on('file', (name, stream, { filename: fileName = '' }) => {
    const file = store(stream, folder)
    // An error of it is thrown below, where it is awaited.
    file.catch(() => {})
    files.push(async () => ({ name, fileName, file: await file }))
  })
  const parsed = finished(parser).then(
    () => undefined,
    () => new UnreadableBody('The multipart body is malformed.')
  )

  try {
    // The rest of a malformed body is still read: an answer is only sure to arrive after the whole body.
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
async function readJson(body: AsyncIterable<Buffer>, folder: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const [name, value] of Object.entries(parseObject(await text(body)))) {
    if (value === null) continue
    if (name === 'file') entries.push(...(await readFile(value, folder)))
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

async function readFile(given: unknown, folder: string): Promise<readonly Entry[]> {
  if (!isObject(given)) return [{ name: 'file', wrong: 'must be an object' }]

  const { name, content, ...others }: Record<string, unknown> = { ...given }
  const complaints = Object.keys(others).map(key => ({
    name: `file.${key}`,
    wrong: 'is not allowed'
  }))
  const fileName = typeof name === 'string' ? name.trim() : ''
  if (fileName === '') complaints.push({ name: 'file.name', wrong: 'is required' })

  // Buffer skips all that is not base64: only a text that comes out the same again was strict base64.
  const bytes = Buffer.from(typeof content === 'string' ? content : '', 'base64')
  if (bytes.toString('base64') !== content) {
    complaints.push({ name: 'file.content', wrong: 'must be valid base64' })
  }

  if (complaints.length > 0) return complaints
  return [{ name: 'file', fileName, file: await store([bytes], folder) }]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes the bytes to a new file in the folder. */
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
  await pipeline(measured, createWriteStream(path))
  return {
    path,
    size,
    sha256: hash.digest('hex')
  }
}

/** All fields that the form may have. */
const FIELDS = ['version_name', 'title', 'changelog', 'changelog_format', 'file']

/** Checks the entries against the rules, and names every field that breaks one. */
function check(entries: readonly Entry[]): Form {
  const given = Map.groupBy(entries, ({ name }) => name)
  const names = new Set([...FIELDS, ...given.keys()])
  const errors = new Map<string, readonly string[]>()
  for (const name of names) {
    const complaint = complaintOf(name, given.get(name) ?? [], [...given.keys()])
    if (complaint !== undefined) errors.set(name, [`The ${name} field ${complaint}.`])
  }

  const { file, fileName = '' } = given.get('file')?.[0] ?? {}
  if (errors.size > 0 || file === undefined) return { errors: Object.fromEntries(errors) }

  const textOf = (name: string): string => given.get(name)?.[0]?.text ?? ''
  return {
    versionName: textOf('version_name'),
    title: textOf('title'),
    changelog: textOf('changelog'),
    changelogFormat: textOf('changelog_format') || null,
    fileName,
    file
  }
}

/** The most that a title or a version's name may have, in characters. */
const LONGEST_TITLE = 255

/** The end of the sentence that begins with the field's name; undefined for a field that keeps the rules. */
function complaintOf(
  name: string,
  [entry = { name }, ...others]: readonly Entry[],
  given: readonly string[]
): string | undefined {
  const { text, file, wrong } = entry
  if (wrong !== undefined) return wrong
  if (!FIELDS.includes(name)) return 'is not allowed'
  if (others.length > 0) return 'was given more than once'
  if (name === 'file') return complaintOfFile(entry, given)
  if (file) return 'must be a string'

  if (name === 'changelog_format') {
    const isKnown = text === undefined || text === 'markdown' || text === 'html'
    return isKnown ? undefined : 'must be markdown or html'
  }

  if (text === undefined || text.trim() === '') return 'is required'
  const isTitle = name === 'version_name' || name === 'title'
  const isTooLong = isTitle && [...text].length > LONGEST_TITLE
  return isTooLong ? `must not be greater than ${LONGEST_TITLE} characters` : undefined
}

function complaintOfFile(
  { text, file, fileName }: Entry,
  given: readonly string[]
): string | undefined {
  if (text !== undefined) return 'must be a file'
  if (file?.size === 0) return 'must not be empty'
  if (file) return fileName === '' ? 'must have a file name' : undefined
  // What is wrong with an object is said of its parts.
  return given.some(key => key.startsWith('file.')) ? undefined : 'is required'
}
