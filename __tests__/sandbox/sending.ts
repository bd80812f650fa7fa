// Talks to the stand-in for the shop, for its tests: as whom, of which products, and over a bare connection.
import { connect } from 'node:net'

export const token = 'secret-token'

export const products = [
  {
    id: 12,
    yours: true,
    benefits: [{ id: 34, optionId: 5, name: 'Pro' }]
  },
  {
    id: 13,
    yours: false,
    benefits: [{ id: 36, optionId: 7, name: 'Other' }]
  }
]

/** The answer on a bare connection. */
interface Heard {
  readonly text: string
  /** 0 if there was no answer. */
  readonly status: number
  /** `open` when the answer said enough. */
  readonly ended: 'fin' | 'reset' | 'open'
}

/** Sends bytes on a bare connection, and listens until its end or until the answer says enough. */
export async function converse(
  origin: string,
  data: Buffer | string,
  { halfClose = false, until = /never/ } = {}
): Promise<Heard> {
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

  const [, status = 0] = /^HTTP\/1\.[01] (\d+)/.exec(text) ?? []
  return {
    text,
    status: Number(status),
    ended: how
  }
}
