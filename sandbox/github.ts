// The stand-in for GitHub: the few endpoints that matter here, on a free loopback port.
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Deployment, Deployments, type Lag } from './deployments.ts'
import { disturb, GitHubFaults, type Misbehavior } from './github-faults.ts'
import { type Api, answerCall, type Permissions } from './github-routes.ts'
import { type Certificate, type Exchange, type Listener, listen } from './listener.ts'
import type { ReceivedRequest } from './reception.ts'
import { type Places, type Release, type RepositoryParts, slugOf } from './release.ts'
import { type ReleaseExtras, Releases, type Storage, startStorage } from './releases.ts'
import { Clock, problem } from './rest.ts'
import { answer, type Reply } from './wire.ts'

export interface GitHubOptions {
  readonly token: string
  readonly repository: RepositoryParts
  /** Deployments `write` and contents `read` when left out. */
  readonly permissions?: Partial<Permissions>
  /** Answers 404 instead of 403 to a call that the token does not allow. */
  readonly hidesForbidden?: boolean
  /** Sends those who fetch an attached file to another origin. */
  readonly redirectsAssets?: boolean
  readonly now?: Date
  readonly lag?: Lag
  /** Does not say how late its lists are, as the real one: then runs wait for six seconds. */
  readonly hidesLag?: boolean
  /** How far the `Date` of its answers is ahead of the dates in them, in milliseconds. */
  readonly dateAhead?: number
  /** How long each answer takes, in milliseconds. */
  readonly latency?: number
  readonly tls?: Certificate
}

/** A request that came in. */
export interface GitHubRequest {
  readonly method: string
  /** Below the base path, with the query. */
  readonly path: string
  readonly headers: ReceivedRequest['headers']
  /** Parsed; undefined if it is no JSON. */
  readonly body: unknown
}

/** The API's base path on an Enterprise Server. */
const BASE_PATH = '/api/v3'

const USUAL_PERMISSIONS: Permissions = { deployments: 'write', contents: 'read' }

/** Starts the stand-in. */
export async function startGitHub(options: GitHubOptions): Promise<GitHub> {
  const releases = new Releases(slugOf(options.repository))
  const storage = options.redirectsAssets === true ? await startStorage(releases) : undefined

  // The stand-in writes its address into its objects, and has it once it listens.
  const listener: Listener = await listen({
    tls: options.tls,
    answer: exchange => github.serve(exchange)
  })
  const github = new GitHub(options, releases, storage, listener)
  return github
}

/** A stand-in that listens. */
export class GitHub {
  /** The API's address; with `/api/v3` behind it, it is the same API. */
  readonly url: string
  readonly places: Places
  readonly clock: Clock
  /** Every request so far, whatever became of it. */
  readonly requests: GitHubRequest[] = []
  readonly #options: GitHubOptions
  readonly #api: Api
  readonly #faults = new GitHubFaults()
  readonly #storage: Storage | undefined
  readonly #listener: Listener

