// The stand-in for GitHub: the few endpoints that matter here, on a free loopback port.
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Lag, openDeployments } from './deployments.ts'
import { disturb, listGitHubFaults, type Misbehaviour } from './github-faults.ts'
import { type Api, answerCall, type Permissions } from './github-routes.ts'
import { type Certificate, type Exchange, type Listener, listen } from './listener.ts'
import type { ReceivedRequest } from './reception.ts'
import { type Places, type RepositoryParts, slugOf } from './release.ts'
import { openReleases, startStorage } from './releases.ts'
import { type Clock, problem, startClock } from './rest.ts'
import { answer, type Reply } from './wire.ts'

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
  /** False as on Gitea and Forgejo, which do not know their routes. */
  readonly hasDeployments?: boolean
  readonly lag?: Lag
  /** Does not say how late its lists are, as the real one: then runs wait for six seconds. */
  readonly hidesLag?: boolean
  /** How far the `Date` of its answers is ahead of what it writes down, in milliseconds. */
  readonly dateAhead?: number
  /** How long each answer takes, in milliseconds. */
  readonly latency?: number
  readonly tls?: Certificate
}

/** A request with the path below the base path and the query, and its parsed body. */
type GitHubRequest = Pick<ReceivedRequest, 'method' | 'path' | 'headers'> & { body: unknown }

export type GitHub = Awaited<ReturnType<typeof startGitHub>>

const BASE_PATH = '/api/v3'

/** Starts the stand-in. */
export async function startGitHub(options: GitHubOptions) {
  const { repository: parts, now = new Date(), token } = options
  const { latency = 0, dateAhead = 0 } = options
  const clock = startClock(now)
  const faults = listGitHubFaults()
  const requests: GitHubRequest[] = []
  const releases = openReleases(slugOf(parts))
  const places = (): Places => ({ api: listener.origin, web: listener.origin })
  const deployments = openDeployments({
    ...{ slug: slugOf(parts), places, clock, lag: options.lag, commitOf: releases.commitOf }
  })
  const storage = options.redirectsAssets === true ? await startStorage(releases) : undefined
  const api: Api = {
    ...{ parts, places, deployments, releases, storageUrl: storage?.urlOf },
    permissions: { deployments: 'write', contents: 'read', ...options.permissions },
    hidesForbidden: options.hidesForbidden === true,
    hasDeployments: options.hasDeployments !== false
  }
  const told = options.hidesLag === true ? {} : { 'x-list-lag': String(options.lag?.ms ?? 0) }
  const server = { token, clock, latency, dateAhead, faults, requests, api, told }
  const listener: Listener = await listen({
    tls: options.tls,
    answer: exchange => serve(exchange, server)
  })
  return {
    /** The API's address; with `/api/v3` behind it, it is the same API. */
    url: listener.origin,
    places: places(),
    clock,
    requests,
    deployments: deployments.all,
    /** What came to the other origin for attached files. */
    storageRequests: storage?.requests ?? [],
    ...{ addRelease: releases.add, removeRelease: releases.remove },
    ...{ addTag: releases.addTag, commitOf: releases.commitOf },
    /** Creates a deployment as another run would, past the token and the permissions. */
    ...{ createDeployment: deployments.create, addStatus: deployments.addStatus },
    setPermissions(changed: Partial<Permissions>): void {
      api.permissions = { ...api.permissions, ...changed }
    },
    misbehave: (...misbehaviours: readonly Misbehaviour[]) => faults.add(misbehaviours),
    async close(): Promise<void> {
      await Promise.all([listener.close(), storage?.close()])
    }
  }
}

interface Server extends Required<Pick<GitHubOptions, 'token' | 'latency' | 'dateAhead'>> {
  /** Headers that the real GitHub does not send. */
  readonly told: Reply['headers']
  readonly clock: Clock
  readonly faults: ReturnType<typeof listGitHubFaults>
  readonly requests: GitHubRequest[]
  readonly api: Api
}

async function serve(exchange: Exchange, server: Server): Promise<void> {
  const { headers, method = '', url = '' } = exchange.req
  const sent = await text(exchange.req)
  const path = url.startsWith(`${BASE_PATH}/`) ? url.slice(BASE_PATH.length) : url
  const body = parse(sent)
  server.requests.push({ method, path, headers, body })
  if (server.latency > 0) await sleep(server.latency)
  const process = (): Reply => {
    if (headers['user-agent'] === undefined) {
      return problem(403, 'Request forbidden by administrative rules.')
    }
    const token = /^(?:token|bearer) +(.+)$/i.exec(headers.authorization ?? '')?.[1]
    if (token !== server.token) return problem(401, 'Bad credentials')
    if (sent !== '' && body === undefined) return problem(400, 'Problems parsing JSON')
    const address = server.api.places().api + (path === url ? '' : BASE_PATH)
    const [below = '', query] = path.split('?')
    const asked = { method, path: below, query: new URLSearchParams(query), body }
    return answerCall(server.api, { ...asked, api: address, accept: headers.accept ?? '' })
  }
  const dressed = (reply: Reply): Reply => ({
    ...reply,
    headers: {
      date: new Date(server.clock.now().getTime() + server.dateAhead).toUTCString(),
      'content-type': 'application/json; charset=utf-8',
      ...server.told,
      ...reply.headers
    }
  })
  const fault = server.faults.take(method, path)
  if (fault === undefined) answer(exchange, dressed(process()))
  else await disturb(fault, exchange, process, dressed)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
