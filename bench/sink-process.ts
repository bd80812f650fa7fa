// The sink, as a bench holds it: where it listens, and what arrived.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { execPath } from 'node:process'
import type { Received } from './request.ts'

export interface Sink {
  readonly http: string
  readonly https: string
  /** The certificate of the latter, PEM. */
  readonly cert: string
  /** From now on, files have this size and are digested; with 0 they are counted only. */
  expect(fileSize: number): Promise<void>
  /** What has arrived since this was last asked: one upload, of at least so many bytes. Else it throws. */
  received(atLeast: number): Promise<Received>
  close(): void
}

type Message =
  | {
      readonly kind: 'ready'
      readonly http: number
      readonly https: number
      readonly cert: string
    }
  | { readonly kind: 'expecting' }
  | { readonly kind: 'received'; readonly received: Received }

/** How much may stand around the file in an upload. */
const AROUND = 64 * 1024

/** Starts the sink on an address, by a command that stands before, such as `ip netns exec NAME`. */
export async function startSink(host = '127.0.0.1', before: readonly string[] = []): Promise<Sink> {
  const [program = '', ...args] = [
    ...before,
    execPath,
    path.join(import.meta.dirname, 'sink.ts'),
    host
  ]
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ready = await next(child, 'ready')
  const arrived: Received[] = []
  child.on('message', (message: Message) => {
    if (message.kind === 'received') arrived.push(message.received)
  })
  return {
    http: `http://${host}:${ready.http}`,
    https: `https://${host}:${ready.https}`,
    cert: ready.cert,
    expect: async size => {
      child.send(size)
      await next(child, 'expecting')
    },
    received: async atLeast => {
      if (arrived.length === 0) await next(child, 'received')
      const [received, ...more] = arrived.splice(0)
      if (!received || more.length > 0) throw new Error(`${more.length + 1} uploads arrived, not 1`)
      const { bytes } = received
      if (bytes >= atLeast && bytes < atLeast + AROUND) return received
      throw new Error(`${bytes} bytes arrived for a file of ${atLeast}`)
    },
    close: () => child.disconnect()
  }
}

type MessageOf<Kind extends Message['kind']> = Extract<Message, { readonly kind: Kind }>

/** A message that is long under way when it is waited for; none for 10 s means that the sink is gone. */
async function next<Kind extends Message['kind']>(
  child: ChildProcess,
  kind: Kind
): Promise<MessageOf<Kind>> {
  const signal = AbortSignal.timeout(10_000)
  for (;;) {
    const [message]: readonly Message[] = await once(child, 'message', { signal })
    if (message && isKind(message, kind)) return message
  }
}

function isKind<Kind extends Message['kind']>(
  message: Message,
  kind: Kind
): message is MessageOf<Kind> {
  return message.kind === kind
}
