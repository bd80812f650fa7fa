// The use case: read the inputs, ask for page after page, write as it comes, report.
import { hash } from 'node:crypto'
import type { Connect } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import type { License } from '../shop/licenses.ts'
import { type Written, writeFile } from './file.ts'
import { type LicenseInputs, parseInputs } from './inputs.ts'
import { type Asking, readPages } from './pages.ts'
import { badInputs, failure, type Progress, success, tell } from './report.ts'

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
  runner.mask(runner.input('api-key'))
  const inputs = parseInputs(runner.input, runner.context)
  const progress: Progress = { pages: 0, count: 0, repeated: 0, products: new Map() }
  const report = 'baseUrl' in inputs ? await list(inputs, progress, adapters) : badInputs(inputs)
  await tell(runner, report, progress)
}

async function list(inputs: LicenseInputs, progress: Progress, adapters: Adapters) {
  const { runner, connect, sleep, now } = adapters
  const { baseUrl, apiKey, stallTimeout: stall, destination, product } = inputs
  const connection = connect(new URL(baseUrl).origin, { keepAlive: true })
  const service = { connection, baseUrl, apiKey, stall, signal: runner.cancelled }
  const pages = pick({ service, log: runner, sleep }, inputs, progress, now)
  try {
    let file: Written | undefined
    if (destination !== 'none') file = await writeFile(destination, pages)
    else for await (const _ of pages);
    return success(product, progress, file)
  } catch (error) {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    return failure(error, inputs)
  } finally {
    connection.close()
  }
}

/** How often the log says how far it is, in milliseconds. */
const PROGRESS_EVERY = 5000

/** The licenses to keep, page by page: those of the wanted product that were not there before. */
async function* pick(
  asking: Asking,
  inputs: LicenseInputs,
  progress: Progress,
  now: () => number
): AsyncGenerator<readonly License[]> {
  const { product } = inputs
  const seen = new Set<string>()
  let logged = now()
  for await (const { licenses, next } of readPages(asking, inputs)) {
    const wanted = licenses.filter(({ productId }) => product === '' || productId === product)
    const picked = wanted.filter(({ id }) => seen.size < seen.add(digestOf(id)).size)
    progress.pages++
    progress.count += picked.length
    progress.repeated += wanted.length - picked.length
    for (const { productId } of picked) {
      progress.products.set(productId, (progress.products.get(productId) ?? 0) + 1)
    }
    yield picked
    if (progress.pages === inputs.maxPages && next !== undefined) progress.next = next
    if (now() - logged < PROGRESS_EVERY) continue
    logged = now()
    asking.log.info(`Pages read: ${progress.pages}; licenses so far: ${progress.count}.`)
  }
}

/** 96 bits as Latin-1: 12 characters for each id, however long it is. Two of a million agree once in 10^17. */
function digestOf(id: string): string {
  return hash('sha256', id, 'buffer').toString('latin1', 0, 12)
}
