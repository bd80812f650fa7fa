// The process of its own in which the stand-in runs: told what to be by its parent, asked and ended by the post step.
import { NAMED_FAULTS } from '../faults.ts'
import { madeUpLicenses, pagesOf } from '../licenses.ts'
import { listen } from '../listener.ts'
import type { ReceivedRequest } from '../reception.ts'
import { type Service, SHORT, startService } from '../service.ts'
import { answer } from '../wire.ts'

/** The argument that makes the action the stand-in. */
export const STAND_IN = 'stand-in'

/** What the stand-in is to be. */
export interface Settings {
  readonly token: string
  readonly apiKey: string
  readonly product: number
  readonly benefit: number
  readonly licenses: number
  /** By its name. */
  readonly fault: string | undefined
  readonly port: number | undefined
  /** Opens the address that tells what arrived, and ends the process. */
  readonly key: string
  /** A folder for the files that arrive. */
  readonly folder: string
}

/** Where the process listens, or why it does not. */
export type Started =
  | { readonly url: string; readonly control: string }
  | { readonly error: string }

/** Everything that came to the stand-in. */
export type Arrivals = ReturnType<typeof arrivalsOf>

/** Runs the stand-in until it is told to end. */
export async function serve(): Promise<void> {
  const settings = await new Promise<Settings>(resolve => process.once('message', resolve))
  const started = await open(settings).catch((error: unknown) => ({ error: String(error) }))
  process.send?.(started)
  if ('error' in started) process.disconnect()
}

async function open(settings: Settings): Promise<Started> {
  const { apiKey, product, benefit, licenses, fault, key, ...others } = settings
  const benefits = [{ id: benefit, optionId: 1, name: 'Option' }]
  const service = await startService({
    ...others,
    products: [{ id: product, yours: true, benefits }],
    licenses: { apiKey, pageOf: pagesOf(madeUpLicenses(licenses, [product])) },
    licenseHolders: licenses
  })
  // No publication is that short: the fault is not for a request that only asks whether all is well.
  const named = NAMED_FAULTS[fault ?? '']
  if (named) service.misbehave({ ...named, least: 300 })
  const control = await listen({
    async answer(exchange) {
      if (exchange.req.headers.authorization !== key) {
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
        ...{ status: reply?.status, message: String(Object(reply?.body).message ?? '') }
      }))
  }
}

/** A publication without fields asks whether all is well: 422 is the right answer to it. */
function isQuestion({ bytes, completed, reply }: ReceivedRequest): boolean {
  return completed && bytes < SHORT && reply?.status === 422
}
