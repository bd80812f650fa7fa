// A service with a million licenses, in a process of its own. It does as little as it can: the page lies ready
// in memory, and only the ids and the number of the next page are written into it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import process from 'node:process'

const LICENSES = 1_000_000
const DIGITS = 8
const ZEROS = '0'.repeat(DIGITS)

/** A page of so many licenses, and where what differs stands in it. */
function templateOf(size: number) {
  const licenses = Array.from({ length: size }, (_, index) =>
    JSON.stringify({
      id: `lic_7c41d0e9${ZEROS}`,
      userId: `usr_${100_000 + ((index * 7919) % 99_991)}`,
      creatorId: 'crt_42',
      productId: String(10 + (index % 7)),
      expires: '2027-03-01T00:00:00.000Z',
      maxIps: index % 5
    })
  )
  const body = Buffer.from(`{"licenses":[${licenses.join(',')}],"nextPage":${' '.repeat(DIGITS)}}`)
  const ids: number[] = []
  for (let at = body.indexOf(ZEROS); at >= 0; at = body.indexOf(ZEROS, at + DIGITS)) ids.push(at)
  return { body, ids, next: body.length - 1 - DIGITS }
}

function pageOf({ body, ids, next }: ReturnType<typeof templateOf>, page: number): Buffer {
  const bytes = Buffer.from(body)
  const first = (page - 1) * ids.length
  for (const [index, at] of ids.entries()) {
    let rest = first + index
    for (let digit = DIGITS - 1; rest > 0; digit--) {
      bytes[at + digit] = 0x30 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
  const isLast = page * ids.length >= LICENSES
  bytes.write((isLast ? 'null' : String(page + 1)).padEnd(DIGITS), next)
  return bytes
}

const templates = new Map<string, ReturnType<typeof templateOf>>()

/** The path begins with the size of a page: the base address tells how to cut. */
const server = createServer((request, response) => {
  const [, size = '', page = ''] =
    /^\/(\d+)\/api\/v1\/licenses\?page=(\d+)$/.exec(request.url ?? '') ?? []
  const template = templates.get(size) ?? templateOf(Number(size))
  templates.set(size, template)
  const body = pageOf(template, Number(page))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
process.once('disconnect', () => process.exit())
