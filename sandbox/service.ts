/** Owns the stand-in for the marketplace: takes publications as strictly as the interface allows. */
import { answerBadly } from './fault-answers.ts'
import { type Fault, type FaultQueue, gateOf, isBodyFault, queueFaults } from './faults.ts'
import type { Licenses } from './licenses.ts'
import { type Certificate, type Exchange, listen } from './listener.ts'
import { publish, type ReceivedRequest, receive } from './publication.ts'
import { type House, type Product, type Reply, route } from './routing.ts'
import { openSpool, type Spool } from './spool.ts'
import { type Notification, openShelf, type Shelf, type StoredVersion } from './versions.ts'
import { answer } from './wire.ts'

export interface ServiceOptions {
  readonly token: string
  readonly products: readonly Product[]
  readonly tls?: Certificate
  /** Such as `/shop`: stands before every route. */
  readonly pathPrefix?: string
  /** How many mails a version causes; 3 when left out. */
  readonly licenseHolders?: number
  /** What `GET /api/v1/licenses` lists, and for which key. */
  readonly licenses?: Licenses
  /** Where large files go; the system's temporary folder when left out. */
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

/** Starts the stand-in on a free loopback port. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { token, products, tls, pathPrefix = '', licenseHolders = 3 } = options
  const faults = queueFaults()
  const spool = openSpool(options.folder)
  const requests: ReceivedRequest[] = []
  const shelf = openShelf(() => listener.origin, licenseHolders)
  const rooms = {
    house: { token, products, pathPrefix, licenses: options.licenses },
    faults,
    spool,
    shelf,
    requests
  }
  const listener = await listen({
    tls,
    accept(socket) {
      const fault = faults.forConnection()
      if (fault?.kind === 'reset-at-connect') socket.resetAndDestroy()
      return fault !== undefined
    },
    answer: exchange => serve(exchange, rooms)
  })
  return {
    url: listener.origin + pathPrefix,
    origin: listener.origin,
    versions: shelf.versions,
    notifications: shelf.notifications,
    requests,
    misbehave: (...queued) => faults.add(queued),
    async close() {
      await listener.close()
      await spool.remove()
    }
  }
}

interface Rooms {
  readonly house: House
  readonly faults: FaultQueue
  readonly spool: Spool
  readonly shelf: Shelf
  readonly requests: ReceivedRequest[]
}

async function serve(exchange: Exchange, rooms: Rooms): Promise<void> {
  const { method = '', url = '', headers } = exchange.req
  const { shelf, spool } = rooms
  const [path = '', search = ''] = url.split('?')
  const isDownload = path.startsWith('/downloads/')
  const routed = route({ method, path, query: new URLSearchParams(search), headers }, rooms.house)
  const fault = isDownload ? undefined : rooms.faults.forRequest()
  const guess = (): Reply => {
    const target = routed.to === 'answered' ? undefined : routed.target
    return { status: 201, body: { data: shelf.guess(target) } }
  }
  const bodyFault = fault !== undefined && isBodyFault(fault) ? fault : undefined
  const answerFault = fault !== undefined && !isBodyFault(fault) ? fault : undefined
  const reception = receive(exchange, bodyFault && gateOf(bodyFault, guess))
  rooms.requests.push(reception.request)
  if (isDownload) return download(exchange, shelf.find(path))

  const reply = await publish(routed, reception, spool, (target, submission) => {
    const version = shelf.draft(target, submission)
    const stored = reception.interrupted
      ? bodyFault !== undefined && 'stored' in bodyFault && bodyFault.stored === true
      : answerFault?.stored !== false
    if (stored) shelf.put(target, version)
    return { stored, record: version.record }
  })
  if (reception.interrupted) return
  if (answerFault === undefined) answer(exchange, reply)
  else await answerBadly(answerFault, exchange, reply)
}

async function download({ req, res }: Exchange, version: StoredVersion | undefined): Promise<void> {
  if (version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) {
    const body = JSON.stringify({ message: 'Not found.' })
    res.writeHead(404, { 'content-type': 'application/json' }).end(body)
    return
  }
  res.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': version.size
  })
  if (req.method === 'HEAD') res.end()
  else version.stream().pipe(res)
}
