/** Owns the ways in which the stand-in for GitHub misbehaves, and which request each one hits. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, gone } from './listener.ts'
import type { ApiAnswer } from './rest.ts'
import { closing, headOf, textOf, trickle, write } from './wire.ts'

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
  | { readonly kind: 'huge-header'; readonly bytes?: number }
  | { readonly kind: 'many-headers'; readonly count?: number }
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

export interface GitHubFaults {
  add(misbehaviours: readonly Misbehaviour[]): void
  /** The fault for this request, which it uses up. */
  take(method: string, path: string): GitHubFault | undefined
}

/** Makes an empty list of faults. */
export function listGitHubFaults(): GitHubFaults {
  const waiting: { readonly it: Misbehaviour; left: number }[] = []
  return {
    add(misbehaviours) {
      for (const it of misbehaviours) waiting.push({ it, left: it.on?.nth ?? 1 })
    },
    take(method, path) {
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

/** Processes and answers as the fault says. */
export async function disturb(
  fault: GitHubFault,
  { socket, reset }: Pick<Exchange, 'socket' | 'reset'>,
  process: () => ApiAnswer,
  send: (answer: ApiAnswer) => void
): Promise<void> {
  const processed = 'processed' in fault && fault.processed === true
  if (processed || fault.kind === 'reset-after-processing') process()
  switch (fault.kind) {
    case 'status':
      return send({ body: { message: 'Server Error' }, ...fault })
    case 'secondary-limit': {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
      return send({
        status: 403,
        body: { message, documentation_url: 'https://docs.github.com/rest' },
        headers: { 'retry-after': String(fault.retryAfter) }
      })
    }
    case 'silence':
      return gone(socket)
    case 'reset-before-processing':
    case 'reset-after-processing':
      return reset()
    case 'html': {
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      const body = '<!doctype html><title>Unicorn!</title>'
      return send({ status: fault.status ?? 502, body, headers })
    }
    case 'broken-json': {
      const right = process()
      const text = JSON.stringify(right.body)
      return send({ ...right, body: text.slice(0, Math.floor(text.length / 2)) })
    }
    case 'slow': {
      const right = process()
      await sleep(fault.ms, undefined, { ref: false })
      return send(right)
    }
    case 'deep':
      return send(
        strange(
          process(),
          `"deep":${'['.repeat(deepLevels)}${']'.repeat(deepLevels)}`,
          fault.status
        )
      )
    case 'proto':
      return send(
        strange(process(), '"__proto__":{"id":7,"state":"success"},"constructor":{"prototype":{}}')
      )
    case 'endless-pages': {
      const right = process()
      const link = '<https://api.github.invalid/?page=2>; rel="next"'
      return send({ ...right, headers: { ...right.headers, link } })
    }
    case 'meanwhile':
      fault.run()
      return send(process())
    default:
      return disturbBytes(fault, socket, process())
  }
}

type ByteFault = Extract<
  GitHubFault,
  {
    readonly kind:
      | 'slow-headers'
      | 'trickle'
      | 'huge-header'
      | 'many-headers'
      | 'endless'
      | 'wrong-length'
  }
>

/** Answers past Node, which would not send such a thing. */
async function disturbBytes(fault: ByteFault, socket: Socket, right: ApiAnswer): Promise<void> {
  const body = Buffer.from(Buffer.isBuffer(right.body) ? right.body : textOf(right.body))
  const head = (headers: Readonly<Record<string, string>>, length = body.length) =>
    headOf(
      { status: right.status, body: '', ...(right.headers ? { headers: right.headers } : {}) },
      { ...closing, date: new Date().toUTCString(), 'content-length': String(length), ...headers }
    )
  switch (fault.kind) {
    case 'slow-headers':
      await trickle(socket, head({}), fault.everyMs)
      break
    case 'trickle':
      await write(socket, head({}))
      await trickle(socket, body.toString(), fault.everyMs)
      return void socket.end()
    case 'huge-header':
      await write(socket, head({ 'x-huge': 'a'.repeat(fault.bytes ?? 1024 * 1024) }))
      break
    case 'many-headers': {
      const names = Array.from({ length: fault.count ?? 10_000 }, (_, index) => `x-many-${index}`)
      await write(socket, head(Object.fromEntries(names.map(name => [name, '1']))))
      break
    }
    case 'wrong-length':
      await write(socket, head({}, body.length + fault.by))
      break
    case 'endless':
      await write(socket, head({}, Number.MAX_SAFE_INTEGER))
      await write(socket, body)
      while (!socket.destroyed) await write(socket, ' '.repeat(64 * 1024))
      return
    default:
      return fault satisfies never
  }
  await write(socket, body)
  socket.end()
}

const deepLevels = 100_000

/** The answer with those members at the start of each of its objects. */
function strange(right: ApiAnswer, members: string, status = right.status): ApiAnswer {
  const text = textOf(right.body)
    .replaceAll('{}', `{${members}}`)
    .replace(/\{(?=")/g, `{${members},`)
  return { ...right, status, body: text }
}
