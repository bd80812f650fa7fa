// One upload as the sink sees it: counted, and where that is asked for, the file in it digested.
import { createHash } from 'node:crypto'

/** An upload that has arrived whole. */
export interface Received {
  /** Of the body, as counted; the header announced as many. */
  readonly bytes: number
  /** Of the file in it, where it was asked for. */
  readonly sha256?: string
}

export interface Request {
  /** Takes what came; the memory may be used again. */
  take(bytes: Buffer): void
}

export interface Events {
  /** The client waits for this before it sends the body. */
  wanted(): void
  done(received: Received): void
}

/** Starts reading a request; `fileSize` above 0 asks for the digest of a file of that size. */
export function startRequest(fileSize: number, events: Events): Request {
  let head = ''
  let announced = -1
  let bytes = 0
  let file: FileDigest | undefined
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    file?.take(chunk)
    if (bytes === announced) events.done({ bytes, ...(file ? { sha256: file.end() } : {}) })
    if (bytes > announced) throw new Error(`${bytes - announced} bytes too many`)
  }
  return {
    take: chunk => {
      if (announced >= 0) {
        count(chunk)
        return
      }
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const body = Buffer.from(head.slice(end + 4), 'latin1')
      announced = Number(/^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1])
      if (Number.isNaN(announced)) throw new Error('no Content-Length')
      const isJson = /^content-type: *application\/json/im.test(head.slice(0, end))
      if (fileSize > 0) file = isJson ? digestBase64(fileSize) : digestPart(fileSize)
      if (/^expect:/im.test(head.slice(0, end))) events.wanted()
      count(body)
    }
  }
}

interface FileDigest {
  take(bytes: Buffer): void
  end(): string
}

function digestPart(size: number): FileDigest {
  const hash = createHash('sha256')
  const cut = cutOut(/filename="[^\r]*\r\n(?:[^\r]+\r\n)*\r\n/, size)
  return { take: bytes => hash.update(cut(bytes)), end: () => hash.digest('hex') }
}

function digestBase64(size: number): FileDigest {
  const hash = createHash('sha256')
  const cut = cutOut(/"content": *"/, Math.ceil(size / 3) * 4)
  let rest = ''
  return {
    take: bytes => {
      const text = rest + cut(bytes).toString('latin1')
      const whole = text.length - (text.length % 4)
      hash.update(text.slice(0, whole), 'base64')
      rest = text.slice(whole)
    },
    end: () => hash.digest('hex')
  }
}

/** Of a stream of chunks, the so many bytes that follow the first match. */
function cutOut(start: RegExp, size: number): (bytes: Buffer) => Buffer {
  let before = ''
  let left = -1
  const take = (bytes: Buffer) => {
    const part = bytes.subarray(0, left)
    left -= part.length
    return part
  }
  return bytes => {
    if (left >= 0) return take(bytes)
    before += bytes.toString('latin1')
    const match = start.exec(before)
    if (!match) return Buffer.alloc(0)
    left = size
    return take(Buffer.from(before.slice(match.index + match[0].length), 'latin1'))
  }
}
