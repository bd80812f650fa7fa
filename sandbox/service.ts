// The stand-in for the shop: takes publications as strictly as the interface allows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, FaultQueue, isBodyFault } from './faults.ts'
import { readForm, UnreadableBody } from './form.ts'
import { type Certificate, type Exchange, gone, type Listener, listen } from './listener.ts'
import { type ReceivedRequest, Reception } from './reception.ts'
import { type Routed, routesOf, type ShopOptions } from './routes.ts'
import { answerSpoiled } from './spoiled.ts'
import { type Notification, Store, type StoredVersion } from './versions.ts'
import { answer, type Reply } from './wire.ts'

export interface ServiceOptions extends ShopOptions {
  readonly tls?: Certificate
  /** Checks, which have no field, are answered as they should be: no fault hits them, and they are listed apart. */
  readonly sparesChecks?: boolean
}

/** A stand-in that listens. */
export interface Service {
  /** The base address, with the path prefix. */
  readonly url: string
  readonly origin: string
  /** The versions that arrived, oldest first. */
  readonly versions: readonly StoredVersion[]
  /** The emails that they cause. */
  readonly notifications: readonly Notification[]
  /** Every request so far, whatever became of it, but for the checks that are spared. */
  readonly requests: ReceivedRequest[]
  /** The checks so far that were spared. */
  readonly checks: readonly ReceivedRequest[]
  /** Queues faults: one for each coming connection or request. */
  misbehave(...queued: readonly Fault[]): void
  /** Breaks every connection, stops listening and deletes the files. */
  close(): Promise<void>
}

/** Starts the stand-in on a loopback port. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const shop: Shop = {
    faults: new FaultQueue(),
    store: new Store(() => listener.origin),
    folder: await mkdtemp(join(tmpdir(), 'sandbox-')),
    requests: [],
    checks: [],
    sparesChecks: options.sparesChecks === true
  }
  const route = routesOf(options)

  const listener: Listener = await listen({
    tls: options.tls,
    accept(socket) {
      const fault = shop.faults.forConnection()
      if (fault?.kind === 'reset-at-connect') socket.resetAndDestroy()
      return fault !== undefined
    },
    answer: exchange => serve(exchange, route(exchange.req), shop)
  })

  return {
    url: listener.origin + (options.pathPrefix ?? ''),
    origin: listener.origin,
    versions: shop.store.versions,
    notifications: shop.store.notifications,
    requests: shop.requests,
    checks: shop.checks,
    misbehave: (...queued) => shop.faults.add(queued),
    async close() {
      await listener.close()
      await rm(shop.folder, { recursive: true, force: true })
    }
  }
}

/** The shop behind the listener. */
interface Shop {
  readonly faults: FaultQueue
  readonly store: Store
  /** Where the files go. */
  readonly folder: string
  readonly requests: ReceivedRequest[]
  readonly checks: ReceivedRequest[]
  readonly sparesChecks: boolean
}

/** In bytes: a shorter body has room for no field, so its request is a check. */
export const SHORTEST_UPLOAD = 64

async function serve(exchange: Exchange, routed: Routed, shop: Shop): Promise<void> {
  const { store, requests, checks, faults } = shop
  const target = routed.to === 'publish' ? routed.target : undefined
  const created = (): Reply => createdReply(store.record(target))

  const length = Number(exchange.req.headers['content-length'])
  const isSpared = shop.sparesChecks && length < SHORTEST_UPLOAD
  const fault = isSpared ? undefined : faults.forRequest(exchange.req)
  const reception = new Reception(exchange, fault, created)
  const listed = isSpared ? checks : requests
  listed.push(reception.request)

  // A request that was interrupted has no effect, unless its fault says so.
  const stored = fault !== undefined && 'stored' in fault ? fault.stored : undefined
  const isStored = (): boolean => stored ?? !reception.isInterrupted
  const reply = await publish(routed, reception, shop, isStored)
  if (reception.isInterrupted) return
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

/** Reads the request to its end, and returns the answer of a healthy service. */
async function publish(
  routed: Routed,
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
    return createdReply(record)
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    return { status: 400, body: { message: error.message } }
  }
}

function createdReply(record: unknown): Reply {
  return { status: 201, body: { data: record } }
}

function invalid(errors: Readonly<Record<string, readonly string[]>>): Reply {
  const [first, ...others] = Object.values(errors).flat()
  const more = ` (and ${others.length} more error${others.length === 1 ? '' : 's'})`
  const message = `${first}${others.length > 0 ? more : ''}`
  return { status: 422, body: { message, errors } }
}
