// The licenses action: reads inputs, writes page after page, and reports counts, never a license or a user.
import { hash } from 'node:crypto'
import { CancelledError, type Connect } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, factTable, markdown, prose, sizeText } from '../runner/text.ts'
import {
  describeFault,
  enumOf,
  type Fault,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  readTable,
  required,
  textAt,
  withDefault
} from '../runner/values.ts'
import { type Folders, findDestination, type Written, writeFile } from './file.ts'
import { type Asking, ListingError, type Reason, readPages } from './pages.ts'

export type Adapters = Readonly<{ runner: Runner; connect: Connect; sleep: Asking['sleep'] }>

/** Parses every input; times become milliseconds. If any is wrong, adds to `faults` and gives undefined. */
export function parseInputs(raw: (name: string) => string, folders: Folders, faults: Fault[]) {
  const format = raw('format').trim() || 'json'
  const inputs = {
    'base-url': parseBaseUrl,
    'api-key': (text: string) => parseSecret(required(text)),
    format: enumOf('json', 'ndjson', 'csv', 'none'),
    output: (text: string) =>
      format === 'none' ? undefined : findDestination(text, format, folders),
    /** The only product wanted; empty for all. */
    product: String,
    'first-page': withDefault('1', parseId),
    'max-pages': optional(parseId),
    'stall-timeout': withDefault('60', parseSeconds)
  }
  return readTable(inputs, raw, faults)
}
type Inputs = NonNullable<ReturnType<typeof parseInputs>>

/** Runs the licenses action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function listLicenses(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  runner.mask(runner.input('api-key'))
  const faults: Fault[] = []
  const inputs = parseInputs(runner.input, runner.context, faults)
  const progress: Progress = { pages: 0, count: 0, repeated: 0, products: new Map() }
  const message = `Nothing was listed: ${counted(faults.length, 'wrong input')}.`
  const badInput: Report = { reason: 'bad-input', message, remarks: faults }
  await tell(runner, inputs ? await list(inputs, progress, adapters) : badInput, progress)
}

async function list(inputs: Inputs, progress: Progress, adapters: Adapters) {
  const { runner, connect, sleep } = adapters
  const { baseUrl, apiKey, stallTimeout: stall, format, output } = inputs
  const connection = connect(new URL(baseUrl).origin, { keepAlive: true })
  const { info, cancelled: signal } = runner
  const pages = pick({ connection, baseUrl, apiKey, stall, signal, info, sleep }, inputs, progress)
  try {
    const file = format !== 'none' && output ? await writeFile(format, output, pages) : undefined
    // With `format: none` the pages are only counted.
    if (!file) for await (const _ of pages);
    return success(inputs, progress, file)
  } catch (error) {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    return failure(error, format !== 'none')
  } finally {
    connection.close()
  }
}

const PROGRESS_EVERY = 20 // pages

/** The licenses to keep, page by page: those of the wanted product that no earlier page had. */
async function* pick(asking: Asking, inputs: Inputs, progress: Progress) {
  const { product, firstPage, maxPages = Infinity } = inputs
  const seen = new Set<string>()
  for await (const { licenses, next } of readPages(asking, firstPage, maxPages)) {
    const wanted = licenses.filter(({ productId }) => product === '' || productId === product)
    // To save memory, 96 bits of a hash stand for an id. A million ids collide with a chance of 10^-17.
    const digestOf = (id: string) => hash('sha256', id, 'buffer').toString('latin1', 0, 12)
    const picked = wanted.filter(({ id }) => seen.size < seen.add(digestOf(id)).size)
    progress.pages++
    progress.count += picked.length
    progress.repeated += wanted.length - picked.length
    for (const { productId } of picked) {
      progress.products.set(productId, (progress.products.get(productId) ?? 0) + 1)
    }
    yield picked
    if (progress.pages === maxPages && next !== undefined) progress.next = next
    if (progress.pages % PROGRESS_EVERY > 0) continue
    asking.info(`Pages read: ${progress.pages}; licenses so far: ${progress.count}.`)
  }
}

