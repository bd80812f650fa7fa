// Which GitHub endpoint does what, and who may call it.
import { URLPattern } from 'node:url'
import type { Deployments } from './deployments.ts'
import { type Places, type RepositoryParts, repository } from './release.ts'
import type { Releases } from './releases.ts'
import { type ApiAnswer, type Call, NOT_FOUND, ok, problem } from './rest.ts'

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

/** Answers with what stands in the pattern's place of `:it`. */
type Run = (library: Library, call: Call, it: string) => ApiAnswer

interface Route {
  readonly method: string
  readonly pattern: URLPattern
  readonly area: keyof Permissions
  readonly run: Run
}

const ROUTES: readonly Route[] = [
  route('GET', 'contents', '/releases', (library, call) =>
    library.releases.list(call, seesDrafts(library))
  ),
  route('GET', 'contents', '/releases/latest', ({ releases }, call) => releases.latest(call)),
  route('GET', 'contents', '/releases/tags/:it(.+)', ({ releases }, call, tag) =>
    releases.byTag(tag, call)
  ),
  route('GET', 'contents', '/releases/assets/:it(\\d+)', (library, call, id) =>
    answerAsset(library, call, Number(id))
  ),
  route('GET', 'contents', '/releases/:it(\\d+)', (library, call, id) =>
    library.releases.byId(Number(id), call, seesDrafts(library))
  ),
  route('GET', 'contents', '/git/ref/tags/:it(.+)', ({ releases, parts }, call, tag) =>
    releases.tagRef(tag, call, slugOf(parts))
  ),
  route('GET', 'contents', '/commits/:it(.+)', ({ releases, parts }, call, ref) =>
    releases.commit(ref, call, slugOf(parts))
  ),
  route('GET', 'deployments', '/deployments', ({ deployments }, call) => deployments.list(call)),
  route('GET', 'deployments', '/deployments/:it(\\d+)', ({ deployments }, _, id) =>
    deployments.show(Number(id))
  ),
  route('GET', 'deployments', '/deployments/:it(\\d+)/statuses', ({ deployments }, call, id) =>
    deployments.listStatuses(Number(id), call)
  ),
  route('POST', 'deployments', '/deployments', ({ deployments }, { body }) =>
    deployments.create(body)
  ),
  route('POST', 'deployments', '/deployments/:it(\\d+)/statuses', ({ deployments }, call, id) =>
    deployments.addStatus(Number(id), call.body)
  )
]

const REPOSITORY = new URLPattern({ pathname: '/repos/:owner/:name{/*}?' })

function route(method: string, area: keyof Permissions, path: string, run: Run): Route {
  return { method, area, pattern: new URLPattern({ pathname: `/repos/:owner/:name${path}` }), run }
}

/** Answers a call whose token is good. */
export function answerCall(library: Library, call: Call): ApiAnswer {
  const pathname = call.path
  const { owner, name } = REPOSITORY.exec({ pathname })?.pathname.groups ?? {}
  const isOurs = `${owner}/${name}`.toLowerCase() === slugOf(library.parts).toLowerCase()
  if (!isOurs) return NOT_FOUND
  if (pathname === `/repos/${owner}/${name}`) {
    return call.method === 'GET' ? ok(repository(library.parts, library.places())) : NOT_FOUND
  }
  const found = ROUTES.find(
    ({ method, pattern }) => method === call.method && pattern.test({ pathname })
  )
  if (found === undefined) return NOT_FOUND
  const it = decode(found.pattern.exec({ pathname })?.pathname.groups.it ?? '')
  return forbid(library, found) ?? found.run(library, call, it)
}

function forbid(library: Library, { method, area }: Route): ApiAnswer | undefined {
  if (area === 'deployments' && !library.hasDeployments) return NOT_FOUND
  const level = library.permissions()[area]
  // What is public can be read by any token.
  const mayRead = level !== 'none' || library.parts.private !== true
  if (method === 'GET' ? mayRead : level === 'write') return undefined
  if (library.hidesForbidden) return NOT_FOUND
  const needed = `${area}=${method === 'GET' ? 'read' : 'write'}`
  return {
    ...problem(403, 'Resource not accessible by integration'),
    headers: { 'x-accepted-github-permissions': needed }
  }
}

function answerAsset({ releases, storageUrl }: Library, call: Call, id: number): ApiAnswer {
  const found = releases.findAsset(id)
  if (found === undefined) return NOT_FOUND
  const { asset, content } = found
  if (!call.accept.includes('application/octet-stream')) return ok(asset)
  if (asset.state !== 'uploaded') return NOT_FOUND
  const elsewhere = storageUrl(id)
  if (elsewhere !== undefined) return { status: 302, body: '', headers: { location: elsewhere } }
  return { ...ok(content), headers: { 'content-type': 'application/octet-stream' } }
}

function seesDrafts({ permissions }: Library): boolean {
  return permissions().contents === 'write'
}

function slugOf({ owner, name }: RepositoryParts): string {
  return `${owner}/${name}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
