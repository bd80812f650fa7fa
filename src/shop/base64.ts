// Base64 of a stream, and the template of the JSON object that carries it.

/** `base64-file`, parsed: the object's JSON before and after the place of the base64 text. */
export interface FileObjectTemplate {
  readonly before: string
  readonly after: string
}

const NAME = '{file_name}'
const CONTENT = '{base64}'

/**
 * Parses the input `base64-file`. Throws an `Error` that says what is wrong unless it is a JSON object
 * that holds `{base64}` exactly once, and any number of `{file_name}`, in its string values.
 */
export function parseTemplate(text: string): FileObjectTemplate {
  const value = parseObject(text)
  if (keys(value).some(key => key.includes(NAME) || key.includes(CONTENT))) {
    throw new Error(`has ${NAME} or ${CONTENT} in a key; they belong in string values`)
  }
  // Neither placeholder has a character that JSON escapes, so both stand in the JSON text as they are.
  const parts = JSON.stringify(value).split(CONTENT)
  const [before = '', after = ''] = parts
  if (parts.length !== 2) {
    throw new Error(`contains ${CONTENT} ${parts.length - 1} times, not once`)
  }
  return { before, after }
}

/** The template with the file's name put in. */
export function fillTemplate(template: FileObjectTemplate, fileName: string): FileObjectTemplate {
  const name = JSON.stringify(fileName).slice(1, -1)
  const put = (part: string) => part.replaceAll(NAME, () => name)
  return { before: put(template.before), after: put(template.after) }
}

function parseObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`is not JSON (${reason})`, { cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error('is not a JSON object')
}

function keys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(keys)]
}

/** How many characters the base64 form of so many bytes has, padding included. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** Bytes, in threes: what is longer becomes a text so large that the heap treats it apart, and is slow. */
const SLICE = 24 * 1024

/**
 * The base64 text of the chunks, as one stream of ASCII bytes with padding at the end alone. A chunk's
 * memory is used again once the next is asked for.
 */
export async function* encodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let out: Buffer = Buffer.alloc(0)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const start = rest.length === 0 ? 0 : Math.min(3 - rest.length, chunk.length)
    const seam = Buffer.concat([rest, chunk.subarray(0, start)])
    if (seam.length % 3 !== 0) {
      rest = seam
      continue
    }
    const end = chunk.length - ((chunk.length - start) % 3)
    // A copy: the reader may use the chunk's memory again.
    rest = Buffer.from(chunk.subarray(end))
    const length = base64Length(seam.length + end - start)
    if (length === 0) continue
    if (out.length < length) out = Buffer.allocUnsafe(length)
    let at = out.write(seam.toString('base64'), 'latin1')
    for (let from = start; from < end; from += SLICE) {
      at += out.write(chunk.toString('base64', from, Math.min(from + SLICE, end)), at, 'latin1')
    }
    yield out.subarray(0, length)
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}
