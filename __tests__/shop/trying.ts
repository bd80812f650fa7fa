// Publishes for tests, in this process: a file of chosen bytes, with the real client.
import { type Service, type ServiceOptions, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import type { FileReading } from '../../src/shop/body.ts'
import { type PublishResult, startUpload, type VersionUpload } from '../../src/shop/upload.ts'
import { causeOf, type Decide } from '../http/peers.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'

export const TOKEN = 'token-that-opens-nothing'
/** Longer than anything takes that is not meant to end by a time-out. */
export const PATIENCE = {
  stall: 10_000,
  answer: 10_000,
  grace: 300
}

export function openService(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const product = {
    id: 12,
    yours: true,
    benefits: [{ id: 34, optionId: 5, name: 'Studios' }]
  }
  return startService({ token: TOKEN, products: [product], ...options })
}

/** A file of so many bytes, none of them read from a disk. */
export function fileOf(size: number, chunk = 256 * 1024): FileReading {
  const bytes = Buffer.alloc(Math.min(chunk, size), 'PK content ')
  return {
    name: 'gallery.zip',
    size,
    async *chunks() {
      for (let left = size; left > 0; left -= chunk) {
        yield bytes.subarray(0, Math.min(left, chunk))
      }
    }
  }
}

type Given = Partial<Omit<VersionUpload, 'service'>>

/** Publishes, and decides on the tail once only that is left: at once, if nothing else is given. */
export async function publishTo(
  baseUrl: string,
  given: Given = {},
  decide: Decide = async () => undefined
): Promise<PublishResult> {
  const upload = await startUpload(connect, {
    service: { baseUrl, token: TOKEN },
    route: { product: 12 },
    fields: VERSION_FIELDS,
    file: fileOf(1000),
    patience: PATIENCE,
    signal: new AbortController().signal,
    conceal: String,
    ...given
  })
  if (upload.kind !== 'held') return upload

  try {
    await decide(upload.ended)
  } catch (error) {
    return upload.withhold(error instanceof Error ? error : new Error(String(error)))
  }
  return upload.finish()
}

/** A result in a few words, such as `rejected 413` or `notSent ENOTFOUND`. */
export function inWords(result: PublishResult): string {
  switch (result.kind) {
    case 'published':
      return `published ${result.record.id}`
    case 'rejected':
      return `rejected ${result.status}`
    case 'notSent':
      return `notSent ${causeOf(result.cause)}`
    case 'noAnswer':
      return `unknown ${causeOf(result.cause)}`
    case 'doubtful':
      return `unknown ${result.status}`
  }
}
