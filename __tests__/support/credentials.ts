// Owns the forms in which a secret may stand somewhere, and the search for them in all that a run left behind.
import type { StepTexts } from './environment.ts'

/** What a run produced, before anything was hidden. */
export interface Produced {
  readonly stdout: string
  readonly stderr: string
  /** The texts of the runner's files, by name. */
  readonly raw: StepTexts
}

/** Where a credential was found; says nothing of the credential itself. */
export interface Leak {
  /** Place of the credential in the list, from 1. */
  readonly credential: number
  readonly place: string
  /** What stands before it. */
  readonly before: string
}

const PIECE_LENGTH = 16
const SHOWN_BEFORE = 60

/** The first credential found, plain or encoded, whole or in a piece of 16 characters. */
export function findCredential(run: Produced, credentials: readonly string[]): Leak | undefined {
  const withoutMasks = (text: string) => text.replace(/^::add-mask::.*$/gm, '')
  const { stdout, stderr, raw } = run
  const texts = { stdout: withoutMasks(stdout), stderr: withoutMasks(stderr), ...raw }
  for (const [index, credential] of credentials.entries()) {
    for (const form of formsOf(credential)) {
      for (const [place, text] of Object.entries(texts)) {
        for (let start = 0; start <= Math.max(0, form.length - PIECE_LENGTH); start++) {
          const at = text.indexOf(form.slice(start, start + PIECE_LENGTH))
          if (at < 0) continue
          const before = text.slice(Math.max(0, at - SHOWN_BEFORE), at)
          return { credential: index + 1, place, before }
        }
      }
    }
  }
  return undefined
}

/** A text as it is and in the encodings that the runner hides along with it. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  // What base64 makes of the bytes depends on where they stand; these characters do not.
  const base64 = [0, 1, 2]
    .map(offset => bytes.subarray(offset))
    .map(inner => inner.toString('base64', 0, inner.length - (inner.length % 3)))
    .filter(form => form.length >= 8)
  return [
    ...[text, encodeURIComponent(text.toWellFormed()), JSON.stringify(text).slice(1, -1)],
    ...base64,
    ...base64.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))
  ].filter(form => form !== '')
}
