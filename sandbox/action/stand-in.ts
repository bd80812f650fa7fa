// The stand-in's own process: its parent sends the settings, and the post step asks what arrived, and ends it.
import { NAMED_FAULTS } from '../faults.ts'
import { madeUpLicenses, pagesOf } from '../licenses.ts'
import { listen } from '../listener.ts'
import type { ReceivedRequest } from '../reception.ts'
import type { Product } from '../routes.ts'
import { type Service, SHORTEST_UPLOAD, startService } from '../service.ts'
import type { StoredVersion } from '../versions.ts'
import { answer } from '../wire.ts'

/** The argument that makes the action the stand-in. */
export const STAND_IN = 'stand-in'

/** The parent sends them. */
export interface Settings {
  readonly token: string
  readonly apiKey: string
  readonly product: number
  readonly benefit: number
  readonly licenses: number
  /** By its name. */
  readonly fault: string | undefined
  readonly port: number | undefined
  /** The key to the address that says what arrived, and that ends the process. */
  readonly key: string
  /** A folder for the files that arrive. */
  readonly folder: string
}

/** Where the process listens, or why it does not. */
export type Started =
  | { readonly url: string; readonly control: string }
  | { readonly error: string }

/** A version that arrived. */
export interface ArrivedVersion {
  /** The id of the product. */
  readonly product: string
  /** The id of the benefit; null for a version of the whole product. */
  readonly benefit: number | null
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: string | null
  readonly fileName: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

/** A request that brought no version, or whose answer was spoiled. */
export interface TroubledRequest {
  /** Such as `POST /api/products/12/versions`. */
  readonly request: string
  /** How many bytes of its body arrived. */
  readonly bytes: number
  /** Whether all of it arrived. */
  readonly completed: boolean
  /** The kind of the fault that hit it. */
  readonly fault: string | undefined
  /** The status of a healthy shop's answer; undefined for a request that never arrived in full. */
  readonly status: number | undefined
  /** The message of that answer; empty without one. */
  readonly message: string
}

/** Everything that came to the stand-in. */
export interface Arrivals {
  readonly versions: readonly ArrivedVersion[]
  /** How many emails the real shop would have sent. */
  readonly mails: number
  readonly troubled: readonly TroubledRequest[]
}

/** Runs the stand-in until the post step ends it. */
export async function serve(): Promise<void> {
  const settings = await new Promise<Settings>(resolve => process.once('message', resolve))
  const started = await open(settings).catch((error: unknown) => ({ error: String(error) }))
  process.send?.(started)
  if ('error' in started) process.disconnect()
}

async function open(settings: Settings): Promise<Started> {
  const { apiKey, product, benefit, licenses, fault, key, ...others } = settings
  const ours: Product = {
    id: product,
    yours: true,
    benefits: [{ id: benefit, optionId: 1, name: 'Option' }]
  }
  const service = await startService({
    ...others,
    products: [ours],
    licenses: { apiKey, pageOf: pagesOf(madeUpLicenses(licenses, [product])) },
    licenseHolders: licenses
  })

  // The fault does not hit a check.
  const named = NAMED_FAULTS[fault ?? '']
  if (named) service.misbehave({ ...named, least: SHORTEST_UPLOAD })

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

function arrivalsOf({ versions, notifications, requests }: Service): Arrivals {
  return {
    versions: versions.map(describeVersion),
    mails: notifications.reduce((sum, { mails }) => sum + mails, 0),
    troubled: requests.filter(isTroubled).map(describeRequest)
  }
}

function describeVersion(version: StoredVersion): ArrivedVersion {
  const { record } = version
  return {
    product: record.product_id,
    benefit: record.purchase_benefit_id,
    versionName: version.versionName,
    title: record.title,
    changelog: record.changelog,
    changelogFormat: version.changelogFormat,
    fileName: version.fileName,
    size: version.size,
    sha256: version.sha256
  }
}

function isTroubled(request: ReceivedRequest): boolean {
  if (request.fault !== undefined) return true
  const isAccepted = request.reply !== undefined && request.reply.status < 400
  return !isAccepted && !isGoodCheck(request)
}

function describeRequest(request: ReceivedRequest): TroubledRequest {
  const { reply } = request
  return {
    request: `${request.method} ${request.path}`,
    bytes: request.bytes,
    completed: request.completed,
    fault: request.fault,
    status: reply?.status,
    message: String(Object(reply?.body).message ?? '')
  }
}

/** Whether it is a check that was answered by 422, as is right. */
function isGoodCheck({ bytes, completed, reply }: ReceivedRequest): boolean {
  return completed && bytes < SHORTEST_UPLOAD && reply?.status === 422
}
