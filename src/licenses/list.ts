// The licenses action: from the inputs through the pages to the file and the report.
import type { Connect } from '../http/exchange.ts'
import { ActionError } from '../runner/action-error.ts'
import { CancelledError, uncaughtErrorOf } from '../runner/cancellation.ts'
import { isSecretName } from '../runner/parsers.ts'
import type { Runner } from '../runner/runner.ts'
import { counted } from '../runner/words.ts'
import type { License } from '../shop/licenses.ts'
import { openDraft, openEncoder } from './file.ts'
import { readListConfig } from './list-config.ts'
import { type PageRequest, readPages } from './pages.ts'
import { reportFailed, reportListed, type Tally } from './report.ts'

/** The runner, the network and the clock, which tests replace. */
export interface ListAdapters {
  readonly runner: Runner
  readonly connect: Connect
  /** Resolves after `ms` milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Runs the licenses action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function listLicenses(adapters: ListAdapters): Promise<void> {
  const { runner, connect, sleep } = adapters
  const key = runner.input('api-key')
  if (!isSecretName(key)) runner.mask(key)

  const tally: Tally = {
    pages: 0,
    count: 0,
    repeated: 0
  }

  try {
    const config = readListConfig(runner)
    const connection = connect(new URL(config.baseUrl).origin, { keepAlive: true })
    try {
      const request: PageRequest = {
        runner,
        connection,
        config,
        sleep
      }
      const size = await listToFile(request, tally)
      await reportListed(runner, config, tally, size)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    await reportFailed(runner, tally, explain(error, runner))
  }
}

/** The error as a user may read it. */
function explain(error: unknown, { cancelled }: Runner): ActionError {
  if (error instanceof ActionError) return error

  const isCancelled = error instanceof CancelledError
  const uncaught = isCancelled ? uncaughtErrorOf(cancelled.reason) : undefined
  if (isCancelled && !uncaught) return new ActionError('cancelled', 'The run was canceled.')

  const cause = uncaught ?? error
  const what = cause instanceof Error ? cause.message : String(cause)
  const advice = 'Report this with the log of a run in debug mode.'
  return new ActionError('internal', `This should not have happened: ${what}`, { advice, cause })
}

/** After so many pages, the log says how far it is. */
const PROGRESS_PAGES = 20

/** Reads all pages into the file, which is complete or absent; returns its size in bytes. */
async function listToFile(request: PageRequest, tally: Tally): Promise<number> {
  const { path, format, product } = request.config
  const seen = new Set<string>()
  const draft = await openDraft(path)
  const encoder = openEncoder(format)

  /** Keeps the licenses of a page that are new and wanted. Returns whether any is new. */
  const take = async (licenses: readonly License[]): Promise<boolean> => {
    const fresh: License[] = []
    for (const license of licenses) {
      if (seen.has(license.id)) continue
      seen.add(license.id)
      fresh.push(license)
    }

    const wanted = fresh.filter(({ productId }) => product === '' || productId === product)
    tally.pages++
    tally.count += wanted.length
    tally.repeated += licenses.length - fresh.length

    await draft.write(encoder.encode(wanted))
    if (tally.pages % PROGRESS_PAGES === 0) {
      request.runner.info(`Pages read: ${tally.pages}; licenses so far: ${tally.count}.`)
    }
    return fresh.length > 0
  }

  try {
    await readPages(request, take)
    if (tally.count === 0 && seen.size > 0) throw explainProduct(product, seen.size)

    await draft.write(encoder.end())
    return await draft.finish()
  } finally {
    await draft.discard()
  }
}

function explainProduct(product: string, others: number): ActionError {
  const has = `The shop has ${counted(others, 'license')}, and none of the product "${product}".`
  return new ActionError('bad-input', has, {
    advice: 'Check the input `product`: it is the number that a license has as `productId`.'
  })
}