  /** `startGitHub` makes it. */
  constructor(
    options: GitHubOptions,
    releases: Releases,
    storage: Storage | undefined,
    listener: Listener
  ) {
    const { origin } = listener
    this.url = origin
    this.places = { api: origin, web: origin }
    this.clock = new Clock(options.now ?? new Date())
    this.#options = options
    this.#storage = storage
    this.#listener = listener
    this.#api = {
      parts: options.repository,
      permissions: { ...USUAL_PERMISSIONS, ...options.permissions },
      hidesForbidden: options.hidesForbidden === true,
      places: () => this.places,
      deployments: new Deployments({
        slug: slugOf(options.repository),
        places: () => this.places,
        clock: this.clock,
        lag: options.lag,
        commitOf: ref => releases.commitOf(ref)
      }),
      releases,
      storageUrl: storage && (id => storage.urlOf(id))
    }
  }

  /** Every deployment, whether lists show it yet or not, oldest first. */
  get deployments(): readonly Deployment[] {
    return this.#api.deployments.all
  }

  /** The requests that came to the other origin for attached files. */
  get storageRequests(): Storage['requests'] {
    return this.#storage?.requests ?? []
  }

  addRelease(release: Release, extras?: ReleaseExtras): void {
    this.#api.releases.add(release, extras)
  }

  removeRelease(tag: string): void {
    this.#api.releases.remove(tag)
  }

  addTag(tag: string, commit: string): void {
    this.#api.releases.addTag(tag, commit)
  }

  removeTag(tag: string): void {
    this.#api.releases.removeTag(tag)
  }

  /** The commit of a tag or of a commit's id; undefined for one that nobody knows. */
  commitOf(ref: string): string | undefined {
    return this.#api.releases.commitOf(ref)
  }

  /** Creates a deployment as another run would, past the token and the permissions. */
  createDeployment(body: unknown): Reply {
    return this.#api.deployments.create(body)
  }

  /** Adds a status in the same way. */
  addStatus(deployment: number, body: unknown): Reply {
    return this.#api.deployments.addStatus(deployment, body)
  }

  setPermissions(changed: Partial<Permissions>): void {
    this.#api.permissions = { ...this.#api.permissions, ...changed }
  }

  /** Adds faults, each for one of the requests that are still to come. */
  misbehave(...misbehaviors: readonly Misbehavior[]): void {
    this.#faults.add(misbehaviors)
  }

  /** Breaks every connection and stops listening. */
  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), this.#storage?.close()])
  }

  /** Answers a request, or lets the next fault act on it. */
  async serve(exchange: Exchange): Promise<void> {
    const { headers, method = '', url = '' } = exchange.req
    const sent = await text(exchange.req)
    const hasBase = url.startsWith(`${BASE_PATH}/`)
    const request: GitHubRequest = {
      method,
      path: hasBase ? url.slice(BASE_PATH.length) : url,
      headers,
      body: parse(sent)
    }
    this.requests.push(request)

    const { latency = 0 } = this.#options
    if (latency > 0) await sleep(latency)

    const process = (): Reply => {
      const isNoJson = sent !== '' && request.body === undefined
      const address = this.url + (hasBase ? BASE_PATH : '')
      return this.#process(request, address, isNoJson)
    }
    const fault = this.#faults.take(method, request.path)
    if (fault === undefined) answer(exchange, this.#dress(process()))
    else await disturb(fault, exchange, process, reply => this.#dress(reply))
  }

  /** The right answer; `address` is the API's as the caller wrote it. */
  #process(
    { method, path, headers, body }: GitHubRequest,
    address: string,
    isNoJson: boolean
  ): Reply {
    if (headers['user-agent'] === undefined) {
      return problem(403, 'Request forbidden by administrative rules.')
    }

    const token = /^(?:token|bearer) +(.+)$/i.exec(headers.authorization ?? '')?.[1]
    if (token !== this.#options.token) return problem(401, 'Bad credentials')

    if (isNoJson) return problem(400, 'Problems parsing JSON')

    const [below = '', query] = path.split('?')
    return answerCall(this.#api, {
      method,
      path: below,
      query: new URLSearchParams(query),
      accept: headers.accept ?? '',
      body,
      api: address
    })
  }

  /** An answer with the headers that all of GitHub's have. */
  #dress(reply: Reply): Reply {
    const { dateAhead = 0, hidesLag, lag } = this.#options
    const date = new Date(this.clock.now().getTime() + dateAhead)
    // The real GitHub does not send it.
    const listLag = hidesLag === true ? {} : { 'x-list-lag': String(lag?.ms ?? 0) }
    return {
      ...reply,
      headers: {
        date: date.toUTCString(),
        'content-type': 'application/json; charset=utf-8',
        ...listLag,
        ...reply.headers
      }
    }
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
