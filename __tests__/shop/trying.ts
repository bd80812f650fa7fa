// Owns how the tests publish in process: a file of chosen bytes, the real client, and tries without pauses.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Service, type ServiceOptions, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError } from '../../src/http/exchange.ts'
import { canWait } from '../../src/http/pause.ts'
import { publishUnremembered } from '../../src/ledger/publish-once.ts'
import type { FileReading } from '../../src/shop/body.ts'
import { type PublishRequest, type PublishResult, publishVersion } from '../../src/shop/publish.ts'

export const TOKEN = 'token-that-opens-nothing'
/** Longer than anything takes that is not meant to end by a time-out. */
export const PATIENCE = { stall: 10_000, answer: 10_000, grace: 300 }
export const FIELDS = {
  versionName: '1.4.2',
  title: 'Gallery 1.4.2',
  changelog: 'Line one\nLine two: ünïcode',
  changelogFormat: 'markdown'
} as const

export function openService(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const products = [{ id: 12, yours: true, benefits: [{ id: 34, optionId: 5, name: 'Studios' }] }]
  return startService({ token: TOKEN, products, ...options })
}

/** A file of so many bytes, none of them read from a disk. */
export function fileOf(size: number, chunk = 256 * 1024): FileReading {
  const bytes = Buffer.alloc(Math.min(chunk, size), 'PK content ')
  return {
    name: 'gallery.zip',
    size,
    async *chunks() {
      for (let left = size; left > 0; left -= chunk) yield bytes.subarray(0, Math.min(left, chunk))
    }
  }
}

/** Waits for the end of the exchange: the tail is never allowed. */
export function holdForever(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new Error('held to the end'))
    if (signal.aborted) refuse()
    else signal.addEventListener('abort', refuse, { once: true })
  })
}

export type Given = Partial<Omit<PublishRequest, 'service'>>

/** One request of the real client. */
export function publishTo(baseUrl: string, given: Given = {}): Promise<PublishResult> {
  return publishVersion(connect, 'tests', {
    service: { baseUrl, token: TOKEN },
    route: { product: 12 },
    fields: FIELDS,
    file: fileOf(1000),
    form: { kind: 'multipart' },
    patience: PATIENCE,
    signal: new AbortController().signal,
    commit: async () => undefined,
    ...given
  })
}

export interface Told {
  readonly result: PublishResult
  /** In a few words. */
  readonly outcome: string
  readonly tries: number
  /** What the service asked for before each further try, in milliseconds. */
  readonly pauses: readonly (number | undefined)[]
}

/** Publishes as the action does, with no memory and no pauses; `held` tries never get to the tail. */
export async function publishWithTries(
  baseUrl: string,
  given: Given = {},
  held = 0
): Promise<Told> {
  const pauses: (number | undefined)[] = []
  let tries = 0
  const attempt = async () => {
    tries += 1
    const commit = tries <= held ? holdForever : async () => undefined
    const result = await publishTo(baseUrl, { commit, ...given })
    const retry = 'retry' in result ? result.retry : undefined
    const again = retry && canWait(retry.after) ? { again: retry } : {}
    return { result, ending: { kind: 'failure', reason: '' }, ...again } as const
  }
  const pause = async (_: number, after: number | undefined) => {
    pauses.push(after)
    await sleep(10)
  }
  const once = await publishUnremembered(attempt, { tries: 4, pause })
  if (once.kind !== 'tried') throw new Error(`Without a memory there is no ${once.kind}`)
  return { result: once.result, outcome: inWords(once.result), tries, pauses }
}

/** A result in a few words, such as `rejected 413` or `notPublished ENOTFOUND`. */
export function inWords(result: PublishResult): string {
  switch (result.kind) {
    case 'published':
      return `published ${result.record.id}`
    case 'rejected':
      return `rejected ${result.status}`
    case 'notPublished':
      return `notPublished ${codeOf(result.cause)}`
    case 'unknown':
      return `unknown ${result.status ?? codeOf(result.cause)}`
  }
}

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** The system has several codes for a lost connection, and which comes is chance. */
function codeOf(cause: Error): string {
  if (cause instanceof CancelledError) return 'cancelled'
  if (!('code' in cause) || typeof cause.code !== 'string') return cause.name
  return LOST.includes(cause.code) ? 'lost' : cause.code
}

export interface Expected {
  readonly outcome: string
  /** 1 when left out. */
  readonly tries?: number
  /** How many versions the service holds afterwards. */
  readonly versions: number
}

export const published = (tries: number): Expected => {
  return { outcome: 'published 1001', tries, versions: 1 }
}

/** Publishes while the service misbehaves, and looks at what is told, and at what the service holds then. */
export async function expectAfter(
  service: Service,
  faults: readonly Fault[],
  { outcome, tries = 1, versions }: Expected,
  given: Given = {},
  held = 0
): Promise<Told> {
  service.misbehave(...faults)
  const told = await publishWithTries(service.url, given, held)
  const mails = service.notifications.length
  const after = {
    outcome: told.outcome,
    tries: told.tries,
    versions: service.versions.length,
    mails
  }
  expect(after).toEqual({ outcome, tries, versions, mails: versions })
  return told
}
