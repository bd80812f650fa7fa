// Owns how the tests list: the use case in this process, over real connections, with a runner that takes notes.
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

/** The outputs of a listing that has nothing to say in them. */
export const NO_RESULTS: Texts = Object.fromEntries(
  ['reason', 'path', 'next_page'].map(name => [name, ''])
)

/** Opens a shop with licenses; it closes itself at the end of an `await using` block. */
export async function openRegister(pageOf: (page: number) => unknown, temp = makeFolder()) {
  const licenses = { apiKey: API_KEY, pageOf }
  const service = await startService({ token: 'none', products: [], pathPrefix: '/shop', licenses })
  const shop = { service, workspace: makeFolder(), temp }
  return {
    ...shop,
    /** The numbers of the pages asked for. */
    asked: () =>
      service.requests.map(({ path }) => Number(new URL(path, service.origin).search.slice(6))),
    /** Lists once; a line of the log for which `cancelAt` is true cancels the run, by a signal or an error. */
    list: (inputs: Texts = {}, cancelAt = (_: string) => false, reason?: Error) =>
      run(shop, inputs, cancelAt, reason),
    [Symbol.asyncDispose]: () => service.close()
  }
}

export function openLicenses(licenses: readonly unknown[], options?: PageOptions) {
  return openRegister(pagesOf(licenses, options))
}

async function run(
  { service, workspace, temp }: Readonly<{ service: Service; workspace: string; temp: string }>,
  inputs: Texts,
  cancelAt: (line: string) => boolean,
  reason?: Error
) {
  const cancelling = new AbortController()
  const { runner, lines, masks, recording } = openRecorder({
    context: contextOf({ GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp }, workspace),
    inputs: { 'base-url': service.url, 'api-key': API_KEY, ...inputs },
    cancelled: cancelling.signal,
    onLine: line => cancelAt(line) && cancelling.abort(reason)
  })
  const pauses: number[] = []
  const sleep = async (ms: number, signal: AbortSignal) => {
    pauses.push(ms)
    if (signal.aborted) throw new CancelledError()
  }
  await listLicenses({ runner, connect, sleep })
  const { outputs, summary, failed } = recording()
  const { path = '' } = outputs
  const filesIn = (folder: string) => readdirSync(folder, { encoding: 'utf8', recursive: true })
  return {
    summary,
    failed,
    outputs,
    log: lines,
    masks,
    /** In milliseconds; nobody waited for them. */
    pauses,
    /** Of the file under `path`; empty without one. */
    text: path === '' ? '' : readFileSync(path, 'utf8'),
    mode: path === '' ? 0 : statSync(path).mode & 0o777,
    /** In the workspace and in RUNNER_TEMP. */
    files: [...filesIn(workspace).sort(), ...filesIn(temp).sort()]
  }
}
