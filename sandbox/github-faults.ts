/** Owns the ways in which the stand-in for GitHub misbehaves, and which request each one hits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, gone } from './listener.ts'
import type { ApiAnswer } from './rest.ts'

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
    case 'meanwhile':
      fault.run()
      return send(process())
    default:
      return fault satisfies never
  }
}
