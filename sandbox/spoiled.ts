// How an answer goes wrong: the faults that both stand-ins have.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Exchange } from './listener.ts'
import { answer, bytesOf, type Ending, headOf, type Reply, sendRaw, write } from './wire.ts'

/** How the right answer is spoiled. */
export type SpoiledAnswer =
  | { readonly kind: 'odd-answer'; readonly shape: OddShape; readonly status?: number }
  /** Followed by so many MiB of blanks, in chunks: JSON to its end. */
  | { readonly kind: 'huge-answer'; readonly mebibytes: number }
  /** `interim-answers` are 100 and 103 before it. */
  | { readonly kind: 'endless-answer' | 'gzip-answer' | 'http-1.0-answer' | 'interim-answers' }
  /** The body, or the head, one byte at a time. */
  | { readonly kind: 'trickle-answer' | 'slow-headers'; readonly everyMs: number }
  /** One of 1 MiB, or 10,000 of them. */
  | { readonly kind: 'huge-header' | 'many-headers' }
  /** A content-length that is off by so much, upwards or downwards. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** Half of the announced body. */
  | { readonly kind: 'truncated-answer'; readonly close: Ending }
  | { readonly kind: 'slow-answer'; readonly ms: number }

/** A header of 1 MiB. */
const hugeHeader = () => ({ 'x-huge': 'a'.repeat(1024 * 1024) })
const manyHeaders = () =>
  Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x-many-${index}`, '1']))

/** Sends the right answer, but spoiled. */
export async function answerSpoiled(
  fault: SpoiledAnswer,
  exchange: Exchange,
  right: Reply
): Promise<void> {
  const { res } = exchange
  const raw = sendRaw.bind(undefined, exchange, right)
  const whole = bytesOf(right.body)

  switch (fault.kind) {
    case 'odd-answer':
      return answer(exchange, {
        ...oddAnswer(fault.shape, right),
        status: fault.status ?? right.status
      })
    case 'gzip-answer': {
      const headers = { ...right.headers, 'content-encoding': 'gzip' }
      return answer(exchange, { ...right, headers, body: gzipSync(whole) })
    }
    case 'interim-answers':
      res.writeContinue()
      res.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      return answer(exchange, right)
    case 'slow-answer':
      await sleep(fault.ms, undefined, { ref: false })
      return answer(exchange, right)
    case 'huge-answer':
      return flood(exchange, right, fault.mebibytes)
    case 'endless-answer':
      return flood(exchange, right, Number.POSITIVE_INFINITY)
    case 'trickle-answer':
      return raw({ bodyEveryMs: fault.everyMs })
    case 'slow-headers':
      return raw({ headEveryMs: fault.everyMs })
    case 'http-1.0-answer':
      return raw({ version: 'HTTP/1.0' })
    case 'huge-header':
      return raw({ headers: hugeHeader() })
    case 'many-headers':
      return raw({ headers: manyHeaders() })
    case 'wrong-length':
      return raw({ headers: { 'content-length': String(whole.length + fault.by) } })
    case 'truncated-answer':
      return raw({ body: whole.subarray(0, whole.length / 2), ending: fault.close })
    default:
      return fault satisfies never
  }
}

/** Sends the right answer in chunks, and blanks after it. */
async function flood({ socket }: Exchange, right: Reply, mebibytes: number): Promise<void> {
  const chunk = (data: string) =>
    Buffer.from(`${data.length.toString(16)}\r\n${data}\r\n`, 'latin1')
  const blanks = chunk(' '.repeat(64 * 1024))

  await write(socket, headOf(right, { connection: 'close', 'transfer-encoding': 'chunked' }))
  await write(socket, chunk(bytesOf(right.body).toString('latin1')))
  // A chunk of blanks is a 16th of a MiB.
  for (let sent = 0; sent < mebibytes * 16 && !socket.destroyed; sent += 1) {
    await write(socket, blanks)
  }

  await write(socket, '0\r\n\r\n')
  socket.end()
}

type Data = Readonly<Record<string, unknown>>
type OddShape = keyof typeof SHAPES

/** A member that nests 100,000 times. */
const NESTED = `"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`
/** Members that would change all objects, if a reader took them over. */
const PROTO =
  '"__proto__":{"id":7,"state":"success","polluted":true},"constructor":{"prototype":{}}'

/** Bodies that are not as documented, made from the right one: from its record, or from its text. */
const SHAPES = {
  'broken-json': (_: Data, text: string) => text.slice(0, text.length / 2),
  html: () => '<!doctype html><title>It works</title>',
  empty: () => '',
  'no-data': (data: Data) => data,
  'data-null': () => ({ data: null }),
  'data-array': (data: Data) => ({ data: [data] }),
  'no-id': ({ id: _, ...data }: Data) => ({ data }),
  'id-string': (data: Data) => ({ data: { ...data, id: String(data.id) } }),
  'id-fraction': (data: Data) => ({ data: { ...data, id: 1.5 } }),
  nulls: (data: Data) => {
    const nulls = Object.fromEntries(Object.keys(data).map(key => [key, null]))
    return { data: { ...nulls, id: data.id } }
  },
  'extra-fields': (data: Data) => ({
    data: {
      ...data,
      status: 'live',
      links: { self: null }
    },
    meta: {}
  }),
  deep: (_: Data, text: string) => withMembers(text, NESTED),
  proto: (_: Data, text: string) => withMembers(text, PROTO)
} as const

function oddAnswer(shape: OddShape, { body, headers, status }: Reply): Reply {
  const type = shape === 'html' ? { 'content-type': 'text/html' } : {}
  const data: Data = { id: 1, ...Object(body).data }
  return {
    status,
    headers: { ...headers, ...type },
    body: SHAPES[shape](data, bytesOf(body).toString())
  }
}

/** The JSON with those members at the start of each of its objects. */
function withMembers(json: string, members: string): string {
  return json.replaceAll('{}', `{${members}}`).replace(/\{(?=")/g, `{${members},`)
}
