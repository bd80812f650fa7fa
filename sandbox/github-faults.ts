// The ways in which the stand-in for GitHub misbehaves, and which request each one hits.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, gone } from './listener.ts'
import {
  answer,
  bytesOf,
  HUGE_HEADER,
  MANY_HEADERS,
  type RawOptions,
  type Reply,
  sendRaw,
  textOf,
  write
} from './wire.ts'

/** Which request a fault hits; what is left out fits all. */
export interface Matcher {
  readonly method?: string
  /** Against the path below the base path, with the query. */
  readonly path?: RegExp
  /** The first that fits when left out. */
  readonly nth?: number
}

/** What happens instead of an answer; `processed` says whether the request has its effect. */
export type GitHubFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly processed?: boolean
    }
  /** 403 with `retry-after`, in seconds. */
  | { readonly kind: 'secondary-limit'; readonly retryAfter: number }
  | { readonly kind: 'silence'; readonly processed?: boolean }
  | { readonly kind: 'reset-before-processing' }
  /** The effect is kept, the answer is lost. */
  | { readonly kind: 'reset-after-processing' }
  | { readonly kind: 'html'; readonly status?: number; readonly processed?: boolean }
  /** The right answer, cut off in the middle. */
  | { readonly kind: 'broken-json' }
  /** The right answer, late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The right answer, its head one byte at a time. */
  | { readonly kind: 'slow-headers'; readonly everyMs: number }
  /** The right answer, its body one byte at a time. */
  | { readonly kind: 'trickle'; readonly everyMs: number }
  | { readonly kind: 'huge-header' }
  | { readonly kind: 'many-headers' }
  /** The right answer, followed by blanks that never end. */
  | { readonly kind: 'endless' }
  /** A content-length that is off by so much, upwards or downwards. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The right answer, with something in each object that is nested 100,000 times. */
  | { readonly kind: 'deep'; readonly status?: number }
  /** The right answer, with `__proto__` and `constructor` as keys of each object. */
  | { readonly kind: 'proto' }
  /** The right answer, which says that there is a next page, whichever page it is. */
  | { readonly kind: 'endless-pages' }
  /** Runs before the request is processed: for what others do in the meantime. */
  | { readonly kind: 'meanwhile'; readonly run: () => void }

export type Misbehaviour = GitHubFault & { readonly on?: Matcher }

/** Makes an empty list of faults. */
export function listGitHubFaults() {
  const waiting: { readonly it: Misbehaviour; left: number }[] = []
  return {
    add(misbehaviours: readonly Misbehaviour[]): void {
      for (const it of misbehaviours) waiting.push({ it, left: it.on?.nth ?? 1 })
    },
    /** The fault for this request, which it uses up. */
    take(method: string, path: string): GitHubFault | undefined {
      const due = waiting.filter(({ it }) => fits(it.on ?? {}, method, path))
      for (const fault of due) fault.left -= 1
      const first = due.find(({ left }) => left <= 0)
      if (first === undefined) return undefined
      waiting.splice(waiting.indexOf(first), 1)
      return first.it
    }
  }
}

function fits({ method, path: pattern }: Matcher, asked: string, path: string): boolean {
  return (method === undefined || method === asked) && (pattern?.test(path) ?? true)
}

/**
 * Processes and answers as the fault says. `process` gives the right answer; `dressed` adds GitHub's own
 * headers to an answer.
 */
export async function disturb(
  fault: GitHubFault,
  exchange: Exchange,
  process: () => Reply,
  dressed: (reply: Reply) => Reply
): Promise<void> {
  const send = (reply: Reply): void => answer(exchange, dressed(reply))
  const raw = (options: RawOptions) => sendRaw(exchange, dressed(process()), options)
  if ('processed' in fault && fault.processed === true) process()
  switch (fault.kind) {
    case 'status':
      return send({ body: { message: 'Server Error' }, ...fault })
    case 'secondary-limit': {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
      const body = { message, documentation_url: 'https://docs.github.com/rest' }
      return send({ status: 403, body, headers: { 'retry-after': String(fault.retryAfter) } })
    }
    case 'silence':
      return gone(exchange.socket)
    case 'reset-before-processing':
      return exchange.reset()
    case 'reset-after-processing':
      process()
      return exchange.reset()
    case 'html': {
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      const body = '<!doctype html><title>Unicorn!</title>'
      return send({ status: fault.status ?? 502, body, headers })
    }
    case 'slow': {
      const answer = process()
      return sleep(fault.ms, undefined, { ref: false }).then(() => send(answer))
    }
    case 'meanwhile':
      fault.run()
      return send(process())
    case 'slow-headers':
      return raw({ headEveryMs: fault.everyMs })
    case 'trickle':
      return raw({ bodyEveryMs: fault.everyMs })
    case 'huge-header':
      return raw({ headers: HUGE_HEADER })
    case 'many-headers':
      return raw({ headers: MANY_HEADERS })
    case 'endless':
    case 'wrong-length':
      return misframe(fault, exchange, dressed(process()))
    case 'broken-json':
    case 'deep':
    case 'proto':
    case 'endless-pages':
      return send(spoiled(fault, process()))
    default:
      return fault satisfies never
  }
}

type OfKind<Kind> = Extract<GitHubFault, { readonly kind: Kind }>

/** An answer whose length is not the one that it announces. */
async function misframe(
  fault: OfKind<'endless' | 'wrong-length'>,
  exchange: Exchange,
  right: Reply
): Promise<void> {
  const body = bytesOf(right.body)
  const isEndless = fault.kind === 'endless'
  const length = isEndless ? Number.MAX_SAFE_INTEGER : body.length + fault.by
  const headers = { 'content-length': String(length) }
  await sendRaw(exchange, right, { headers, body, ending: isEndless ? 'keep' : 'fin' })
  const { socket } = exchange
  while (isEndless && !socket.destroyed) await write(socket, ' '.repeat(64 * 1024))
}

function spoiled(
  fault: OfKind<'broken-json' | 'deep' | 'proto' | 'endless-pages'>,
  right: Reply
): Reply {
  switch (fault.kind) {
    case 'broken-json':
      return { ...right, body: textOf(right.body).slice(0, textOf(right.body).length / 2) }
    case 'deep': {
      const members = `"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`
      return { ...withMembers(right, members), status: fault.status ?? right.status }
    }
    case 'proto':
      return withMembers(
        right,
        '"__proto__":{"id":7,"state":"success"},"constructor":{"prototype":{}}'
      )
    case 'endless-pages': {
      const link = '<https://api.github.invalid/?page=2>; rel="next"'
      return { ...right, headers: { ...right.headers, link } }
    }
  }
}

const DEEP = 100_000

/** The answer with those members at the start of each of its objects. */
function withMembers(right: Reply, members: string): Reply {
  const text = textOf(right.body)
    .replaceAll('{}', `{${members}}`)
    .replace(/\{(?=")/g, `{${members},`)
  return { ...right, body: text }
}
