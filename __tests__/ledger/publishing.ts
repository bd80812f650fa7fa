// Publishes for the tests of publish-once: with a record in memory, and uploads that are held until they are decided on.
import { expect } from '@jest/globals'
import { type PublishOnceEnd, publishOnce, type Try } from '../../src/ledger/publish-once.ts'
import type { Ending } from '../../src/ledger/record-end.ts'
import { DIGEST, type MemoryRecord } from './memory-record.ts'

const endOf = (ending: Ending): Try<string> => ({
  kind: 'ended',
  result: ending.state,
  ending
})
const BUSY: Ending = { state: 'failure', why: '503' }

interface PublishOptions {
  /** Whether the connection of each try is lost before its tail goes, so that it may be tried again. */
  readonly retries?: readonly boolean[]
  /** Fires once the tail can no longer be sent. */
  readonly ended?: AbortSignal
  /** In milliseconds, until all but the tail is sent. */
  readonly uploadTakes?: number
  /** How a try ends that is withheld; certainly not published when left out. */
  readonly withheldAs?: Ending
}

interface Published {
  readonly result: PublishOnceEnd<string>
  /** How often a tail went. */
  readonly tails: number
  /** How often the shop was asked before anything was claimed. */
  readonly contacts: number
  /** Why tails were withheld. */
  readonly causes: readonly Error[]
}

/** Publishes with uploads that are held until they are finished or withheld: none may be left held. */
export async function publish(
  record: MemoryRecord,
  { retries = [], ended, uploadTakes = 0, withheldAs }: PublishOptions = {}
): Promise<Published> {
  let tails = 0
  let contacts = 0
  let tries = 0
  let held = 0
  const causes: Error[] = []

  const result = await publishOnce(record.ledger, {
    firstContact: async () => {
      contacts += 1
    },
    waitToRetry: async ({ ending }) => ending === BUSY,
    startUpload: async () => {
      await record.pass(uploadTakes)
      held += 1
      return {
        kind: 'held',
        digest: DIGEST,
        ended: ended ?? new AbortController().signal,
        finish: async () => {
          held -= 1
          tries += 1
          if (retries[tries - 1]) return endOf(BUSY)

          tails += 1
          return endOf({ state: 'success', versionId: '34' })
        },
        withhold: async cause => {
          held -= 1
          causes.push(cause)
          return endOf(withheldAs ?? { state: 'failure', why: cause.message })
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
