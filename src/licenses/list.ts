// The use case: read the inputs, ask for page after page, write as it comes, report.
import { type Connect, USER_AGENT } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import type { Fault } from '../runner/values.ts'
import type { License } from '../shop/license-page.ts'
import { openEncoder } from './export.ts'
import { type Destination, findDestination, openDraft, type Written } from './file.ts'
import { isComplete, type LicenseInputs, parseInputs } from './inputs.ts'
import { type Asking, readPages } from './page.ts'
import { badInputs, logReport, outputsOf, type Progress, type Report, reportOf } from './report.ts'
import { startSelection } from './seen.ts'
import { summaryOf } from './summary.ts'

/** Everything that the use case touches outside of itself. */
export interface Adapters {
  readonly runner: Runner
  readonly connect: Connect
  readonly sleep: Asking['sleep']
  /** Milliseconds. */
  now(): number
}

/** Runs the licenses action from the inputs to the outputs. */
export async function listLicenses(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  const report = await list(adapters)
  for (const [name, value] of outputsOf(report)) runner.output(name, value)
  logReport(runner, report)
  await runner.summary(summaryOf(report))
  if (report.outcome === 'failed') runner.fail()
}

async function list(adapters: Adapters): Promise<Report> {
  const { runner, connect, sleep, now } = adapters
  runner.mask(runner.input('api-key'))
  const { inputs, destination, faults } = await readInputs(runner)
  if (!inputs) return badInputs(faults)
  const { baseUrl, apiKey, stallTimeout: stall } = inputs
  const progress: Progress = { selection: startSelection(inputs.product), pages: 0 }
  const over = new AbortController()
  const connection = connect(new URL(baseUrl).origin, { keepAlive: true })
  const signal = AbortSignal.any([runner.cancelled, over.signal])
  const service = { connection, baseUrl, apiKey, userAgent: USER_AGENT, stall, signal }
  const asking = { service, log: runner, sleep }
  try {
    const file = await writeFile({ inputs, destination, asking, progress, now })
    return reportOf(inputs, progress, { file })
  } catch (error) {
    return reportOf(inputs, progress, { error })
  } finally {
    over.abort()
    connection.close()
  }
}

interface Inputs {
  readonly inputs?: LicenseInputs
  /** Undefined with the format `none`. */
  readonly destination?: Destination | undefined
  readonly faults: readonly Fault[]
}

/** The inputs, and where the file goes if there is to be one; or every fault. */
async function readInputs(runner: Runner): Promise<Inputs> {
  const { parsed, faults } = parseInputs(runner.input)
  const { output, format = 'json' } = parsed
  let destination: Destination | undefined
  if (output !== undefined && format !== 'none') {
    try {
      destination = await findDestination(output, format, runner.context)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { faults: [...faults, { place: 'output', message }] }
    }
  }
  return isComplete(parsed) ? { inputs: parsed, destination, faults } : { faults }
}

interface Listing {
  readonly inputs: LicenseInputs
  readonly destination: Destination | undefined
  readonly asking: Asking
  readonly progress: Progress
  now(): number
}

/** Lists into the file, if there is to be one; it is there only if all went well. */
async function writeFile(listing: Listing): Promise<Written | undefined> {
  const { destination, inputs } = listing
  if (!destination || inputs.format === 'none') {
    for await (const _ of pick(listing));
    return undefined
  }
  const encoder = await openEncoder(inputs.format)
  const draft = await openDraft(destination)
  try {
    await draft.write(encoder.head)
    for await (const licenses of pick(listing)) await draft.write(encoder.encode(licenses))
    await draft.write(encoder.foot)
    return await draft.complete()
  } finally {
    await draft.discard()
  }
}

/** How often the log says how far it is, in milliseconds. */
const PROGRESS_EVERY = 5000

/** The licenses to keep, page by page. */
async function* pick(listing: Listing): AsyncGenerator<readonly License[]> {
  const { inputs, asking, progress, now } = listing
  let logged = now()
  for await (const { licenses, next } of readPages(asking, inputs)) {
    progress.pages++
    yield progress.selection.pick(licenses)
    if (progress.pages === inputs.maxPages && next !== undefined) progress.next = next
    if (now() - logged < PROGRESS_EVERY) continue
    logged = now()
    asking.log.info(`Pages read: ${progress.pages}; licenses so far: ${progress.selection.count}.`)
  }
}
