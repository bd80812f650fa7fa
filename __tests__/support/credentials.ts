// Owns the search for a credential in everything that a run left behind.
import { Buffer } from 'node:buffer'
import type { StepTexts } from './environment.ts'
import { splitLines } from './lines.ts'
import type { Command } from './log.ts'

/** What a run produced, before anything was masked. */
export interface Produced {
  readonly stdout: string
  readonly stderr: string
  readonly commands: readonly Command[]
  /** The texts of the runner's files, by name. */
  readonly raw: StepTexts
}

/** Where a credential was found; says nothing of the credential itself. */
export interface Leak {
  /** Place of the credential in the list, from 1. */
  readonly credential: number
  readonly place: string
  readonly form: string
  /** What stands before it. */
  readonly before: string
}

const PIECE_LENGTH = 16
const SHOWN_BEFORE = 60

/** The first credential found, plain or encoded, whole or in a piece of 16 characters. */
export function findCredential(run: Produced, credentials: readonly string[]): Leak | undefined {
  const allowed = new Set(
    run.commands.filter(({ name }) => name === 'add-mask').map(({ line }) => line)
  )
  const withoutMasks = (text: string) =>
    splitLines(text)
      .filter(line => !allowed.has(line))
      .join('\n')
  const places = [
    ['stdout', withoutMasks(run.stdout)],
    ['stderr', withoutMasks(run.stderr)],
    ...Object.entries(run.raw)
  ] as const
  for (const [index, credential] of credentials.entries()) {
    if (credential === '') throw new Error('An empty text is no credential')
    for (const [place, text] of places) {
      const found = findForm(text, credential)
      if (found !== undefined) return { credential: index + 1, place, ...found }
    }
  }
  return undefined
}

function findForm(text: string, credential: string): Pick<Leak, 'form' | 'before'> | undefined {
  for (const [form, encoded] of formsOf(credential)) {
    for (let start = 0; start <= Math.max(0, encoded.length - PIECE_LENGTH); start++) {
      const at = text.indexOf(encoded.slice(start, start + PIECE_LENGTH))
      if (at >= 0) return { form, before: text.slice(Math.max(0, at - SHOWN_BEFORE), at) }
    }
  }
  return undefined
}

function formsOf(credential: string): (readonly [form: string, text: string])[] {
  const bytes = Buffer.from(credential)
  return [
    ['plain', credential],
    ['URL-encoded', encodeURIComponent(credential.toWellFormed())],
    ['JSON', JSON.stringify(credential).slice(1, -1)],
    ...[0, 1, 2].flatMap(offset => {
      const inner = innerBase64(bytes, offset)
      return inner === ''
        ? []
        : ([
            ['base64', inner],
            ['base64url', inner.replaceAll('+', '-').replaceAll('/', '_')]
          ] as const)
    })
  ]
}

/** The characters of base64 that do not depend on what stands around the bytes. */
function innerBase64(bytes: Buffer, offset: number): string {
  const whole = bytes.subarray(offset)
  const inner = whole.subarray(0, whole.length - (whole.length % 3))
  return inner.length < 6 ? '' : inner.toString('base64')
}
