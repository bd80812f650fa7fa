// The sandbox action's main step: starts the stand-in as a process of its own, and waits until it answers.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { saveState } from '@actions/core'
import type { Complaint } from '../../src/runner/action-error.ts'
import { readTable } from '../../src/runner/inputs.ts'
import { oneOf, optional, parseId } from '../../src/runner/parsers.ts'
import type { Runner } from '../../src/runner/runner.ts'
import { NAMED_FAULTS } from '../faults.ts'
import { type Settings, STAND_IN, type Started } from './stand-in.ts'

/** The files of a job's only stand-in, by their paths. */
export interface SandboxFiles {
  /** Is there while the stand-in is, and has its address. */
  readonly mark: string
  /** The output of the process goes here. */
  readonly log: string
}

/** The stand-in's files in a folder; in the system's temporary folder when it is empty. */
export function filesIn(temp: string): SandboxFiles {
  const folder = temp || tmpdir()
  return {
    mark: join(folder, 'publish-version-sandbox'),
    log: join(folder, 'sandbox.log')
  }
}

/** How long the process may take to start and to answer, in milliseconds. */
const PATIENCE_MS = 20_000
/** More than any test of a shop needs. */
const MOST_LICENSES = 100_000

/** Starts the stand-in and sets the outputs. If it does not start, the step fails. */
export async function start(runner: Runner): Promise<void> {
  const settings = readSettings(runner)
  if (settings === undefined) return runner.fail()

  // The first one in the job makes the mark.
  const { mark, log } = filesIn(runner.context.temp)
  const isFirst = await writeFile(mark, '', { flag: 'wx' }).then(
    () => true,
    () => false
  )
  if (!isFirst) {
    const other = await readFile(mark, 'utf8')
    const place = other === '' ? '' : `, at ${other}`
    runner.error(
      `The sandbox runs already in this job${place}. ` +
        'Use the outputs of the step that started it: one takes any number of publications. ' +
        'For another fault, start it in another job.'
    )
    return runner.fail()
  }

  try {
    const { url, control, pid } = await launch(settings, log)
    await writeFile(mark, url)
    saveState('control', control)
    saveState('key', settings.key)
    saveState('pid', pid)
    announce(runner, settings, url)
  } catch (error) {
    await rm(mark, { force: true })
    runner.error(`The sandbox could not be started: ${reasonOf(error)}`)
    runner.fail()
  }
}

/** Reads the inputs. If some are wrong, it prints why, and returns undefined. */
function readSettings(runner: Runner): Settings | undefined {
  const complaints: Complaint[] = []
  const table = {
    product: parseId,
    benefit: parseId,
    licenses: (text: string) => atMost(text === '0' ? 0 : parseId(text), MOST_LICENSES),
    fault: optional(text => oneOf(text, Object.keys(NAMED_FAULTS))),
    port: optional(text => atMost(parseId(text), 65_535))
  }
  const inputs = readTable(table, runner.input, complaints)
  for (const { place, message } of complaints) {
    runner.error(`${place}: ${message}`)
  }
  if (inputs === undefined) return undefined

  return {
    ...inputs,
    key: randomUUID(),
    token: `sandbox-token-${randomUUID()}`,
    apiKey: `sandbox-key-${randomUUID()}`,
    folder: runner.context.temp || tmpdir()
  }
}

function atMost(value: number, most: number): number {
  if (value <= most) return value
  throw new Error(`"${value}" is more than ${most}`)
}

/** The process, once it answers. */
interface Launched {
  readonly url: string
  /** The address that says what arrived. */
  readonly control: string
  readonly pid: number | undefined
}

/** Starts the process and waits until it answers. Throws an error that says why it does not. */
async function launch(settings: Settings, log: string): Promise<Launched> {
  const output = openSync(log, 'a')
  const child = spawn(execPath, [argv[1] ?? '', STAND_IN], {
    // A process in the workspace would keep Windows from removing it.
    cwd: settings.folder,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output, 'ipc']
  })

  const started = new Promise<Started>(resolve => child.once('message', resolve))
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`it ended at once (${signal ?? code})`)
  })
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`it said nothing for ${PATIENCE_MS / 1000} seconds`)
  })

  try {
    child.send(settings)
    const result = await Promise.race([started, ended, late])
    if ('error' in result) throw new Error(describePortError(settings.port, result.error))

    // It listens, and is asked something, so that the next step finds one that answers.
    await fetch(`${result.url}/api/v1/licenses`, {
      headers: { 'x-api-key': settings.apiKey },
      signal: AbortSignal.timeout(PATIENCE_MS)
    })

    // From here on it lives without this process.
    child.disconnect()
    child.unref()
    return { ...result, pid: child.pid }
  } catch (error) {
    child.kill('SIGKILL')
    // The reason of a failed fetch stands in its cause.
    const { cause = error } = Object(error)
    throw new Error(`${reasonOf(cause)}${await tailOf(log)}`, { cause: error })
  }
}

function describePortError(port: number | undefined, error: string): string {
  const name = port === undefined ? 'a port' : `port ${port}`
  const advice = port === undefined ? '' : '. Leave `port` out for any free one'
  return `${name} of 127.0.0.1 is not available (${error})${advice}`
}

/** The end of the process's output, on lines of its own. */
export async function tailOf(log: string): Promise<string> {
  const printed = (await readFile(log, 'utf8').catch(() => '')).trim()
  return printed === '' ? '' : `\n${printed.slice(-2000)}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Sets the outputs, hides the secrets, and says what was started. */
function announce(runner: Runner, settings: Settings, url: string): void {
  const { product, benefit, licenses, fault, token, apiKey, key } = settings
  const outputs = {
    'base-url': url,
    token,
    'api-key': apiKey,
    product,
    benefit
  }
  for (const [name, value] of Object.entries(outputs)) {
    runner.output(name, String(value))
  }

  // Not earlier: masked texts are taken out of outputs, too.
  for (const secret of [token, apiKey, key]) {
    runner.mask(secret)
  }

  runner.info(`A simulated shop answers at ${url} until this job ends. It emails nobody.`)
  runner.info(`  product   ${product}, with the benefit ${benefit}`)
  runner.info(`  licenses  ${licenses}`)
  if (fault) runner.info(`  fault     ${fault}, at the first publication`)
}
