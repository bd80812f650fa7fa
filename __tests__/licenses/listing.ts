// Owns how the tests list: the use case in this process, over real connections, with a runner that takes notes.
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PageOptions, pagesOf } from '../../sandbox/licenses.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError } from '../../src/http/exchange.ts'
import { listLicenses } from '../../src/licenses/list.ts'
import type { Runner } from '../../src/runner/runner.ts'
import { contextOf, type RunContext } from '../../src/runner/runner.ts'

export const API_KEY = 'licenses|key/that+opens=nothing~here'

/** What a run left behind. */
export interface Listed {
  readonly outputs: Readonly<Record<string, string>>
  /** Everything printed, one line each, with its kind before it. */
  readonly log: readonly string[]
  /** What was masked. */
  readonly masks: readonly string[]
  readonly summary: string
  readonly failed: boolean
  /** The pauses between tries, in milliseconds; nobody waited for them. */
  readonly pauses: readonly number[]
  /** The file under `path`; empty without one. */
  readonly text: string
  /** Every file in the workspace and in RUNNER_TEMP. */
  readonly files: readonly string[]
  /** The permissions of the file, such as 0o600. */
  readonly mode: number
}

export interface ListOptions {
  readonly inputs?: Readonly<Record<string, string>>
  /** Asked before each line of the log and each pause; true cancels the run. */
  readonly cancelAt?: (line: string) => boolean
}

/** A shop with licenses; it closes itself at the end of an `await using` block. */
export interface Register extends AsyncDisposable {
  readonly service: Service
  readonly workspace: string
  readonly temp: string
  /** The numbers of the pages asked for. */
  asked(): number[]
  list(options?: ListOptions): Promise<Listed>
}

/** Opens a shop whose pages a function makes; RUNNER_TEMP is a new folder in `temp`. */
export async function openRegister(
  pageOf: (page: number) => unknown,
  temp?: string
): Promise<Register> {
  const licenses = { apiKey: API_KEY, pageOf }
  const service = await startService({ token: 'none', products: [], pathPrefix: '/shop', licenses })
  const root = await realpath(await mkdtemp(join(tmpdir(), 'register-')))
  const shop = {
    service,
    workspace: await mkdtemp(join(root, 'work-')),
    temp: await mkdtemp(join(temp ?? root, 'temp-'))
  }
  return {
    ...shop,
    asked: () =>
      service.requests.map(({ path }) =>
        Number(new URL(path, service.origin).searchParams.get('page'))
      ),
    list: (options: ListOptions = {}) => run(shop, options),
    [Symbol.asyncDispose]: async () => {
      await service.close()
      await rm(root, { recursive: true, force: true })
      await rm(shop.temp, { recursive: true, force: true })
    }
  }
}

/** Opens a shop with these licenses, cut into pages. */
export function openLicenses(
  licenses: readonly unknown[],
  options?: PageOptions
): Promise<Register> {
  return openRegister(pagesOf(licenses, options))
}

type Shop = Pick<Register, 'service' | 'workspace' | 'temp'>

async function run(shop: Shop, { inputs = {}, cancelAt }: ListOptions): Promise<Listed> {
  const { service, workspace, temp } = shop
  const given = new Map(Object.entries({ 'base-url': service.url, 'api-key': API_KEY, ...inputs }))
  const context = contextOf({ GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp }, workspace)
  const { runner, left } = takeNotes(name => given.get(name) ?? '', context, cancelAt)
  const pauses: number[] = []
  await listLicenses({
    ...{ runner, connect, now: () => 0 },
    sleep: async (ms, signal) => {
      pauses.push(ms)
      if (signal.aborted) throw new CancelledError()
    }
  })
  const { path = '' } = left.outputs
  const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort()
  return {
    ...{ ...left, pauses },
    text: path === '' ? '' : await readFile(path, 'utf8'),
    files: [...(await filesIn(workspace)), ...(await filesIn(temp))],
    mode: path === '' ? 0 : (await stat(path)).mode & 0o777
  }
}

function takeNotes(
  input: (name: string) => string,
  context: RunContext,
  cancelAt: ListOptions['cancelAt']
) {
  const cancelling = new AbortController()
  const outputs: Record<string, string> = {}
  const log: string[] = []
  const masks: string[] = []
  const left = { outputs, log, masks, summary: '', failed: false }
  const print = (kind: string) => (text: string, title?: string) => {
    const line = title === undefined ? `${kind}: ${text}` : `${kind}: ${title}: ${text}`
    log.push(line)
    if (cancelAt?.(line)) cancelling.abort()
  }
  const runner: Runner = {
    ...{ context, cancelled: cancelling.signal, input },
    payload: async () => ({}),
    mask: secret => masks.push(secret),
    conceal: text => text,
    output: (name, value) => {
      outputs[name] = value
    },
    summary: async markdown => {
      left.summary += markdown
    },
    fail: () => {
      left.failed = true
    },
    ...{ info: print('info'), block: print('block'), debug: print('debug') },
    ...{ notice: print('notice'), warning: print('warning'), error: print('error') },
    group: (_, body) => body()
  }
  return { runner, left }
}
