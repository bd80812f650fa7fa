// The certificate of the stand-ins: self-signed for 127.0.0.1 and a name, made anew for each run.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Certificate } from '../../sandbox/listener.ts'

interface CertificateOptions {
  /** In how many days it ends; a negative number makes it expired. 30 when left out. */
  readonly days?: number
  /** The only name that it stands for; localhost, 127.0.0.1 and `PROXIED` when left out. */
  readonly host?: string
}

/** A name of this machine that only a proxy of the tests finds: requests to a loopback address bypass proxies. */
export const PROXIED = 'peer.test'

/** In milliseconds. */
const DAY = 86_400_000

/** Makes a key and a certificate. One that signs itself is an authority: to trust it is to trust its `cert`. */
export function selfSign({ days = 30, host }: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const name = sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, host ?? 'sandbox'))))
  const end = Date.now() + days * DAY

  const own = [tlv(0x82, 'localhost'), tlv(0x82, PROXIED), tlv(0x87, '\x7f\0\0\x01')]
  const names = host === undefined ? own : [tlv(0x82, host)]
  const isAuthority = sequence(tlv(0x01, Buffer.of(0xff)))

  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))), // X.509 version 3
    tlv(0x02, Buffer.of(1), randomBytes(8)), // serial number
    algorithm,
    name,
    sequence(time(Math.min(Date.now(), end) - DAY), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(
      0xa3,
      sequence(
        sequence(oid('551d11'), tlv(0x04, sequence(...names))), // subjectAltName
        sequence(oid('551d13'), tlv(0x01, Buffer.of(0xff)), tlv(0x04, isAuthority)) // basicConstraints
      )
    )
  )

  const signature = tlv(0x03, Buffer.of(0), sign('sha256', body, privateKey))
  const base64 = sequence(body, algorithm, signature).toString('base64')
  const lines = base64.replace(/.{64}/g, '$&\n').trimEnd()
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  }
}

/** A DER element: tag, length, content. */
function tlv(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map(part => Buffer.from(part)))
  const { length } = content
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), content])
}

/** A length in DER, up to 65,535: one byte for a short one; for others, the number of bytes that follow, and then those. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))

// UTCTime, which has two digits for the year and is what certificates use until 2049.
function time(at: number): Buffer {
  // Such as `20260131140500Z`.
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')
  return tlv(0x17, text.slice(2))
}
