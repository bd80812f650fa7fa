// One try to publish, in two phases, and what its end proves.
import type { Answer, Connect, Exchange } from '../http/exchange.ts'
import { isTransient, retryAfter } from '../http/failures.ts'
import {
  type Answered,
  type Conceal,
  parseVersion,
  readAnswered,
  type VersionRecord
} from './answer.ts'
import { base64Json, type FileObjectTemplate, type FileReading, multipart } from './body.ts'
import { TEXT_FIELDS, type VersionFields } from './form.ts'
import { ANSWER_BYTES, connectTo, type RouteRequest, requestTo } from './request.ts'

/** A version to be published. */
export interface VersionUpload extends RouteRequest {
  readonly fields: VersionFields
  readonly file: FileReading
  /** Given for an upload as base64 in JSON. */
  readonly template?: FileObjectTemplate | undefined
}

/** `retry`: nothing complete was sent, so it may be tried again, after at least `after` milliseconds. */
type Repeatable = Readonly<{ retry: boolean; after?: number }>

/** An answer that does not say what became of the version. */
interface Doubtful extends Answered {
  /** A success was answered before all was sent. */
  readonly early: boolean
  /** Why the answer is not whole, if it is not. */
  readonly truncated: Error | undefined
}

/** How a try ended, and how sure that is. */
export type PublishResult =
  | Readonly<{ kind: 'published'; record: VersionRecord }>
  /** The shop answered that it did not publish. */
  | (Readonly<{ kind: 'rejected' }> & Answered & Repeatable)
  /** Certainly not published: no complete request was ever sent. */
  | (Readonly<{ kind: 'notPublished'; cause: Error }> & Repeatable)
  /** The whole request was sent, and not answered: only a look into the shop says what became of it. */
  | Readonly<{ kind: 'noAnswer'; cause: Error }>
  /** It was answered, but that proves nothing: only a look into the shop does. */
  | (Readonly<{ kind: 'doubtful' }> & Doubtful)

/** An upload of which all but the tail is sent, as `HeldRequest`: one of the two has to be called. */
export interface HeldUpload {
  readonly kind: 'held'
  /** Fires once the tail can no longer be sent. */
  readonly ended: AbortSignal
  /** Sends the tail: from here on, only the answer says what became of it. */
  finish(): Promise<PublishResult>
  /** Ends the upload without its tail; resolves with the cause, or with how the upload had ended before. */
  withhold(cause: Error): Promise<PublishResult>
}

/**
 * Sends a version but for its tail; resolves with how that ended, if it did before that. Never rejects for what the
 * network or the service does.
 */
export async function startUpload(
  connect: Connect,
  version: VersionUpload
): Promise<HeldUpload | PublishResult> {
  const { fields, file, template, conceal } = version
  const content = template ? base64Json(fields, file, template) : multipart(fields, file)
  // The service repeats the texts in its answer, and JSON may need several bytes for one (`\/`, `\u00e4`).
  const texts = TEXT_FIELDS.reduce(
    (sum, it) => sum + Buffer.byteLength(String(it.value(fields))),
    0
  )
  const request = requestTo(version, content, ANSWER_BYTES + 4 * texts)

  const started = await connectTo(version.service, connect).startUpload(request)
  if (started.kind !== 'held') return judgeExchange(started, conceal)
  return {
    kind: 'held',
    ended: started.ended,
    finish: async () => judgeExchange(await started.finish(), conceal),
    withhold: async cause => judgeExchange(await started.withhold(cause), conceal)
  }
}

/** Judges what an exchange proves about the publication. */
export function judgeExchange(exchange: Exchange, conceal: Conceal): PublishResult {
  if (exchange.kind === 'answer') return judgeAnswer(exchange, conceal)

  const { cause, tailSent } = exchange
  // Also when a proxy is the likely cause: it may have passed the request on.
  if (tailSent) return { kind: 'noAnswer', cause }
  return { kind: 'notPublished', cause, retry: isTransient(cause) }
}

function judgeAnswer(answer: Answer, conceal: Conceal): PublishResult {
  const { status, truncated, tailSent } = answer
  const answered = readAnswered(answer, conceal)
  const isSuccess = status >= 200 && status < 300
  const record = isSuccess && tailSent && !truncated ? parseVersion(answer) : undefined
  if (record) return { kind: 'published', record }

  const provesNothing = isSuccess || (tailSent && !saysNotPublished(answered))
  if (provesNothing) return { kind: 'doubtful', ...answered, early: !tailSent, truncated }

  const mayPass = PASSING_STATUSES.has(status)
  const pause = mayPass ? retryAfter(answer) : {}
  return { kind: 'rejected', ...answered, retry: mayPass && !tailSent, ...pause }
}

/** After these, another try may help. */
const PASSING_STATUSES = new Set([
  408, // Request Timeout: Apache gives a small body some 20 seconds, and the tail may be held for longer
  429, // Too Many Requests
  503 // Service Unavailable
])

/** A 4xx that does not say what became of the version. */
const INDECISIVE = new Set([
  408, // Request Timeout, perhaps of a front server that has given up
  409, // Conflict, perhaps with the version itself
  425 // Too Early, of a front server
])

/**
 * Whether the answer to a whole request is the shop's own word that it did not publish. Front servers put pages,
 * redirects, and bare statuses in place of an answer after the shop has stored the version. Those that speak JSON with a
 * `message` (gateways) do it for 5xx, or before they pass anything on.
 */
function saysNotPublished({ status, error }: Answered): boolean {
  return status >= 400 && status < 500 && !INDECISIVE.has(status) && error !== undefined
}
