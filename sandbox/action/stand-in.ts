// The process of its own in which the stand-in runs: told what to be by its parent, asked and ended by the post step.
import { type FaultName, NAMED_FAULTS } from '../faults.ts'
import { madeUpLicenses, pagesOf } from '../licenses.ts'
import { listen } from '../listener.ts'
import type { ReceivedRequest } from '../reception.ts'
import { type Service, SHORT, startService } from '../service.ts'
import { answer } from '../wire.ts'

/** The argument that makes this file the stand-in. */
export const STAND_IN = 'stand-in'

/** What the stand-in is to be. */
export interface Casting {
  readonly token: string
  readonly apiKey: string
  readonly product: number
  readonly benefit: number
  readonly licenses: number
  readonly fault: FaultName | undefined
  readonly port: number | undefined
  /** Opens the address that tells what arrived, and ends the process. */
  readonly key: string
  /** A folder for the files that arrive. */
  readonly folder: string
}

/** What the process says once: where it listens, or why it does not. */
export type Word = { readonly url: string; readonly control: string } | { readonly error: string }

/** Everything that came to the stand-in. */
export type Arrivals = ReturnType<typeof arrivalsOf>

/** Runs the stand-in until it is told to end. */
export async function serve(): Promise<void> {
  const casting = await new Promise<Casting>(resolve => process.once('message', resolve))
  const word = await open(casting).catch((error: unknown): Word => ({ error: String(error) }))
  process.send?.(word)
  if ('error' in word) process.disconnect()
}

async function open(casting: Casting): Promise<Word> {
  const { token, apiKey, product, benefit, folder, port } = casting
  const service = await startService({
    token,
    folder,
    products: [
      { id: product, yours: true, benefits: [{ id: benefit, optionId: 1, name: 'Option' }] }
    ],
    licenses: { apiKey, pageOf: pagesOf(madeUpLicenses(casting.licenses, [product])) },
    licenseHolders: casting.licenses,
    ...(port === undefined ? {} : { port })
  })
  // No publication is that short: the fault is not for a request that only asks whether all is well.
  if (casting.fault) service.misbehave({ ...NAMED_FAULTS[casting.fault], least: 300 })
  const control = await listen({
    async answer(exchange) {
      if (exchange.req.headers.authorization !== casting.key) {
        return answer(exchange, { status: 404, body: '' })
      }
      answer(exchange, { status: 200, body: arrivalsOf(service) })
      exchange.res.once('close', () => service.close().finally(() => process.exit()))
    }
  })
  return { url: service.url, control: control.origin }
}

function arrivalsOf({ versions, notifications, requests }: Service) {
  return {
    versions: versions.map(({ record, versionName, changelogFormat, fileName, size, sha256 }) => ({
      ...{ product: record.product_id, benefit: record.purchase_benefit_id, versionName },
      ...{ title: record.title, changelog: record.changelog, changelogFormat },
      ...{ fileName, size, sha256 }
    })),
    mails: notifications.reduce((sum, { mails }) => sum + mails, 0),
    /** Those that brought no version, or whose answer was spoiled. */
    troubled: requests
      .filter(({ reply, fault }) => reply === undefined || reply.status >= 400 || fault)
      .filter(request => request.fault !== undefined || !isQuestion(request))
      .map(({ method, path, bytes, completed, fault, reply }) => ({
        ...{ request: `${method} ${path}`, bytes, completed, fault },
        // What a healthy shop answers; undefined when the request never arrived in full.
        ...{ status: reply?.status, message: messageOf(reply?.body) }
      }))
  }
}

/** A publication without fields asks whether all is well: 422 is the right answer to it. */
function isQuestion({ bytes, completed, reply }: ReceivedRequest): boolean {
  return completed && bytes < SHORT && reply?.status === 422
}

function messageOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body && body.message
  return typeof message === 'string' ? message : ''
}
