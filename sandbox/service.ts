// The stand-in for the shop: takes publications as strictly as the interface allows.
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, isBodyFault, queueFaults } from './faults.ts'
import { readForm, UnreadableBody } from './form.ts'
import { type Certificate, type Exchange, gone, type Listener, listen } from './listener.ts'
import { type ReceivedRequest, type Reception, receive } from './reception.ts'
import { type Routed, routesOf, type ShopOptions } from './routes.ts'
import { answerSpoiled } from './spoiled.ts'
import { openStore, type Store, type StoredVersion } from './versions.ts'
import { answer, type Reply } from './wire.ts'

export interface ServiceOptions extends ShopOptions {
  readonly tls?: Certificate
  /** Any free one when left out. */
  readonly port?: number | undefined
  /** How many emails a version causes; 3 when left out. */
  readonly licenseHolders?: number
  /** Requests without any field are answered as they should be: no fault hits them, and none is listed. */
  readonly sparesChecks?: boolean
  /** Where the files go, in a folder of their own; the system's temporary folder when left out. */
  readonly folder?: string
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Starts the stand-in on a loopback port. */
export async function startService(options: ServiceOptions) {
  const faults = queueFaults()
  const requests: ReceivedRequest[] = []
  const store = openStore(() => listener.origin, options.licenseHolders ?? 3)
  const route = routesOf(options)
  const { sparesChecks = false } = options
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'sandbox-'))
  const listener: Listener = await listen({
    tls: options.tls,
    port: options.port,
    accept(socket) {
      const fault = faults.forConnection()
      if (fault?.kind === 'reset-at-connect') socket.resetAndDestroy()
      return fault !== undefined
    },
    answer: exchange =>
      serve(exchange, route(exchange.req), { faults, store, folder, requests, sparesChecks })
  })
  return {
    /** The base address, with the path prefix. */
    url: listener.origin + (options.pathPrefix ?? ''),
    origin: listener.origin,
    versions: store.versions,
    notifications: store.notifications,
    requests,
    /** Queues faults: one for each coming connection or request that is no download. */
    misbehave: (...queued: readonly Fault[]) => faults.add(queued),
    /** Breaks every connection, stops listening and deletes the files. */
    async close(): Promise<void> {
      await listener.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

interface Shop {
  readonly faults: ReturnType<typeof queueFaults>
  readonly store: Store
  readonly folder: string
  readonly requests: ReceivedRequest[]
  readonly sparesChecks: boolean
}

/** No body so short, in bytes, holds a field. */
export const SHORT = 64

async function serve(exchange: Exchange, routed: Routed, shop: Shop): Promise<void> {
  const { store, requests, faults } = shop
  const target = routed.to === 'publish' ? routed.target : undefined
  const created = (): Reply => ({ status: 201, body: { data: store.record(target) } })
  if (routed.to === 'download') {
    requests.push(receive(exchange, undefined, created).request)
    return download(exchange, store.find(routed.path))
  }
  const spared = shop.sparesChecks && Number(exchange.req.headers['content-length']) < SHORT
  const fault = spared ? undefined : faults.forRequest(exchange.req)
  const reception = receive(exchange, fault, created)
  if (!spared) requests.push(reception.request)
  const { stored } = { stored: undefined, ...fault }
  const isStored = (): boolean => stored ?? !reception.wasInterrupted()
  const reply = await publish(routed, reception, shop, isStored)
  reception.request.reply = reply
  if (reception.wasInterrupted()) return
  if (fault === undefined || isBodyFault(fault)) return answer(exchange, reply)
  switch (fault.kind) {
    case 'reset-after-body':
      return exchange.reset()
    case 'silence-after-body':
      return gone(exchange.socket)
    case 'answer':
      return answer(exchange, { body: { message: 'Told to misbehave.' }, ...fault })
    default:
      return answerSpoiled(fault, exchange, reply)
  }
}

/** Reads the request to its end and says what a healthy service answers to it. */
async function publish(
  routed: Exclude<Routed, { readonly to: 'download' }>,
  reception: Reception,
  { store, folder }: Shop,
  isStored: () => boolean
): Promise<Reply> {
  if (routed.to === 'answer') {
    for await (const _ of reception.chunks());
    return routed.reply
  }
  const { target, contentType } = routed
  try {
    const form = await readForm(reception.chunks(), contentType, folder)
    if ('errors' in form) return invalid(form.errors)
    const record = store.record(target, form)
    if (isStored()) store.put(target, form, record)
    return { status: 201, body: { data: record } }
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    return { status: 400, body: { message: error.message } }
  }
}

function invalid(errors: Readonly<Record<string, readonly string[]>>): Reply {
  const [first, ...others] = Object.values(errors).flat()
  const more = ` (and ${others.length} more error${others.length === 1 ? '' : 's'})`
  return { status: 422, body: { message: `${first}${others.length > 0 ? more : ''}`, errors } }
}

function download(exchange: Exchange, version: StoredVersion | undefined): void {
  if (version === undefined) {
    answer(exchange, { status: 404, body: { message: 'Not found.' } })
    return
  }
  const type = 'application/octet-stream'
  exchange.res.writeHead(200, { 'content-type': type, 'content-length': version.size })
  createReadStream(version.path).pipe(exchange.res)
}
