// The licenses action: from the inputs through the pages to the file and the report.
import { CancelledError, type Connect, strayError } from '../http/exchange.ts'
import { ActionError } from '../runner/action-error.ts'
import type { Runner } from '../runner/runner.ts'
import type { License } from '../shop/licenses.ts'
import { type Draft, openDraft } from './file.ts'
import { openEncoder } from './format.ts'
import { type ListInputs, readListInputs } from './inputs.ts'
import { type Asking, readPages } from './pages.ts'
import { type Listed, reportFailed, reportListed, type Tally } from './report.ts'

export type ListingAdapters = Readonly<{
  runner: Runner
  connect: Connect
  sleep: Asking['sleep']
}>

/** Runs the licenses action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function listLicenses({ runner, connect, sleep }: ListingAdapters): Promise<void> {
  runner.mask(runner.input('api-key'))
  const tally: Tally = { pages: 0, count: 0, others: 0, repeated: 0, products: new Map() }
  try {
    const inputs = readListInputs(runner)
    const connection = connect(new URL(inputs.baseUrl).origin, { keepAlive: true })
    try {
      const listed = await listToFile({ runner, connection, inputs, sleep }, inputs, tally)
      await reportListed(runner, inputs.product, tally, listed)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    await reportFailed(runner, tally, known(error, runner))
  }
}

function known(error: unknown, { cancelled }: Runner): ActionError {
  if (error instanceof ActionError) return error
  const stray = error instanceof CancelledError ? strayError(cancelled.reason) : undefined
  if (error instanceof CancelledError && !stray) {
    return new ActionError('cancelled', 'The run was cancelled.')
  }
  const cause = stray ?? error
  const what = cause instanceof Error ? cause.message : String(cause)
  const advice = 'Report this with the log of a run in debug mode.'
  return new ActionError('internal', `This should not have happened: ${what}`, { advice, cause })
}

const PROGRESS_EVERY = 20 // pages

/** Reads all pages into the file, which is complete or absent. */
async function listToFile(asking: Asking, inputs: ListInputs, tally: Tally): Promise<Listed> {
  const { product, format, destination } = inputs
  /** By id, whether it is of the wanted product. */
  const seen = new Set<string>()
  let draft: Draft | undefined
  try {
    if (destination) draft = await openDraft(destination)
    const encoder = openEncoder(format)
    const next = await readPages(asking, {
      isKnown: ({ id }) => seen.has(id),
      async take(licenses) {
        const fresh = licenses.filter(license => isFresh(license, seen, tally))
        const wanted = fresh.filter(({ productId }) => product === '' || productId === product)
        tally.pages++
        tally.count += wanted.length
        tally.others += fresh.length - wanted.length
        for (const { productId } of wanted) {
          tally.products.set(productId, (tally.products.get(productId) ?? 0) + 1)
        }
        await draft?.write(encoder.encode(wanted))
        if (tally.pages % PROGRESS_EVERY === 0) {
          asking.runner.info(`Pages read: ${tally.pages}; licenses so far: ${tally.count}.`)
        }
        return fresh.length > 0
      }
    })
    await draft?.write(encoder.end())
    return { next, file: await draft?.finish() }
  } finally {
    await draft?.discard()
  }
}

function isFresh({ id }: License, seen: Set<string>, tally: Tally): boolean {
  if (seen.has(id)) {
    tally.repeated++
    return false
  }
  seen.add(id)
  return true
}
