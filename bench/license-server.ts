// A service with a million licenses, in a process of its own. Its pages are ready in memory, and only the ids and
// the number of the next page are written into them.
import { createServer } from 'node:http'
import process from 'node:process'
import { listenOn } from '../sandbox/listener.ts'

const LICENSES = 1_000_000
/** How many digits of an id differ; the number of a page has no more. */
const DIGITS = 8
const ZEROS = '0'.repeat(DIGITS)

interface Template {
  readonly body: Buffer
  /** Where the digits of each id begin in it. */
  readonly ids: readonly number[]
}

/** A page of so many licenses. */
function makeTemplate(size: number): Template {
  const licenses = Array.from({ length: size }, (_, index) => ({
    id: `lic_7c41d0e9${ZEROS}`,
    userId: `usr_${100_000 + ((index * 7919) % 99_991)}`,
    creatorId: 'crt_42',
    productId: String(10 + (index % 7)),
    expires: '2027-03-01T00:00:00.000Z',
    maxIps: index % 5
  }))
  const body = Buffer.from(
    `{"licenses":${JSON.stringify(licenses)},"nextPage":${' '.repeat(DIGITS)}}`
  )

  const ids: number[] = []
  for (let at = body.indexOf(ZEROS); at >= 0; at = body.indexOf(ZEROS, at + DIGITS)) {
    ids.push(at)
  }
  return { body, ids }
}

const templates = new Map([100, 1000].map(size => [String(size), makeTemplate(size)] as const))

/** The path begins with the size of a page. */
const server = createServer((request, response) => {
  const [, size = '', page = ''] = /^\/(\d+)\/.*\?page=(\d+)$/.exec(request.url ?? '') ?? []
  const { body, ids } = templates.get(size) ?? makeTemplate(0)

  const first = (Number(page) - 1) * ids.length
  for (const [index, at] of ids.entries()) {
    body.write(String(first + index).padStart(DIGITS, '0'), at, 'latin1')
  }
  const next = first + ids.length < LICENSES ? String(Number(page) + 1) : 'null'
  body.write(next.padEnd(DIGITS), body.length - 1 - DIGITS)

  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(Buffer.from(body))
})

process.once('disconnect', () => process.exit())
process.send?.(await listenOn(server))
