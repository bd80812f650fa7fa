// Reads JSON where it lies: says where a value ends, and refuses what RFC 8259 does not allow. Pure.
//
// A page may hold megabytes, and its values go through untouched: as positions in the bytes they cost no
// copies, and a number keeps digits that JavaScript's numbers cannot hold.

/** The bytes are no JSON; `at` is the offset of what does not fit. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
  readonly at: number
  constructor(at: number) {
    super(`no JSON from byte ${at} on`)
    this.at = at
  }
}

/** Bytes that mean something in JSON. */
export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d
} as const

const DEEPEST = 1_000_000
const LITERALS = ['true', 'false', 'null'].map(word => Buffer.from(word))

/** The offset of the next byte that is no white space. */
export function skipSpace(json: Uint8Array, at: number): number {
  let i = at
  for (;;) {
    const byte = json[i]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i
    i++
  }
}

/** The offset after the string that begins at `at`. */
export function skipString(json: Uint8Array, at: number): number {
  if (json[at] !== BYTE.quote) throw new JsonFault(at)
  let i = at + 1
  for (;;) {
    const byte = json[i]
    if (byte === BYTE.quote) return i + 1
    if (byte === undefined || byte < 0x20) throw new JsonFault(i)
    i = byte === BYTE.backslash ? skipEscape(json, i) : i + 1
  }
}

function skipEscape(json: Uint8Array, at: number): number {
  const byte = json[at + 1]
  if (byte === undefined || !'"\\/bfnrtu'.includes(String.fromCharCode(byte))) {
    throw new JsonFault(at)
  }
  if (byte !== 0x75) return at + 2
  for (let i = at + 2; i < at + 6; i++) {
    const digit = json[i]
    if (digit === undefined || !/[0-9a-fA-F]/.test(String.fromCharCode(digit))) {
      throw new JsonFault(at)
    }
  }
  return at + 6
}

/** The offset after the number that begins at `at`. */
export function skipNumber(json: Uint8Array, at: number): number {
  const start = json[at] === BYTE.minus ? at + 1 : at
  let i = json[start] === 0x30 ? start + 1 : skipDigits(json, start)
  if (json[i] === 0x2e) i = skipDigits(json, i + 1)
  const exponent = json[i]
  if (exponent !== 0x65 && exponent !== 0x45) return i
  const sign = json[i + 1]
  return skipDigits(json, sign === 0x2b || sign === BYTE.minus ? i + 2 : i + 1)
}

function skipDigits(json: Uint8Array, at: number): number {
  let i = at
  for (;;) {
    const byte = json[i]
    if (byte === undefined || byte < 0x30 || byte > 0x39) break
    i++
  }
  if (i === at) throw new JsonFault(at)
  return i
}

/** The offset after the colon that follows the key that begins at `at`. */
export function skipKey(json: Uint8Array, at: number): number {
  const colon = skipSpace(json, skipString(json, at))
  if (json[colon] !== BYTE.colon) throw new JsonFault(colon)
  return colon + 1
}

/** The offset after the value that begins at `at`, however deep it is nested. */
export function skipValue(json: Uint8Array, at: number): number {
  const closers: number[] = []
  let i = at
  for (;;) {
    const opener = json[i]
    if (opener === BYTE.openBrace || opener === BYTE.openBracket) {
      if (closers.length >= DEEPEST) throw new JsonFault(i)
      const closer = opener + 2
      i = skipSpace(json, i + 1)
      if (json[i] !== closer) {
        closers.push(closer)
        if (closer === BYTE.closeBrace) i = skipSpace(json, skipKey(json, i))
        continue
      }
      i++
    } else {
      i = skipScalar(json, i)
    }
    const next = leave(json, i, closers)
    if (closers.length === 0) return next
    i = next
  }
}

/** After a value: closes what ends here, and goes to the next value of what does not. */
function leave(json: Uint8Array, at: number, closers: number[]): number {
  let i = at
  for (let closer = closers.at(-1); closer !== undefined; closer = closers.at(-1)) {
    i = skipSpace(json, i)
    const byte = json[i]
    if (byte === BYTE.comma) {
      i = skipSpace(json, i + 1)
      return closer === BYTE.closeBrace ? skipSpace(json, skipKey(json, i)) : i
    }
    if (byte !== closer) throw new JsonFault(i)
    closers.pop()
    i++
  }
  return i
}

function skipScalar(json: Uint8Array, at: number): number {
  const byte = json[at]
  if (byte === BYTE.quote) return skipString(json, at)
  if (byte === undefined || byte < 0x61) return skipNumber(json, at)
  const literal = LITERALS.find(word => word.every((letter, i) => json[at + i] === letter))
  if (!literal) throw new JsonFault(at)
  return at + literal.length
}
