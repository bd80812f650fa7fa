// Publishes for the tests of publish-once: on a calm GitHub, with uploads that are held until they are decided on.
import { expect } from '@jest/globals'
import { type PublishOnceEnd, publishOnce } from '../../src/ledger/publish-once.ts'
import type { PublishResult } from '../../src/shop/upload.ts'
import { type CalmRecord, DIGEST } from './calm-record.ts'

const PUBLISHED: PublishResult = {
  kind: 'published',
  certainty: 'published',
  record: { id: '34', fields: {} }
}
const BUSY: PublishResult = {
  kind: 'notSent',
  certainty: 'not published',
  why: '503',
  cause: new Error('503'),
  retry: true
}
const UNKNOWN: PublishResult = {
  kind: 'noAnswer',
  certainty: 'unknown',
  why: 'no answer',
  cause: new Error('lost')
}

interface PublishOptions {
  /** Whether the connection of each try is lost before its tail goes, so that it may be tried again. */
  readonly retries?: readonly boolean[]
  /** Fires once the tail can no longer be sent. */
  readonly ended?: AbortSignal
  /** In milliseconds, until all but the tail is sent. */
  readonly uploadTakes?: number
  /** A try that is withheld is in doubt all the same, as after an early 201. */
  readonly isDoubtful?: boolean
}

interface Published {
  readonly result: PublishOnceEnd
  /** How often a tail went. */
  readonly tails: number
  /** How often the shop was asked before anything was claimed. */
  readonly contacts: number
  /** Why tails were withheld. */
  readonly causes: readonly Error[]
}

/** Publishes with uploads that are held until they are finished or withheld: none may be left held. */
export async function publish(
  record: CalmRecord,
  { retries = [], ended, uploadTakes = 0, isDoubtful = false }: PublishOptions = {}
): Promise<Published> {
  let tails = 0
  let contacts = 0
  let tries = 0
  let held = 0
  const causes: Error[] = []

  const result = await publishOnce(record.ledger, {
    digest: DIGEST,
    preflight: async () => {
      contacts += 1
    },
    waitToRetry: async end => end === BUSY,
    startUpload: async () => {
      await record.scheduler.turn(uploadTakes)
      held += 1
      return {
        kind: 'held',
        ended: ended ?? new AbortController().signal,
        finish: async () => {
          held -= 1
          tries += 1
          if (retries[tries - 1]) return BUSY

          tails += 1
          return PUBLISHED
        },
        withhold: async cause => {
          held -= 1
          causes.push(cause)
          const withheld = { ...BUSY, why: cause.message, cause, retry: false }
          return isDoubtful ? UNKNOWN : withheld
        }
      }
    }
  })

  expect(held).toBe(0)
  return {
    result,
    tails,
    contacts,
    causes
  }
}
