/** Owns the stand-in for GitHub: the few endpoints that matter here, on a free loopback port. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Deployment, type Deployments, openDeployments } from './deployments.ts'
import { disturb, listGitHubFaults, type Misbehaviour } from './github-faults.ts'
import { answerCall, type Library, type Permissions } from './github-routes.ts'
import type { Lag } from './lag.ts'
import { type Certificate, type Exchange, type Listener, listen } from './listener.ts'
import type { Places, RepositoryParts } from './release.ts'
import { openReleases, type Releases } from './releases.ts'
import { type ApiAnswer, type Call, type Clock, problem, startClock } from './rest.ts'
import { type StorageRequest, startStorage } from './storage.ts'

export interface GitHubOptions {
  readonly token: string
  readonly repository: RepositoryParts
  /** Deployments `write` and contents `read` when left out. */
  readonly permissions?: Partial<Permissions>
  /** Answers 404 instead of 403 to what the token may not do. */
  readonly hidesForbidden?: boolean
  /** Sends those who fetch an attached file to another origin. */
  readonly redirectsAssets?: boolean
  readonly now?: Date
  /** How far its clock goes ahead at each request, in milliseconds: then no run has to wait for real. */
  readonly pace?: number
  /** As on Gitea and Forgejo. */
  readonly hasDeployments?: boolean
  readonly lag?: Lag
  readonly tls?: Certificate
}

/** A request with the path below the base path. */
export interface GitHubRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed; undefined when there was none. */
  readonly body: unknown
}

export interface GitHub extends Pick<Releases, 'addTag' | 'commitOf'> {
  /** The API's address; with `/api/v3` behind it, it is the same API. */
  readonly url: string
  readonly places: Places
  readonly clock: Clock
  readonly requests: readonly GitHubRequest[]
  readonly deployments: readonly Deployment[]
  /** What came to the other origin for attached files. */
  readonly storageRequests: readonly StorageRequest[]
  readonly addRelease: Releases['add']
  readonly removeRelease: Releases['remove']
  /** Creates a deployment as another run would, past the token and the permissions. */
  readonly createDeployment: Deployments['create']
  readonly addStatus: Deployments['addStatus']
  setLag(lag: Lag): void
  setPermissions(permissions: Partial<Permissions>): void
  misbehave(...misbehaviours: readonly Misbehaviour[]): void
  close(): Promise<void>
}

const basePath = '/api/v3'
/** At four requests between a claim and the last look, more than a run waits for. */
const PACE = 3000

/** Starts the stand-in. */
export async function startGitHub(options: GitHubOptions): Promise<GitHub> {
  const { repository: parts, now = new Date(), tls } = options
  const slug = `${parts.owner}/${parts.name}`
  const defaultBranch = parts.defaultBranch ?? 'main'
  const clock = startClock(now)
  const faults = listGitHubFaults()
  const requests: GitHubRequest[] = []
  const releases = openReleases(defaultBranch)
  const { commitOf } = releases
  const places = (): Places => ({ api: listener.origin, web: listener.origin })
  const requestNumber = (): number => requests.length
  const house = { slug, places, clock, defaultBranch, commitOf, requestNumber }
  const deployments = openDeployments(house)
  let permissions: Permissions = { deployments: 'write', contents: 'read', ...options.permissions }
  if (options.lag !== undefined) deployments.setLag(options.lag)
  const storage = options.redirectsAssets === true ? await startStorage(releases) : undefined
  const library: Library = {
    parts,
    places,
    deployments,
    releases,
    hidesForbidden: options.hidesForbidden === true,
    hasDeployments: options.hasDeployments !== false,
    permissions: () => permissions,
    storageUrl: id => storage?.urlOf(id)
  }
  const pace = options.pace ?? PACE
  const desk = { token: options.token, clock, pace, faults, requests, library }
  const listener: Listener = await listen({ tls, answer: exchange => serve(exchange, desk) })
  return {
    url: listener.origin,
    places: places(),
    clock,
    requests,
    deployments: deployments.all,
    storageRequests: storage?.requests ?? [],
    addRelease: releases.add,
    removeRelease: releases.remove,
    addTag: releases.addTag,
    commitOf,
    createDeployment: deployments.create,
    addStatus: deployments.addStatus,
    setLag: deployments.setLag,
    setPermissions(changed) {
      permissions = { ...permissions, ...changed }
    },
    misbehave: (...misbehaviours) => faults.add(misbehaviours),
    async close() {
      await Promise.all([listener.close(), storage?.close()])
    }
  }
}

interface Desk {
  readonly token: string
  readonly clock: Clock
  readonly pace: number
  readonly faults: ReturnType<typeof listGitHubFaults>
  readonly requests: GitHubRequest[]
  readonly library: Library
}

async function serve(exchange: Exchange, desk: Desk): Promise<void> {
  const { headers, method = '', url = '' } = exchange.req
  const text = await readText(exchange.req)
  const below = url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url
  const base = below === url ? '' : basePath
  const body = parse(text)
  desk.requests.push({ method, path: below, headers, body })
  desk.clock.advance(desk.pace)
  const [path = '', query = ''] = below.split('?')
  const call: Call = {
    method,
    path,
    query: new URLSearchParams(query),
    accept: headers.accept ?? '',
    body,
    api: desk.library.places().api + base
  }
  const process = (): ApiAnswer => {
    if (headers['user-agent'] === undefined) {
      return problem(403, 'Request forbidden by administrative rules.')
    }
    const token = /^(?:token|bearer) +(.+)$/i.exec(headers.authorization ?? '')?.[1]
    if (token !== desk.token) return problem(401, 'Bad credentials')
    if (text !== '' && body === undefined) return problem(400, 'Problems parsing JSON')
    return answerCall(desk.library, call)
  }
  const fault = desk.faults.take(method, below)
  const sendIt = (answer: ApiAnswer): void => send(exchange, answer, desk.clock)
  if (fault === undefined) sendIt(process())
  else await disturb(fault, exchange, process, sendIt)
}

function send({ res }: Exchange, { status, body, headers }: ApiAnswer, clock: Clock): void {
  const asIs = typeof body === 'string' || Buffer.isBuffer(body)
  const content = Buffer.from(asIs ? body : JSON.stringify(body))
  res.writeHead(status, {
    date: clock.now().toUTCString(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': content.length,
    'x-github-media-type': 'github.v3; format=json',
    ...headers
  })
  res.end(content)
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
