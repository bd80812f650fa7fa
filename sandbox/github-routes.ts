// Which GitHub endpoint does what, and who may call it.
import { URLPattern } from 'node:url'
import type { Deployments } from './deployments.ts'
import { type Places, type RepositoryParts, repository, slugOf } from './release.ts'
import type { Releases } from './releases.ts'
import { type Call, NOT_FOUND, ok, problem } from './rest.ts'
import type { Reply } from './wire.ts'

type Level = 'write' | 'read' | 'none'

/** How much the token may do. */
export interface Permissions {
  readonly deployments: Level
  readonly contents: Level
}

/** The repository that the endpoints work on. */
export interface Api {
  readonly parts: RepositoryParts
  permissions: Permissions
  /** Whether a forbidden call is answered by 404 instead of 403. */
  readonly hidesForbidden: boolean
  readonly places: () => Places
  readonly deployments: Deployments
  readonly releases: Releases
  /** Where an attached file is to be fetched instead; undefined when it is answered here. */
  readonly storageUrl: ((assetId: number) => string) | undefined
}

/** Answers a call; `it` is the part of the path at `:it` in the pattern, and empty without. */
type Run = (api: Api, call: Call, it: string) => Reply

const seesDrafts = ({ permissions }: Api) => permissions.contents === 'write'

/** The endpoints, by method and path below the repository's. */
const RUNS: Readonly<Record<string, Run>> = {
  'GET /': ({ parts, places }) => ok(repository(parts, places())),
  'GET /releases': (api, call) => api.releases.list(call, seesDrafts(api)),
  'GET /releases/tags/:it(.+)': ({ releases }, _, tag) => releases.byTag(tag),
  'GET /releases/assets/:it(\\d+)': (api, call, id) => asset(api, call, Number(id)),
  'GET /releases/:it(\\d+)': (api, _, id) => api.releases.byId(Number(id), seesDrafts(api)),
  'GET /commits/:it(.+)': ({ releases }, call, ref) => releases.commit(ref, call),
  'GET /deployments': ({ deployments }, call) => deployments.list(call),
  'POST /deployments': ({ deployments }, { body }) => deployments.create(body),
  'GET /deployments/:it(\\d+)/statuses': ({ deployments }, call, id) =>
    deployments.listStatuses(Number(id), call),
  'POST /deployments/:it(\\d+)/statuses': ({ deployments }, { body }, id) =>
    deployments.addStatus(Number(id), body)
}

interface Route {
  readonly method: string
  /** Below the repository's; `/` for itself. */
  readonly path: string
  readonly pattern: URLPattern
  readonly run: Run
}

const ROUTES = Object.entries(RUNS).map(([route, run]): Route => {
  const [method = '', path = ''] = route.split(' ')
  const pathname = `/repos/:owner/:name${path === '/' ? '' : path}`
  return {
    method,
    path,
    pattern: new URLPattern({ pathname }),
    run
  }
})

/** Answers a call whose token is good. */
export function answerCall(api: Api, call: Call): Reply {
  for (const route of ROUTES) {
    const found = route.method === call.method && route.pattern.exec({ pathname: call.path })
    if (!found) continue

    const { owner, name, it = '' } = found.pathname.groups
    const isOurs = `${owner}/${name}`.toLowerCase() === slugOf(api.parts).toLowerCase()
    if (!isOurs) return NOT_FOUND
    return forbid(api, route) ?? route.run(api, call, decodeURIComponent(it))
  }
  return NOT_FOUND
}

/** The answer to a call that the token does not allow; undefined when it does. */
function forbid(api: Api, { method, path }: Route): Reply | undefined {
  // Every token can read the repository itself.
  if (path === '/') return undefined

  const area = path.startsWith('/deployments') ? 'deployments' : 'contents'
  const level = api.permissions[area]
  // Every token can read a public repository.
  const mayRead = level !== 'none' || api.parts.private !== true
  const isAllowed = method === 'GET' ? mayRead : level === 'write'
  if (isAllowed) return undefined

  if (api.hidesForbidden) return NOT_FOUND
  const needed = `${area}=${method === 'GET' ? 'read' : 'write'}`
  const refusal = problem(403, 'Resource not accessible by integration')
  return { ...refusal, headers: { 'x-accepted-github-permissions': needed } }
}

/** An attached file: its description or, for a call that accepts bytes, its content. */
function asset(api: Api, { accept }: Call, id: number): Reply {
  const { releases, storageUrl } = api
  const found = releases.findAsset(id, seesDrafts(api))
  if (found === undefined) return NOT_FOUND
  if (!accept.includes('application/octet-stream')) return ok(found.asset)

  if (storageUrl) return { status: 302, body: '', headers: { location: storageUrl(id) } }
  return ok(found.content, { 'content-type': 'application/octet-stream' })
}