/** How far the listing got: `count` licenses kept, `repeated` ones left out; `products`: counts by id. */
interface Progress {
  pages: number
  count: number
  repeated: number
  readonly products: Map<string, number>
  /** The first page that was not read because of `max-pages`. */
  next?: number
}

/** How it ended; an empty `reason` is success. */
interface Report {
  readonly reason: Reason | ''
  readonly message: string
  readonly advice?: string
  /** Warnings; or, of a failure, the wrong inputs. */
  readonly remarks?: readonly Fault[]
  readonly file?: Written | undefined
}

function success({ product }: Inputs, progress: Progress, file: Written | undefined): Report {
  const { count, repeated, next, pages } = progress
  const were = repeated === 1 ? 'was' : 'were'
  const place = 'The list changed while it was read'
  const moved = `${counted(repeated, 'license')} came more than once and ${were} counted and written once; for the same reason others may be missing.`
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  const rest = next === undefined ? '' : ` \`max-pages\` stopped it before page ${next}.`
  const none = product && count === 0 ? ` No license belongs to the product "${product}".` : ''
  const message = `Listed ${counted(count, 'license')} from ${counted(pages, 'page')}${into}.${rest}${none}`
  return { reason: '', message, remarks: repeated > 0 ? [{ place, message: moved }] : [], file }
}

function failure(error: unknown, hasFile: boolean): Report {
  const isKnown = error instanceof ListingError
  const other = error instanceof CancelledError ? 'cancelled' : 'internal'
  const reason = isKnown ? error.reason : other
  const message = `${isKnown ? '' : 'Listing ended early: '}${textAt(error, 'message')}`
  // The service's text may end in a period.
  const stop = /[.!?]$/.test(message) ? '' : '.'
  const told = `${message}${stop}${hasFile ? ' No file was written.' : ''}`
  return { reason, message: told, advice: isKnown ? error.advice : '' }
}

/** Sets the outputs, writes the log and the summary, and fails the step if the listing failed. */
async function tell(runner: Runner, report: Report, progress: Progress): Promise<void> {
  const { reason, message, advice = '', remarks = [], file } = report
  const { count, pages, next = '' } = progress
  const outcome = reason === '' ? 'listed' : 'failed'
  const outputs = { outcome, reason, count, pages, path: file?.path ?? '', next_page: next }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value))
  const kind = reason === '' ? 'warning' : 'error'
  for (const remark of remarks) runner[kind](describeFault(remark), remark.place)
  if (reason === '') {
    runner.info(message)
    if (file) runner.info(`  SHA-256  ${file.sha256}`)
  } else {
    runner.error([message, advice].join('\n').trimEnd(), 'No licenses listed')
    runner.fail()
  }
  await runner.summary(summaryOf(report, progress))
}

const MOST_PRODUCTS = 100

function summaryOf(report: Report, { count, pages, next, products }: Progress): string {
  const { reason, message, advice = '', remarks = [], file } = report
  const facts = [
    ['Pages read', pages > 0 ? String(pages) : ''],
    ['Next page', next === undefined ? '' : String(next)],
    ['File', file ? `${markdown(file.path)} (${sizeText(file.size)})` : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : '']
  ] as const
  const rows = [...products]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, licenses]) => `| ${markdown(name)} | ${licenses} |`)
    .slice(0, MOST_PRODUCTS)
  const isTold = reason === '' && rows.length > 0
  const parts = [
    reason === '' ? `## ✅ ${counted(count, 'license')}` : '## ❌ No licenses listed',
    reason === '' ? '' : prose(message),
    advice === '' ? '' : `**What to do:** ${prose(advice)}`,
    ...remarks.map(({ place, message }) => `- **${markdown(place)}**: ${prose(message)}`),
    factTable(facts),
    isTold ? ['| Product | Licenses |', '|---|---|', ...rows].join('\n') : '',
    products.size > rows.length ? `And ${products.size - rows.length} more products.` : ''
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
