// Reads the members of JSON objects, and the texts and kinds of values, by their place in the bytes. Pure.
import { BYTE, JsonFault, skipKey, skipSpace, skipString } from './scan.ts'

/** Takes a member's name and where its value begins; returns where the value ends. */
export type Visit = (name: string, start: number) => number

/** Visits the members of the object that begins at `at`; returns the offset after the object. */
export function eachMember(json: Buffer, at: number, visit: Visit): number {
  let i = skipSpace(json, at + 1)
  if (json[i] === BYTE.closeBrace) return i + 1
  for (;;) {
    const name = textAt(json, i, skipString(json, i))
    i = skipSpace(json, visit(name, skipSpace(json, skipKey(json, i))))
    const byte = json[i]
    if (byte === BYTE.closeBrace) return i + 1
    if (byte !== BYTE.comma) throw new JsonFault(i)
    i = skipSpace(json, i + 1)
  }
}

/** The text of a string with its quotes, which stands between two offsets. */
export function textAt(json: Buffer, start: number, end: number): string {
  if (!holdsEscape(json, start, end)) return json.toString('utf8', start + 1, end - 1)
  return String(JSON.parse(json.toString('utf8', start, end)))
}

/** Whether there is a backslash between two offsets. */
export function holdsEscape(json: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (json[i] === BYTE.backslash) return true
  }
  return false
}

/** What kind of value begins at `at`, for a message that must not quote it. */
export function kindAt(json: Uint8Array, at: number): string {
  switch (json[at]) {
    case BYTE.quote:
      return 'a string'
    case BYTE.openBrace:
      return 'an object'
    case BYTE.openBracket:
      return 'an array'
    case 0x74:
    case 0x66:
      return 'a boolean'
    case 0x6e:
      return 'null'
    default:
      return 'a number'
  }
}
