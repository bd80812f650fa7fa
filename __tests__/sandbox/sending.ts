// Owns how the sandbox's tests talk to the stand-in for the shop: forms by hand, and a bare connection.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const token = 'secret-token'

export const products = [
  { id: 12, yours: true, benefits: [{ id: 34, optionId: 5, name: 'Pro' }] },
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

/** Good parts but for this one, and then these. */
export function without(name: string, ...others: readonly Part[]): readonly Part[] {
  return [...goodParts.filter(([part]) => part !== name), ...others]
}

/** A multipart body with these parts. */
export function multipart(parts: readonly Part[]) {
  const chunks = parts.map(([name, value, fileName]) =>
    Buffer.concat([
      Buffer.from(`--limit\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(fileName === undefined ? '' : `; filename="${fileName}"`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(value),
      Buffer.from('\r\n')
    ])
  )
  const body = Buffer.concat([...chunks, Buffer.from('--limit--\r\n')])
  return { body, contentType: 'multipart/form-data; boundary=limit' }
}

/** The head of a publish request. */
export function head(headers: Readonly<Record<string, string | number>>, path = productRoute) {
  const all = { host: '127.0.0.1', authorization: `Bearer ${token}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** A whole good publish request; the answer ends its connection. */
export function goodRequest() {
  const { body, contentType } = multipart(goodParts)
  const sent = { 'content-type': contentType, 'content-length': body.length, connection: 'close' }
  const start = head(sent)
  return { start, body, all: Buffer.concat([Buffer.from(start), body]) }
}

/** Sends bytes on a bare connection, and listens until its end or until the answer says enough. */
export async function converse(
  origin: string,
  data: Buffer | string,
  { halfClose = false, until = /never/ } = {}
) {
  let text = ''
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  const ended = new Promise<'fin' | 'reset' | 'open'>(resolve => {
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk
      if (until.test(text)) resolve('open')
    })
    socket.on('end', () => resolve('fin'))
    socket.on('error', () => resolve('reset'))
  })
  socket.write(data, () => halfClose && socket.end())
  const how = await ended
  socket.destroy()
  return { text, status: Number(/^HTTP\/1\.[01] (\d+)/.exec(text)?.[1] ?? 0), ended: how }
}

/** Waits until it holds; a test that waits for ever fails by its time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}
