// The licenses action: from the inputs through the pages to the files and the report.
import { existsSync } from 'node:fs'
import { CancelledError, type Connect, strayError } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import { counted } from '../runner/text.ts'
import type { License } from '../shop/licenses.ts'
import { type ListComparison, openComparison } from './changes.ts'
import { makeExpiryFilter } from './expires.ts'
import { type Draft, findChangesDestination, openDraft } from './file.ts'
import { openEncoder } from './format.ts'
import { type ListInputs, parseListInputs } from './inputs.ts'
import { isListed, openDigests, sortPage, startTally, type Tally } from './known.ts'
import { type Asking, ListingError, readPages } from './pages.ts'
import {
  type CompleteListing,
  describeFailure,
  reportFailedListing,
  reportListed
} from './report.ts'

export type ListingAdapters = Readonly<{
  runner: Runner
  connect: Connect
  sleep: Asking['sleep']
}>

/** Runs the licenses action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function listLicenses({ runner, connect, sleep }: ListingAdapters): Promise<void> {
  runner.mask(runner.input('api-key'))
  const tally = startTally()
  const { inputs, faults, warnings } = parseListInputs(runner.input, runner.context)
  for (const warning of warnings) runner.warning(warning)
  if (!inputs) {
    const message = `Nothing was listed: ${counted(faults.length, 'input')} ${faults.length === 1 ? 'is' : 'are'} wrong.`
    const failed = { reason: 'bad-input', message, advice: '', faults } as const
    return reportFailedListing(runner, tally, failed)
  }
  const connection = connect(new URL(inputs.baseUrl).origin, { keepAlive: true })
  const asking = { runner, connection, inputs, sleep }
  const listed = await listToFiles(asking, tally).catch((error: unknown) => {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    const stray = error instanceof CancelledError ? strayError(runner.cancelled.reason) : undefined
    return describeFailure(stray ?? error, inputs)
  })
  connection.close()
  if ('reason' in listed) await reportFailedListing(runner, tally, listed)
  else await reportListed(runner, inputs, tally, listed)
}

const PROGRESS_EVERY = 20 // pages

/** Reads all pages, and writes the changes before the list, which may replace the earlier one. */
async function listToFiles(
  asking: Asking & Readonly<{ inputs: ListInputs }>,
  tally: Tally
): Promise<CompleteListing> {
  const { format, output, compareWith, product, expiresWithin: days } = asking.inputs
  const known = openDigests()
  const isOfProduct = ({ productId }: License) => product === '' || productId === product
  let comparison: ListComparison | undefined
  let draft: Draft | undefined
  try {
    if (compareWith !== undefined && output && existsSync(compareWith)) {
      const destination = findChangesDestination(output)
      comparison = await openComparison(compareWith, known, isOfProduct, destination)
    }
    if (format !== 'none' && output) draft = await openDraft(output)
    const encoder = openEncoder(format)
    const expiresSoon = days === undefined ? () => true : makeExpiryFilter(Date.now(), days)
    const end = await readPages(asking, {
      isKnown: license => isListed(known, license, false),
      async take(licenses) {
        const { wanted, isFresh } = sortPage(licenses, isOfProduct, known, tally)
        const kept = wanted.flatMap(([, license]) => (expiresSoon(license.expires) ? license : []))
        tally.kept += kept.length
        await comparison?.take(wanted)
        await draft?.write(encoder.encode(kept))
        if (tally.pages % PROGRESS_EVERY === 0) {
          asking.runner.info(`Pages read: ${tally.pages}; licenses so far: ${tally.count}.`)
        }
        return isFresh
      }
    })
    if (comparison && end.isCircling) {
      const message = 'The list goes in circles and may lack licenses, so it was not compared'
      throw new ListingError('strange-answer', message, 'Run this job again, or tell the shop.')
    }
    const changes = await comparison?.finish(tally)
    try {
      await draft?.write(encoder.end())
      return { end, changes, file: await draft?.finish() }
    } catch (error) {
      // Without the list, the changes would be found a second time.
      await comparison?.undo()
      throw error
    }
  } finally {
    await draft?.discard()
    await comparison?.close()
  }
}
