// The use case: read the inputs, ask for page after page, write as it comes, report.
import { hash } from 'node:crypto'
import type { Connect } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import {
  type Fault,
  optional,
  or,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  readTable,
  required,
  word
} from '../runner/values.ts'
import type { License } from '../shop/licenses.ts'
import { type Folders, findDestination, writeFile } from './file.ts'
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

/** Reads every input; undefined, with faults added, when one is wrong. */
export function parseInputs(raw: (name: string) => string, folders: Folders, faults: Fault[]) {
  const format = raw('format').trim() || 'json'
  const inputs = {
    'base-url': parseBaseUrl,
    'api-key': (text: string) => parseSecret(required(text)),
    format: word('json', 'ndjson', 'csv', 'none'),
    output: (text: string) =>
      format === 'none' ? undefined : findDestination(text, format, folders),
    /** The only product wanted; empty for all. */
    product: String,
    'first-page': or('1', parseId),
    'max-pages': optional(parseId),
    'stall-timeout': or('60', parseSeconds)
  }
  return readTable(inputs, raw, faults)
}

type Inputs = NonNullable<ReturnType<typeof parseInputs>>

/** Runs the licenses action from the inputs to the outputs. */
export async function listLicenses(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  runner.mask(runner.input('api-key'))
  const faults: Fault[] = []
  const inputs = parseInputs(runner.input, runner.context, faults)
  const progress: Progress = { pages: 0, count: 0, repeated: 0, products: new Map() }
  const report = inputs ? await list(inputs, progress, adapters) : badInputs(faults)
  await tell(runner, report, progress)
}

async function list(inputs: Inputs, progress: Progress, adapters: Adapters) {
  const { runner, connect, sleep, now } = adapters
  const { baseUrl, apiKey, stallTimeout: stall, format, output, product } = inputs
  const connection = connect(new URL(baseUrl).origin, { keepAlive: true })
  const { info, cancelled: signal } = runner
  const pages = pick(
    { connection, baseUrl, apiKey, stall, signal, info, sleep },
    inputs,
    progress,
    now
  )
  try {
    if (format !== 'none' && output) {
      return success(product, progress, await writeFile(format, output, pages))
    }
    for await (const _ of pages);
    return success(product, progress)
  } catch (error) {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    return failure(error, format !== 'none')
  } finally {
    connection.close()
  }
}

/** How often the log says how far it is, in milliseconds. */
const PROGRESS_EVERY = 5000

/** The licenses to keep, page by page: those of the wanted product that were not there before. */
async function* pick(
  asking: Asking,
  { product, firstPage, maxPages = Infinity }: Inputs,
  progress: Progress,
  now: () => number
): AsyncGenerator<readonly License[]> {
  const seen = new Set<string>()
  let logged = now()
  for await (const { licenses, next } of readPages(asking, firstPage, maxPages)) {
    const wanted = licenses.filter(({ productId }) => product === '' || productId === product)
    const picked = wanted.filter(({ id }) => seen.size < seen.add(digestOf(id)).size)
    progress.pages++
    progress.count += picked.length
    progress.repeated += wanted.length - picked.length
    for (const { productId } of picked) {
      progress.products.set(productId, (progress.products.get(productId) ?? 0) + 1)
    }
    yield picked
    if (progress.pages === maxPages && next !== undefined) progress.next = next
    if (now() - logged < PROGRESS_EVERY) continue
    logged = now()
    asking.info(`Pages read: ${progress.pages}; licenses so far: ${progress.count}.`)
  }
}

/** 96 bits as Latin-1: 12 characters for each id, however long it is. Two of a million agree once in 10^17. */
function digestOf(id: string): string {
  return hash('sha256', id, 'buffer').toString('latin1', 0, 12)
}
