// Which GitHub endpoint does what, and who may call it.
import { URLPattern } from 'node:url'
import type { Deployments } from './deployments.ts'
import { type Places, type RepositoryParts, repository } from './release.ts'
import type { Releases } from './releases.ts'
import { type Call, NOT_FOUND, ok, problem } from './rest.ts'
import type { Reply } from './wire.ts'

type Level = 'write' | 'read' | 'none'

/** What the token may do. */
export interface Permissions {
  readonly deployments: Level
  readonly contents: Level
}

export interface Library {
  readonly parts: RepositoryParts
  readonly permissions: () => Permissions
  /** Whether what is forbidden answers 404 instead of 403. */
  readonly hidesForbidden: boolean
  /** Without, their routes are unknown. */
  readonly hasDeployments: boolean
  readonly places: () => Places
  readonly deployments: Deployments
  readonly releases: Releases
  /** Where an attached file is to be fetched instead; undefined when it is answered here. */
  readonly storageUrl: (assetId: number) => string | undefined
}

/** Answers with what stands in the pattern's place of `:it`. */
type Run = (library: Library, call: Call, it: string) => Reply

const seesDrafts = ({ permissions }: Library) => permissions().contents === 'write'

const ROUTES = (
  [
    ['GET /', ({ parts, places }) => ok(repository(parts, places()))],
    ['GET /releases', (library, call) => library.releases.list(call, seesDrafts(library))],
    ['GET /releases/tags/:it(.+)', ({ releases }, call, tag) => releases.byTag(tag, call)],
    ['GET /releases/assets/:it(\\d+)', (library, call, id) => asset(library, call, Number(id))],
    [
      'GET /releases/:it(\\d+)',
      (library, call, id) => library.releases.byId(Number(id), call, seesDrafts(library))
    ],
    ['GET /commits/:it(.+)', ({ releases }, call, ref) => releases.commit(ref, call)],
    ['GET /deployments', ({ deployments }, call) => deployments.list(call)],
    ['POST /deployments', ({ deployments }, { body }) => deployments.create(body)],
    [
      'GET /deployments/:it(\\d+)/statuses',
      ({ deployments }, call, id) => deployments.listStatuses(Number(id), call)
    ],
    [
      'POST /deployments/:it(\\d+)/statuses',
      ({ deployments }, { body }, id) => deployments.addStatus(Number(id), body)
    ]
  ] satisfies readonly (readonly [string, Run])[]
).map(([route, run]: readonly [string, Run]) => {
  const [method = '', path = ''] = route.split(' ')
  const pathname = `/repos/:owner/:name${path === '/' ? '' : path}`
  return { method, path, pattern: new URLPattern({ pathname }), run }
})

/** Answers a call whose token is good. */
export function answerCall(library: Library, call: Call): Reply {
  for (const { method, path, pattern, run } of ROUTES) {
    const found = method === call.method && pattern.exec({ pathname: call.path })
    if (!found) continue
    const { owner, name, it = '' } = found.pathname.groups
    const isOurs = `${owner}/${name}`.toLowerCase() === slugOf(library.parts).toLowerCase()
    if (!isOurs) return NOT_FOUND
    return forbid(library, method, path) ?? run(library, call, decodeURIComponent(it))
  }
  return NOT_FOUND
}

/** Such as `octocat/hello`. */
export function slugOf({ owner, name }: RepositoryParts): string {
  return `${owner}/${name}`
}

function forbid(library: Library, method: string, path: string): Reply | undefined {
  // The repository itself can be read by whoever has a token.
  if (path === '/') return undefined
  const area = path.startsWith('/deployments') ? 'deployments' : 'contents'
  if (area === 'deployments' && !library.hasDeployments) return NOT_FOUND
  const level = library.permissions()[area]
  // What is public can be read by any token.
  const mayRead = level !== 'none' || library.parts.private !== true
  if (method === 'GET' ? mayRead : level === 'write') return undefined
  if (library.hidesForbidden) return NOT_FOUND
  const headers = {
    'x-accepted-github-permissions': `${area}=${method === 'GET' ? 'read' : 'write'}`
  }
  return { ...problem(403, 'Resource not accessible by integration'), headers }
}

function asset({ releases, storageUrl }: Library, { accept }: Call, id: number): Reply {
  const found = releases.findAsset(id)
  if (found === undefined) return NOT_FOUND
  if (!accept.includes('application/octet-stream')) return ok(found.asset)
  if (found.asset.state !== 'uploaded') return NOT_FOUND
  const elsewhere = storageUrl(id)
  return elsewhere === undefined
    ? ok(found.content, { 'content-type': 'application/octet-stream' })
    : { status: 302, body: '', headers: { location: elsewhere } }
}
