// One page after another: asks, asks again where that may help, and says where the list ends.
import { canWait, pauseBefore } from '../http/pause.ts'
import type { Log } from '../runner/runner.ts'
import { PageFault } from '../shop/license.ts'
import { type LicensePage, parsePage } from '../shop/license-page.ts'
import { askForPage, type Register } from '../shop/pages.ts'
import { describeRefusal, PageError } from './page-error.ts'

/** How often a page is asked for at most. */
export const TRIES = 4

/** Whom to ask, what to tell about it, and how to wait before asking again. */
export interface Asking {
  readonly register: Register
  readonly log: Pick<Log, 'info'>
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Which pages are wanted. */
export interface Range {
  readonly firstPage: number
  readonly maxPages: number
}

/** Reads the pages, each once, up to the end of the list or of the range; throws a `PageError`. */
export async function* readPages(
  asking: Asking,
  { firstPage, maxPages }: Range
): AsyncGenerator<LicensePage> {
  let asked = askPatiently(asking, firstPage)
  let number = firstPage
  let room: Uint32Array | undefined
  for (let read = 1; ; read++) {
    const page = readPage(await asked, number, room)
    const { next, spans } = page
    if (next === undefined || read >= maxPages) {
      yield page
      return
    }
    // The service makes the next page while this one is written.
    asked = askPatiently(asking, next)
    // Told when it is awaited; until then nobody else is to take care of it.
    asked.catch(() => undefined)
    yield page
    number = next
    room = spans.length <= MOST_ROOM ? spans : undefined
  }
}

/** What is larger is not kept for the next page. */
const MOST_ROOM = 1024 * 1024

function readPage(json: Buffer, number: number, room: Uint32Array | undefined): LicensePage {
  try {
    return parsePage(json, number, room)
  } catch (error) {
    if (!(error instanceof PageFault)) throw error
    throw new PageError(number, { kind: 'fault' }, error.message, error)
  }
}

async function askPatiently(asking: Asking, page: number): Promise<Buffer> {
  const { register, log, sleep } = asking
  for (let tried = 1; ; tried++) {
    const result = await askForPage(register, page)
    if (result.kind === 'page') return result.json
    const what = describeRefusal(result, new URL(register.baseUrl).host)
    const { retry } = result
    const isPatient = retry && tried < TRIES && canWait(retry.after)
    if (!isPatient) {
      const times = tried > 1 ? `, at the last of ${tried} tries` : ''
      throw new PageError(page, result, `${what}${times}`)
    }
    const ms = pauseBefore(tried, retry.after, Math.random())
    log.info(
      `Page ${page}: ${what}. Try ${tried + 1} of ${TRIES} follows in ${(ms / 1000).toFixed(1)} s.`
    )
    await sleep(ms, register.signal)
  }
}
