// Lists licenses for tests: the use case in this process, over real connections, with a runner that takes notes.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type PageOptions, pagesOf } from '../../sandbox/licenses.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { listLicenses } from '../../src/licenses/list.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { makeFolder } from '../support/folders.ts'
import { openRecorder } from '../support/recorder.ts'

export const API_KEY = 'licenses|key/that+opens=nothing~here'

type Texts = Readonly<Record<string, string>>

/** The outputs that are empty unless a listing has something to say in them. */
export const NO_RESULTS: Texts = Object.fromEntries(['reason', 'path'].map(name => [name, '']))

/** A listing that has ended. */
interface Listing {
  readonly outputs: Texts
  readonly summary: string
  /** Whether the step has failed. */
  readonly failed: boolean
  readonly log: readonly string[]
  readonly masks: readonly string[]
  /** In milliseconds; nobody waited for them. */
  readonly pauses: readonly number[]
  /** The text of the file under `path`; empty without one. */
  readonly text: string
  /** The permissions of that file; 0 without one. */
  readonly mode: number
  /** The files in the workspace and in RUNNER_TEMP. */
  readonly files: readonly string[]
}

/** A shop with licenses, and a place to list them to. */
interface Place {
  readonly service: Service
  readonly workspace: string
  readonly temp: string
}

/** A shop with licenses; it closes itself at the end of an `await using` block. */
interface Register extends Place, AsyncDisposable {
  /** The numbers of the pages asked for. */
  asked(): number[]
  /** Lists once; a line of the log for which `cancelAt` is true cancels the run, by a signal or an error. */
  list(inputs?: Texts, cancelAt?: (line: string) => boolean, reason?: Error): Promise<Listing>
}

/** Opens a shop whose pages are these. */
export async function openRegister(
  pageOf: (page: number) => unknown,
  temp = makeFolder()
): Promise<Register> {
  const service = await startService({
    token: 'none',
    products: [],
    pathPrefix: '/shop',
    licenses: { apiKey: API_KEY, pageOf }
  })
  const workspace = makeFolder()
  const pageIn = (path: string) =>
    Number(new URL(path, service.origin).search.slice('?page='.length))

  return {
    service,
    workspace,
    temp,
    asked: () => service.requests.map(({ path }) => pageIn(path)),
    list: (inputs = {}, cancelAt = () => false, reason) =>
      list({ service, workspace, temp }, inputs, cancelAt, reason),
    [Symbol.asyncDispose]: () => service.close()
  }
}

/** Opens a shop with these licenses. */
export function openLicenses(
  licenses: readonly unknown[],
  options?: PageOptions
): Promise<Register> {
  return openRegister(pagesOf(licenses, options))
}

async function list(
  { service, workspace, temp }: Place,
  inputs: Texts,
  cancelAt: (line: string) => boolean,
  reason?: Error
): Promise<Listing> {
  const cancelling = new AbortController()
  const recorder = openRecorder({
    context: contextOf({ GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp }, workspace),
    inputs: {
      'base-url': service.url,
      'api-key': API_KEY,
      ...inputs
    },
    cancelled: cancelling.signal,
    onLine: line => cancelAt(line) && cancelling.abort(reason)
  })

  const pauses: number[] = []
  const sleep = async (ms: number, signal: AbortSignal) => {
    pauses.push(ms)
    if (signal.aborted) throw new CancelledError()
  }
  await listLicenses({ runner: recorder.runner, connect, sleep })

  const { outputs, summary, failed } = recorder.recording()
  const { path = '' } = outputs
  return {
    outputs,
    summary,
    failed,
    log: recorder.lines,
    masks: recorder.masks,
    pauses,
    text: path === '' ? '' : readFileSync(path, 'utf8'),
    mode: path === '' ? 0 : statSync(path).mode & 0o777,
    files: [...filesIn(workspace), ...filesIn(temp)]
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true }).sort()
}
