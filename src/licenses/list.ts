// The use case: read the inputs, ask page after page, write as it comes, report. It gets its doors as one argument.
import type { Connect } from '../http/exchange.ts'
import { USER_AGENT } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import type { Fault } from '../runner/values.ts'
import type { LicensePage } from '../shop/license-page.ts'
import type { Register } from '../shop/pages.ts'
import { drain, startBatch, WORTH } from './batch.ts'
import { failureOf } from './explain.ts'
import { type Encoder, openEncoder } from './export.ts'
import { type Draft, openDraft, type Written } from './file.ts'
import { isComplete, type LicenseInputs, parseInputs } from './inputs.ts'
import { type Asking, readPages } from './paging.ts'
import { findPlace, type Place } from './place.ts'
import { watchProgress } from './progress.ts'
import { faulty, outputsOf, type Report, reportOf } from './report.ts'
import { type Selection, startSelection } from './select.ts'
import { summaryOf } from './summary.ts'
import { tell } from './tell.ts'

/** Everything that the use case touches outside of itself. */
export interface Doors {
  readonly runner: Runner
  readonly connect: Connect
  readonly sleep: Asking['sleep']
}

/** Runs the licenses action from the inputs to the outputs. */
export async function listLicenses(doors: Doors): Promise<void> {
  const { runner } = doors
  const report = await attend(doors)
  for (const [name, value] of outputsOf(report)) runner.output(name, value)
  tell(runner, report)
  await runner.summary(summaryOf(report))
  if (report.outcome === 'failed') runner.fail()
}

async function attend({ runner, connect, sleep }: Doors): Promise<Report> {
  runner.mask(runner.input('api-key'))
  const { inputs, place, faults } = await readInputs(runner)
  if (!inputs) return faulty(faults)
  const progress: Progress = { selection: startSelection(inputs.product), pages: 0 }
  const over = new AbortController()
  const { origin, host } = new URL(inputs.baseUrl)
  const connection = connect(origin, { keepAlive: true })
  const register: Register = {
    connection,
    baseUrl: inputs.baseUrl,
    apiKey: inputs.apiKey,
    userAgent: USER_AGENT,
    stall: inputs.stallTimeout,
    signal: AbortSignal.any([runner.cancelled, over.signal])
  }
  try {
    const file = await writeFile({
      inputs,
      place,
      asking: { register, log: runner, sleep },
      progress
    })
    return reportOf(inputs, progress, file)
  } catch (error) {
    return reportOf(inputs, progress, undefined, failureOf(error, host))
  } finally {
    over.abort()
    connection.close()
  }
}

/** The inputs, and the place for the file if there is to be one; or every fault. */
async function readInputs(runner: Runner): Promise<{
  readonly inputs?: LicenseInputs
  readonly place?: Place | undefined
  readonly faults: readonly Fault[]
}> {
  const { parsed, faults } = parseInputs(runner.input)
  const { output, format } = parsed
  const isWanted = output !== undefined && format !== 'none'
  const found = isWanted
    ? await findPlace(output, format ?? 'json', runner.context).catch(asFault)
    : undefined
  if (found && 'message' in found) return { faults: [...faults, found] }
  return faults.length === 0 && isComplete(parsed)
    ? { inputs: parsed, place: found, faults }
    : { faults }
}

function asFault(error: unknown): Fault {
  const text = error instanceof Error ? error.message : String(error)
  return { place: 'output', message: text }
}

/** How far the listing got. */
export interface Progress {
  readonly selection: Selection
  pages: number
  /** The page where `max-pages` stopped it. */
  next?: number
}

interface Listing {
  readonly inputs: LicenseInputs
  readonly place: Place | undefined
  readonly asking: Asking
  readonly progress: Progress
}

/** Lists into the file, if there is a place for it; the file is there only if all went well. */
async function writeFile(listing: Listing): Promise<Written | undefined> {
  const { place, inputs } = listing
  if (!place || inputs.format === 'none') {
    await readAll(listing, () => Promise.resolve())
    return undefined
  }
  const draft = await openDraft(place)
  try {
    const encoder = await openEncoder(inputs.format)
    await writeAll(listing, encoder, draft)
    return await draft.complete()
  } finally {
    await draft.discard()
  }
}

async function writeAll(listing: Listing, encoder: Encoder, draft: Draft): Promise<void> {
  const batch = startBatch()
  encoder.begin(batch)
  await readAll(listing, async (page, picked) => {
    encoder.append(batch, page, picked)
    if (batch.length >= WORTH) await draft.write(drain(batch))
  })
  encoder.end(batch)
  await draft.write(drain(batch))
}

async function readAll(
  { inputs, asking, progress }: Listing,
  use: (page: LicensePage, picked: readonly number[]) => Promise<void>
): Promise<void> {
  const { firstPage, maxPages } = inputs
  const report = watchProgress(text => asking.log.info(text), Date.now)
  for await (const page of readPages(asking, { firstPage, maxPages })) {
    progress.pages++
    await use(page, progress.selection.pick(page))
    if (progress.pages === maxPages && page.next !== undefined) progress.next = page.next
    report(progress.pages, progress.selection.count)
  }
}
