// The shop as a publication sends to it: the preflight, the tries of the upload, and the pauses between them.
import type { FileDigest } from '../files/artifact.ts'
import type { Held } from '../http/exchange.ts'
import { describeCause, pauseBefore, TRIES } from '../http/failures.ts'
import type { Sender } from '../ledger/publish-once.ts'
import { hostOf } from '../report/guidance.ts'
import { announcePublished } from '../report/print.ts'
import type { Result } from '../report/result.ts'
import { sizeText } from '../runner/words.ts'
import { type CheckResult, judgePreflight } from '../shop/check.ts'
import { type PublishResult, startUpload } from '../shop/upload.ts'
import { explainPreflight, resultOfPublished } from './answers.ts'
import type { Publication } from './publication.ts'
import { requestCheck, type ShopDesk } from './shop-desk.ts'

/** How long a canceled run waits for the answer once the tail is sent. */
const GRACE_MS = 5000

/** Sends one publication to the shop. */
export class ShopSender implements Sender {
  readonly digest: FileDigest
  readonly #shop: ShopDesk
  readonly #publication: Publication
  readonly #pauseBeforeRetry: PauseBeforeRetry
  #isCommitted = false
  #published: Result | undefined

  constructor(shop: ShopDesk, publication: Publication) {
    this.#shop = shop
    this.#publication = publication
    this.digest = { sha256: publication.sha256, size: publication.file.size }
    this.#pauseBeforeRetry = countTries(shop)
  }

  /** Whether the last bytes of the last try may have been sent. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  /** The result, once the shop has answered that the version is published: nothing later can change that. */
  get published(): Result | undefined {
    return this.#published
  }

  /** Asks the shop first, again where that may help. Throws an `ActionError` if nothing may be uploaded. */
  async preflight(): Promise<void> {
    const shop = this.#shop
    shop.runner.info(
      'Asking the shop about the token and the ids first, without sending a version.'
    )
    const pauseBeforeRetry = countTries(shop)

    for (;;) {
      const result = await requestCheck(shop)
      if (result.kind === 'checked') return

      const verdict = judgePreflight(result)
      if (verdict === 'upload') return

      const { said, after } = describePreflight(result, hostOf(shop.config))
      const asksAgain = verdict === 'repeat' && (await pauseBeforeRetry(after, `${said}.`))
      if (!asksAgain) throw explainPreflight(result, shop.config, shop.asked)
    }
  }

  async startUpload(): Promise<Held<PublishResult> | PublishResult> {
    // There is another try only if nothing complete was sent.
    this.#isCommitted = false
    const { runner, connect, config } = this.#shop
    const { file, route } = this.#publication

    const reading = file.read()
    const chunks = () => logProgress(reading.chunks(), reading.size, runner.info)
    const upload = await startUpload(connect, {
      service: { baseUrl: config.baseUrl, token: config.token },
      route,
      fields: this.#publication,
      file: { ...reading, chunks },
      template: config.upload === 'base64' ? config.base64File : undefined,
      patience: { stall: config.stallTimeout, answer: config.responseTimeout, grace: GRACE_MS },
      signal: runner.cancelled,
      conceal: runner.conceal
    })
    if (upload.kind !== 'held') return upload

    // Unless these are the bytes that were inspected, the tail stays here.
    const sealed = await reading.seal().catch(errorOf)
    if (sealed instanceof Error) return upload.withhold(sealed)
    return { ...upload, finish: () => this.#finish(upload) }
  }

  async #finish(upload: Held<PublishResult>): Promise<PublishResult> {
    this.#isCommitted = true
    const result = await upload.finish()
    // A failure after a certain end says nothing about the version.
    this.#isCommitted = result.certainty !== 'not published'
    if (result.kind === 'published') {
      this.#published = resultOfPublished(result.record, this.#publication)
      announcePublished(this.#shop.runner, this.#published)
    }
    return result
  }

  async waitToRetry(result: PublishResult): Promise<boolean> {
    if (result.certainty !== 'not published' || !result.retry) return false
    return this.#pauseBeforeRetry(result.after, `${result.why}.`)
  }
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** How the shop answered, for the log; and the pause that it asks for, in milliseconds. */
function describePreflight(
  result: Exclude<CheckResult, { kind: 'checked' }>,
  host: string
): { said: string; after: number | undefined } {
  if (result.kind === 'noAnswer') {
    return { said: describeCause(result.cause, host), after: undefined }
  }
  return { said: `${host} answered ${result.status}`, after: result.after }
}

/**
 * Counts the tries of one request. Logs why another one is needed, pauses for at least `after` milliseconds, and returns
 * true; false at once if there have been enough.
 */
type PauseBeforeRetry = (after: number | undefined, why: string) => Promise<boolean>

function countTries({ runner, clock }: ShopDesk): PauseBeforeRetry {
  let tried = 0
  return async (after, why) => {
    tried += 1
    const ms = pauseBefore(tried, after)
    if (ms === undefined) return false

    const again = `Trying again (${tried + 1} of ${TRIES}) in ${(ms / 1000).toFixed(1)} s.`
    runner.info(`Not published yet: ${why} ${again}`)
    // If the run is canceled, the next try fails at once.
    await clock.sleep(ms).catch(() => undefined)
    return true
  }
}

/** When progress is logged first. */
const FIRST_PROGRESS_MS = 3000
/** How often after that. */
const PROGRESS_EVERY_MS = 5000

/** Passes chunks on and logs the progress. A chunk is sent once the next is asked for. `size`: in bytes. */
export async function* logProgress(
  chunks: AsyncIterable<Buffer>,
  size: number,
  log: (line: string) => void,
  now = Date.now
): AsyncGenerator<Buffer> {
  const start = now()
  let logged = start + FIRST_PROGRESS_MS - PROGRESS_EVERY_MS
  let sent = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length

    const time = now()
    if (time - logged < PROGRESS_EVERY_MS || sent >= size) continue
    logged = time
    log(describeProgress(sent, size, time - start))
  }
}

/** The bytes sent in `elapsed` milliseconds, such as `Sent 40 % of 1.20 GB, 80.0 MB/s, about 9 s left`. */
function describeProgress(sent: number, size: number, elapsed: number): string {
  const rate = (sent / elapsed) * 1000
  const percent = Math.floor((sent / size) * 100)
  const seconds = Math.ceil((size - sent) / rate)
  const speed = sizeText(Math.round(rate))
  return `Sent ${percent} % of ${sizeText(size)}, ${speed}/s, about ${seconds} s left`
}
