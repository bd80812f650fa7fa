// A fingerprint of 96 bits for any bytes: three of the four words of MurmurHash3's 128 bits for x86. Pure.
//
// That two of a million ids share one has a chance of 1 in 10^17. A cryptographic hash would take ten times
// as long, and nobody has a use for ids that collide.
// https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp

/** The words of a fingerprint. */
export const WORDS = 3

const C1 = 0x239b961b
const C2 = 0xab0e9789
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93

/** Writes the words of the fingerprint of the bytes between two offsets to `into`, from `at` on. */
export function fingerprint(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint32Array,
  at: number
): void {
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  let i = start
  for (const last = end - 16; i <= last; i += 16) {
    h1 = mix(h1 ^ scramble(wordAt(bytes, i), C1, 15, C2), 19, h2, 0x561ccd1b)
    h2 = mix(h2 ^ scramble(wordAt(bytes, i + 4), C2, 16, C3), 17, h3, 0x0bcaa747)
    h3 = mix(h3 ^ scramble(wordAt(bytes, i + 8), C3, 17, C4), 15, h4, 0x96cd1c35)
    h4 = mix(h4 ^ scramble(wordAt(bytes, i + 12), C4, 18, C1), 13, h1, 0x32ac3b17)
  }
  if (end - i > 12) h4 ^= scramble(wordUpTo(bytes, i + 12, end), C4, 18, C1)
  if (end - i > 8) h3 ^= scramble(wordUpTo(bytes, i + 8, end), C3, 17, C4)
  if (end - i > 4) h2 ^= scramble(wordUpTo(bytes, i + 4, end), C2, 16, C3)
  if (end - i > 0) h1 ^= scramble(wordUpTo(bytes, i, end), C1, 15, C2)

  const length = end - start
  h1 = ((h1 ^ length) + (h2 ^ length) + (h3 ^ length) + (h4 ^ length)) | 0
  h2 = finish((h2 ^ length) + h1)
  h3 = finish((h3 ^ length) + h1)
  h4 = finish((h4 ^ length) + h1)
  h1 = (finish(h1) + h2 + h3 + h4) | 0
  into[at] = h1
  into[at + 1] = h2 + h1
  into[at + 2] = h3 + h1
}

function mix(hash: number, turn: number, other: number, constant: number): number {
  return (Math.imul(rotate(hash, turn) + other, 5) + constant) | 0
}

function scramble(word: number, first: number, turn: number, second: number): number {
  return Math.imul(rotate(Math.imul(word, first), turn), second)
}

function rotate(word: number, turn: number): number {
  return (word << turn) | (word >>> (32 - turn))
}

function finish(hash: number): number {
  let h = hash | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Four bytes as a word, the lowest first. */
function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

/** The same for the last bytes, with zeros for those from `end` on. */
function wordUpTo(bytes: Uint8Array, at: number, end: number): number {
  let word = 0
  for (let i = Math.min(end, at + 4) - 1; i >= at; i--) word = (word << 8) | (bytes[i] ?? 0)
  return word
}
