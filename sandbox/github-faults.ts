// How the stand-in for GitHub misbehaves, and which request each fault hits.
import type { AnyAnswer } from './faults.ts'
import { type Exchange, gone } from './listener.ts'
import { problem } from './rest.ts'
import { answerSpoiled, type SpoiledAnswer } from './spoiled.ts'
import { answer, type Reply } from './wire.ts'

/** Which request a fault hits; a part that is left out fits all. */
export interface Matcher {
  readonly method?: string
  /** Against the path below the base path, with the query. */
  readonly path?: RegExp
  /** Of the requests from then on that fit, also those that another fault hits. The first when left out. */
  readonly nth?: number
}

/** Happens instead of the right answer. */
export type GitHubFault =
  /** `processed` says whether the request has its effect; not when left out. */
  | (AnyAnswer & { readonly kind: 'status'; readonly processed?: boolean })
  | { readonly kind: 'silence'; readonly processed?: boolean }
  | { readonly kind: 'html'; readonly status?: number; readonly processed?: boolean }
  /** 403 with `retry-after`, in seconds. */
  | { readonly kind: 'secondary-limit'; readonly retryAfter: number }
  /** After it, the effect is kept and the answer is lost. */
  | { readonly kind: 'reset-before-processing' | 'reset-after-processing' }
  /** The right answer, which says that there is a next page, whichever page it is. */
  | { readonly kind: 'endless-pages' }
  | SpoiledAnswer

export type Misbehavior = GitHubFault & { readonly on?: Matcher }

/** A fault that has not happened yet. */
interface WaitingFault {
  readonly fault: Misbehavior
  /** It hits the last of so many requests that fit, or the next one where another fault hits that. */
  left: number
}

/** The faults that have not happened yet; none at first. */
export class GitHubFaults {
  readonly #waiting: WaitingFault[] = []

  add(misbehaviors: readonly Misbehavior[]): void {
    for (const fault of misbehaviors) {
      this.#waiting.push({ fault, left: fault.on?.nth ?? 1 })
    }
  }

  /** The fault for this request, which it uses up. */
  take(method: string, path: string): GitHubFault | undefined {
    const fitting = this.#waiting.filter(({ fault }) => fits(fault, method, path))
    for (const waiting of fitting) waiting.left -= 1

    const due = fitting.find(({ left }) => left <= 0)
    if (due === undefined) return undefined
    this.#waiting.splice(this.#waiting.indexOf(due), 1)
    return due.fault
  }
}

function fits({ on = {} }: Misbehavior, method: string, path: string): boolean {
  if (on.method !== undefined && on.method !== method) return false
  return on.path === undefined || on.path.test(path)
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
  if ('processed' in fault && fault.processed === true) process()

  switch (fault.kind) {
    case 'status':
      return send({ body: { message: 'Server Error' }, ...fault })
    case 'html': {
      return send({
        status: fault.status ?? 502,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Unicorn!</title>'
      })
    }
    case 'secondary-limit': {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
      const headers = { 'retry-after': String(fault.retryAfter) }
      return send({ ...problem(403, message), headers })
    }
    case 'silence':
      return gone(exchange.socket)
    case 'reset-before-processing':
      return exchange.reset()
    case 'reset-after-processing':
      process()
      return exchange.reset()
    case 'endless-pages': {
      const right = process()
      const link = '<https://api.github.invalid/?page=2>; rel="next"'
      return send({ ...right, headers: { ...right.headers, link } })
    }
    default:
      return answerSpoiled(fault, exchange, dressed(process()))
  }
}
