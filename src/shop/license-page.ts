// The wire shape of a page of licenses: where each of them lies in the bytes, and which page follows. Pure.
import { isUtf8 } from 'node:buffer'
import { misfit, PageFault, readLicense, SMALLEST, STRIDE } from './license.ts'
import { eachMember, kindAt, textAt } from './members.ts'
import { BYTE, JsonFault, skipSpace, skipValue } from './scan.ts'

/** A page, with values that still lie in its bytes. */
export interface LicensePage {
  readonly json: Buffer
  readonly count: number
  readonly spans: Uint32Array
  /** The page that follows; undefined at the end. */
  readonly next: number | undefined
}

const NONE = new Uint32Array()

/**
 * Reads the answer to the request for page `asked`; throws a `PageFault` that says where it is wrong. The
 * spans of a page that is used no more may serve as `room`.
 */
export function parsePage(json: Buffer, asked: number, room: Uint32Array = NONE): LicensePage {
  try {
    return readPage(json, asked, room)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const { at } = error
    const place = at < json.length ? `wrong from byte ${at + 1} of ${json.length} on` : 'cut short'
    const what = json[skipSpace(json, 0)] === 0x3c ? 'is HTML or XML, not JSON' : 'is not JSON'
    const reason = json.length === 0 ? 'is empty' : `${what} (${place})`
    throw new PageFault(reason, { cause: error })
  }
}

function readPage(json: Buffer, asked: number, room: Uint32Array): LicensePage {
  if (!isUtf8(json)) throw new PageFault('is not UTF-8')
  const start = skipSpace(json, 0)
  if (json[start] !== BYTE.openBrace) throw misfit('its whole', json, start, 'an object')
  let next = 0
  let licenses: Licenses | undefined
  const end = eachMember(json, start, (name, at) => {
    if (name === 'nextPage') next = readNext(json, at)
    if (name !== 'licenses') return skipValue(json, at)
    if (licenses) throw new PageFault('holds `licenses` twice')
    licenses = readLicenses(json, at, room)
    return licenses.end
  })
  if (skipSpace(json, end) !== json.length) throw new JsonFault(skipSpace(json, end))
  if (!licenses) throw new PageFault('has no `licenses`')
  const { count, spans } = licenses
  return { json, count, spans, next: count > 0 && next > asked ? next : undefined }
}

interface Licenses {
  readonly count: number
  readonly spans: Uint32Array
  readonly end: number
}

function readLicenses(json: Buffer, at: number, room: Uint32Array): Licenses {
  if (json[at] !== BYTE.openBracket) throw misfit('`licenses`', json, at, 'an array')
  let i = skipSpace(json, at + 1)
  if (json[i] === BYTE.closeBracket) return { count: 0, spans: room, end: i + 1 }
  // No license is shorter, so there is room for all of them, and for one that is cut short.
  const needed = (Math.floor(json.length / SMALLEST) + 1) * STRIDE
  const spans = room.length < needed ? new Uint32Array(needed) : room
  for (let count = 0; ; ) {
    i = skipSpace(json, readLicense(json, i, spans, count))
    count++
    if (json[i] === BYTE.closeBracket) return { count, spans, end: i + 1 }
    if (json[i] !== BYTE.comma) throw new JsonFault(i)
    i = skipSpace(json, i + 1)
  }
}

/** The number of the next page, or 0 where the value says that there is none. */
function readNext(json: Buffer, at: number): number {
  const end = skipValue(json, at)
  const kind = kindAt(json, at)
  if (kind === 'null') return 0
  const text = kind === 'a string' ? textAt(json, at, end) : json.toString('latin1', at, end)
  const next = Number(text)
  const written = kind === 'a number' || (kind === 'a string' && /^-?\d+$/.test(text))
  if (!written || !Number.isInteger(next)) throw misfit('`nextPage`', json, at, 'an integer')
  if (!Number.isSafeInteger(next)) throw new PageFault('has a `nextPage` with too many digits')
  return next
}
