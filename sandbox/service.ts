// The stand-in for the shop: takes publications as strictly as the interface allows.
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, type FaultQueue, isBodyFault, queueFaults } from './faults.ts'
import { checkFields } from './fields.ts'
import { discardFiles, readJson, readMultipart, UnreadableBody } from './form.ts'
import { type Certificate, type Exchange, listen } from './listener.ts'
import { answerBadly, gateOf } from './misbehavior.ts'
import { type ReceivedRequest, type Reception, receive } from './reception.ts'
import { type Routed, routesOf, type ShopOptions } from './routes.ts'
import { type Notification, openShelf, type Shelf, type StoredVersion } from './versions.ts'
import { answer, type Reply } from './wire.ts'

export interface ServiceOptions extends ShopOptions {
  readonly tls?: Certificate
  /** Any free one when left out. */
  readonly port?: number
  /** How many mails a version causes; 3 when left out. */
  readonly licenseHolders?: number
  /** Requests without any field are answered as they should be: no fault hits them, and none is listed. */
  readonly sparesChecks?: boolean
  /** Where the files go, in a folder of their own; the system's temporary folder when left out. */
  readonly folder?: string
}

export interface Service {
  /** The base address, with the path prefix. */
  readonly url: string
  readonly origin: string
  readonly versions: readonly StoredVersion[]
  readonly notifications: readonly Notification[]
  readonly requests: readonly ReceivedRequest[]
  /** Queues faults: one for each coming connection or request that is no download. */
  misbehave(...faults: readonly Fault[]): void
  /** Breaks every connection, stops listening and deletes the files. */
  close(): Promise<void>
}

/** Starts the stand-in on a loopback port. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const faults = queueFaults()
  const requests: ReceivedRequest[] = []
  const shelf = openShelf(() => listener.origin, options.licenseHolders ?? 3)
  const route = routesOf(options)
  const { sparesChecks = false } = options
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'sandbox-'))
  const listener = await listen({
    tls: options.tls,
    port: options.port,
    accept(socket) {
      const fault = faults.forConnection()
      if (fault?.kind === 'reset-at-connect') socket.resetAndDestroy()
      return fault !== undefined
    },
    answer: exchange =>
      serve(exchange, route(exchange.req), { faults, shelf, folder, requests, sparesChecks })
  })
  return {
    url: listener.origin + (options.pathPrefix ?? ''),
    origin: listener.origin,
    versions: shelf.versions,
    notifications: shelf.notifications,
    requests,
    misbehave: (...queued) => faults.add(queued),
    async close() {
      await listener.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

interface Shop {
  readonly faults: FaultQueue
  readonly shelf: Shelf
  readonly folder: string
  readonly requests: ReceivedRequest[]
  readonly sparesChecks: boolean
}

/** No body so short, in bytes, holds a field. */
export const SHORT = 64

async function serve(exchange: Exchange, routed: Routed, shop: Shop): Promise<void> {
  const { shelf } = shop
  if (routed.to === 'download') {
    shop.requests.push(receive(exchange).request)
    return download(exchange, shelf.find(routed.path))
  }
  const length = Number(exchange.req.headers['content-length'])
  const spared = shop.sparesChecks && length < SHORT
  const fault = spared ? undefined : shop.faults.forRequest(exchange.req)
  const bodyFault = fault !== undefined && isBodyFault(fault) ? fault : undefined
  const answerFault = fault !== undefined && !isBodyFault(fault) ? fault : undefined
  const target = routed.to === 'answer' ? undefined : routed.target
  const guess = (): Reply => ({ status: 201, body: { data: shelf.guess(target) } })
  const gate = bodyFault && gateOf(bodyFault, guess)
  const reception = receive(exchange, fault?.kind, gate)
  if (!spared) shop.requests.push(reception.request)
  const isStored = (): boolean =>
    reception.interrupted
      ? bodyFault !== undefined && 'stored' in bodyFault && bodyFault.stored === true
      : answerFault?.stored !== false
  const reply = await publish(routed, reception, shop, isStored)
  reception.request.reply = reply
  if (reception.interrupted) return
  if (answerFault === undefined) answer(exchange, reply)
  else await answerBadly(answerFault, exchange, reply)
}

/** Reads the request to its end and says what a healthy service answers to it. */
async function publish(
  routed: Exclude<Routed, { readonly to: 'download' }>,
  reception: Reception,
  { shelf, folder }: Shop,
  isStored: () => boolean
): Promise<Reply> {
  if (routed.to === 'answer') {
    for await (const _ of reception.chunks());
    return routed.reply
  }
  const read =
    routed.to === 'json'
      ? readJson(reception.chunks(), folder)
      : readMultipart(reception.chunks(), routed.contentType, folder)
  const entries = await read.catch((error: unknown) => {
    if (error instanceof UnreadableBody) return error
    throw error
  })
  if (entries instanceof UnreadableBody) {
    return { status: 400, body: { message: entries.message } }
  }
  const checked = checkFields(entries)
  if (checked.ok) {
    const version = shelf.draft(routed.target, checked.submission)
    if (isStored()) shelf.put(routed.target, version)
    else await discardFiles(entries)
    return { status: 201, body: { data: version.record } }
  }
  await discardFiles(entries)
  const [message, ...others] = Object.values(checked.errors).flat()
  const more =
    others.length > 0 ? ` (and ${others.length} more error${others.length === 1 ? '' : 's'})` : ''
  return { status: 422, body: { message: `${message}${more}`, errors: checked.errors } }
}

function download(exchange: Exchange, version: StoredVersion | undefined): void {
  const { req, res } = exchange
  if (version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) {
    answer(exchange, { status: 404, body: { message: 'Not found.' } })
    return
  }
  const type = 'application/octet-stream'
  res.writeHead(200, { 'content-type': type, 'content-length': version.size })
  if (req.method === 'HEAD') res.end()
  else createReadStream(version.path).pipe(res)
}
