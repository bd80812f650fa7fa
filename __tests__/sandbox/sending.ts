/** Owns how the sandbox's tests send: a multipart form by hand and a bare connection. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const token = 'secret-token'

export const products = [
  {
    id: 12,
    yours: true,
    benefits: [
      { id: 34, optionId: 5, name: 'Pro' },
      { id: 35, optionId: 6, name: 'Max' }
    ]
  },
  { id: 13, yours: false, benefits: [{ id: 36, optionId: 7, name: 'Other' }] }
]

export const productRoute = '/api/products/12/versions'
export const benefitRoute = '/api/products/12/benefits/34/versions'

export const fields = {
  version_name: '1.2.3',
  title: 'Plugin 1.2.3',
  changelog: 'Line one\nLine two – ünïcode',
  changelog_format: 'markdown'
}

export const file = {
  name: 'plugin ü.zip',
  content: Buffer.from('PK\u0003\u0004 some bytes\r\n--not')
}

export type Part = readonly [name: string, value: string | Buffer, fileName?: string]

export const goodParts: readonly Part[] = [
  ...Object.entries(fields),
  ['file', file.content, file.name]
]

/** A multipart body with these parts. */
export function multipart(parts: readonly Part[], boundary = 'limit') {
  const chunks = parts.map(([name, value, fileName]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(fileName === undefined ? '' : `; filename="${fileName}"`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(value),
      Buffer.from('\r\n')
    ])
  )
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** The head of a publish request. */
export function head(headers: Readonly<Record<string, string | number>>, path = productRoute) {
  const all = { host: '127.0.0.1', authorization: `Bearer ${token}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** A whole good publish request. */
export function goodRequest(path = productRoute, headers: Readonly<Record<string, string>> = {}) {
  const { body, contentType } = multipart(goodParts)
  const sent = { 'content-type': contentType, 'content-length': body.length, ...headers }
  const start = head(sent, path)
  return { start, body, all: Buffer.concat([Buffer.from(start), body]) }
}

export interface Heard {
  /** Everything that came back. */
  readonly text: string
  readonly status: number
  /** How it ended: by the other side's FIN or RST, or not at all within the time. */
  readonly ended: 'fin' | 'reset' | 'open'
}

/** Sends bytes on a bare connection and listens until its end, until something comes, or for so long. */
export async function converse(
  origin: string,
  data: Buffer | string,
  { halfClose = false, ms = 2000, destroy = false, untilAnswered = false } = {}
): Promise<Heard> {
  const chunks: Buffer[] = []
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  const ended = new Promise<Heard['ended']>(resolve => {
    socket.on('data', chunk => {
      chunks.push(chunk)
      if (untilAnswered) resolve('open')
    })
    socket.on('end', () => resolve('fin'))
    socket.on('error', () => resolve('reset'))
    sleep(untilAnswered ? 20_000 : ms, undefined, { ref: false }).then(() => resolve('open'))
  })
  socket.write(data, () => {
    if (halfClose) socket.end()
    if (destroy) socket.destroy()
  })
  const how = destroy ? 'open' : await ended
  if (destroy) await sleep(100)
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  return { text, status: Number(/^HTTP\/1\.[01] (\d+)/.exec(text)?.[1] ?? 0), ended: how }
}
