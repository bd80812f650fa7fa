/** Owns one publish request from its first byte to the answer that it deserves. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Gate } from './faults.ts'
import { checkFields, type Submission } from './fields.ts'
import {
  discardFiles,
  type Entry,
  LargeBody,
  MalformedBody,
  readJson,
  readMultipart
} from './form.ts'
import type { Exchange } from './listener.ts'
import type { Reply, Routed, Target } from './routing.ts'
import type { Spool } from './spool.ts'
import type { VersionRecord } from './versions.ts'

/** A request as it came in, whatever became of it. */
export interface ReceivedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** How much of the body was read. */
  readonly bytes: number
  /** The first MiB of the body. */
  readonly body: Buffer
  /** Whether the request arrived in full. */
  readonly completed: boolean
}

/** A request while it comes in. */
export interface Reception {
  readonly request: ReceivedRequest
  /** Whether the gate has acted: then there is nothing left to answer. */
  readonly interrupted: boolean
  /** The body; ends in an error when the connection does. */
  chunks(): AsyncGenerator<Buffer>
}

const keptBytes = 1024 * 1024

/** Watches a request come in; the gate acts once, as soon as its number of bytes was read. */
export function receive(exchange: Exchange, gate: Gate | undefined): Reception {
  const { req } = exchange
  const kept: Buffer[] = []
  let bytes = 0
  let completed = false
  let interrupted = false
  const pass = async (): Promise<void> => {
    if (gate === undefined || interrupted || bytes < gate.bytes) return
    interrupted = true
    await gate.act(exchange)
    if (exchange.socket.destroyed) throw new Error('The connection is gone')
  }
  return {
    request: {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      get bytes() {
        return bytes
      },
      get body() {
        return Buffer.concat(kept).subarray(0, keptBytes)
      },
      get completed() {
        return completed
      }
    },
    get interrupted() {
      return interrupted
    },
    async *chunks() {
      await pass()
      for await (const chunk of buffersOf(req)) {
        if (bytes < keptBytes) kept.push(chunk)
        bytes += chunk.length
        await pass()
        yield chunk
      }
      completed = req.complete
    }
  }
}

/** Takes a version in, or throws it away: whether the shelf holds it now, and its record. */
export type TakeIn = (
  target: Target,
  submission: Submission
) => { readonly stored: boolean; readonly record: VersionRecord }

/** Reads the request to its end and says what the service answers to it. */
export async function publish(
  routed: Routed,
  reception: Reception,
  spool: Spool,
  takeIn: TakeIn
): Promise<Reply> {
  if (routed.to === 'answered') {
    for await (const _ of reception.chunks());
    return routed.reply
  }
  let entries: readonly Entry[]
  try {
    entries =
      routed.to === 'json'
        ? await readJson(reception.chunks(), spool)
        : await readMultipart(reception.chunks(), routed.contentType, spool)
  } catch (error) {
    if (error instanceof MalformedBody) return { status: 400, body: { message: error.message } }
    if (error instanceof LargeBody) return { status: 413, body: { message: error.message } }
    throw error
  }
  const checked = checkFields(entries)
  if (checked.ok) {
    const { stored, record } = takeIn(routed.target, checked.submission)
    if (!stored) await discardFiles(entries)
    return { status: 201, body: { data: record } }
  }
  await discardFiles(entries)
  const messages = Object.values(checked.errors).flat()
  const others = messages.length - 1
  const more = others > 0 ? ` (and ${others} more error${others === 1 ? '' : 's'})` : ''
  return { status: 422, body: { message: `${messages[0]}${more}`, errors: checked.errors } }
}

// Untyped in Node; without an encoding set, a request's chunks are buffers.
function buffersOf(req: IncomingMessage): AsyncIterable<Buffer> {
  return req
}
