// The other origin, where GitHub sends those who fetch an attached file.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { listen } from './listener.ts'
import type { Releases } from './releases.ts'

export interface StorageRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** Starts the storage with the files of these releases. */
export async function startStorage(releases: Releases) {
  const requests: StorageRequest[] = []
  const signature = randomUUID()
  const pathOf = (id: number): string => `/assets/${id}?signature=${signature}`
  const listener = await listen({
    async answer({ req, res }) {
      const { method = '', url = '', headers } = req
      requests.push({ method, path: url, headers })
      // As the real storage does, which takes one credential at a time.
      if (headers.authorization !== undefined) return void res.writeHead(400).end()
      const id = Number(/^\/assets\/(\d+)\?/.exec(url)?.[1])
      const found = url === pathOf(id) ? releases.findAsset(id) : undefined
      if (found === undefined) return void res.writeHead(404).end()
      res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.content)
    }
  })
  /** A signed address: it works without a credential, and only without one. */
  const urlOf = (assetId: number): string => listener.origin + pathOf(assetId)
  return { requests, urlOf, close: listener.close }
}
