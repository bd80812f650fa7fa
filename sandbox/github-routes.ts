/** Owns which GitHub endpoint does what, and who may call it. */
import type { Deployments } from './deployments.ts'
import { type Places, type RepositoryParts, repository } from './release.ts'
import type { Releases } from './releases.ts'
import { type ApiAnswer, type Call, problem } from './rest.ts'

export type Level = 'write' | 'read' | 'none'

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

interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly area?: keyof Permissions
  run(library: Library, call: Call, first: string, second: string): ApiAnswer
}

const routes: readonly Route[] = [
  get(/^$/, undefined, ({ parts, places }) => ({ status: 200, body: repository(parts, places()) })),
  get(/^\/releases$/, 'contents', (library, call) =>
    library.releases.list(call, seesDrafts(library))
  ),
  get(/^\/releases\/latest$/, 'contents', ({ releases }, call) => releases.latest(call)),
  get(/^\/releases\/tags\/(.+)$/, 'contents', ({ releases }, call, tag) =>
    releases.byTag(tag, call)
  ),
  get(/^\/releases\/assets\/(\d+)$/, 'contents', (library, call, id) =>
    answerAsset(library, call, Number(id))
  ),
  get(/^\/releases\/(\d+)$/, 'contents', (library, call, id) =>
    library.releases.byId(Number(id), call, seesDrafts(library))
  ),
  get(/^\/git\/ref\/tags\/(.+)$/, 'contents', ({ releases, parts }, call, tag) =>
    releases.tagRef(tag, call, slugOf(parts))
  ),
  get(/^\/commits\/(.+)$/, 'contents', ({ releases, parts }, call, ref) =>
    releases.commit(ref, call, slugOf(parts))
  ),
  get(/^\/deployments$/, 'deployments', ({ deployments }, call) => deployments.list(call)),
  get(/^\/deployments\/(\d+)$/, 'deployments', (it, _, id) => it.deployments.show(Number(id))),
  get(/^\/deployments\/(\d+)\/statuses$/, 'deployments', (it, call, id) =>
    it.deployments.listStatuses(Number(id), call)
  ),
  get(/^\/deployments\/(\d+)\/statuses\/(\d+)$/, 'deployments', (it, _, id, statusId) =>
    it.deployments.showStatus(Number(id), Number(statusId))
  ),
  post(/^\/deployments$/, 'deployments', (it, { body }) => it.deployments.create(body)),
  post(/^\/deployments\/(\d+)\/statuses$/, 'deployments', (it, { body }, id) =>
    it.deployments.addStatus(Number(id), body)
  )
]

/** Answers a call whose token is good. */
export function answerCall(library: Library, call: Call): ApiAnswer {
  const path = decodePath(call.path)
  const match = path === undefined ? null : /^\/repos\/([^/]+)\/([^/]+)(.*)$/s.exec(path)
  const slug = `${match?.[1]}/${match?.[2]}`.toLowerCase()
  if (match === null || slug !== slugOf(library.parts).toLowerCase()) {
    return problem(404, 'Not Found')
  }
  const rest = match[3] ?? ''
  const route = routes.find(({ method, path }) => method === call.method && path.test(rest))
  if (route === undefined) return problem(404, 'Not Found')
  const refusal = forbid(library, route)
  if (refusal !== undefined) return refusal
  const [, first = '', second = ''] = route.path.exec(rest) ?? []
  return route.run(library, call, first, second)
}

function forbid(library: Library, { method, area }: Route): ApiAnswer | undefined {
  if (area === undefined) return undefined
  if (area === 'deployments' && !library.hasDeployments) return problem(404, 'Not Found')
  const level = library.permissions()[area]
  // What is public can be read by any token.
  const mayRead = level !== 'none' || library.parts.private !== true
  if (method === 'GET' ? mayRead : level === 'write') return undefined
  if (library.hidesForbidden) return problem(404, 'Not Found')
  const needed = `${area}=${method === 'GET' ? 'read' : 'write'}`
  return {
    ...problem(403, 'Resource not accessible by integration'),
    headers: { 'x-accepted-github-permissions': needed }
  }
}

function answerAsset({ releases, storageUrl }: Library, call: Call, id: number): ApiAnswer {
  const found = releases.findAsset(id)
  if (found === undefined) return problem(404, 'Not Found')
  const { asset, content } = found
  if (!call.accept.includes('application/octet-stream')) return { status: 200, body: asset }
  if (asset.state !== 'uploaded') return problem(404, 'Not Found')
  const elsewhere = storageUrl(id)
  if (elsewhere !== undefined) return { status: 302, body: '', headers: { location: elsewhere } }
  return {
    status: 200,
    body: content,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(asset.name)}`
    }
  }
}

type Run = Route['run']

function get(path: RegExp, area: keyof Permissions | undefined, run: Run): Route {
  return area === undefined ? { method: 'GET', path, run } : { method: 'GET', path, area, run }
}

function post(path: RegExp, area: keyof Permissions, run: Run): Route {
  return { method: 'POST', path, area, run }
}

function seesDrafts({ permissions }: Library): boolean {
  return permissions().contents === 'write'
}

function slugOf({ owner, name }: RepositoryParts): string {
  return `${owner}/${name}`
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
