// The sandbox action's main step: starts the stand-in as a process of its own, and waits until it answers.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { openSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath } from 'node:process'
import type { Runner } from '../../src/runner/runner.ts'
import { describeFault, type Fault, oneOf, parseId, startReading } from '../../src/runner/values.ts'
import { type FaultName, NAMED_FAULTS } from '../faults.ts'
import { type Casting, STAND_IN, type Word } from './stand-in.ts'

/** What the main step leaves to the post step. */
export interface State {
  read(name: string): string
  save(name: string, value: string): void
}

/** Where a run's only stand-in says that it is there, and what it prints. */
export function filesIn(temp: string): { readonly mark: string; readonly log: string } {
  const folder = temp || tmpdir()
  return { mark: join(folder, 'publish-version-sandbox'), log: join(folder, 'sandbox.log') }
}

const PATIENCE_MS = 20_000
const MOST_LICENSES = 100_000

/** Starts the stand-in and sets the outputs; what keeps it from starting fails the step. */
export async function start(runner: Runner, state: State): Promise<void> {
  const { context } = runner
  const faults: Fault[] = []
  const asked = readInputs(runner, faults)
  if (asked === undefined) {
    for (const fault of faults) runner.error(describeFault(fault))
    return runner.fail()
  }
  const files = filesIn(context.temp)
  const casting: Casting = {
    ...asked,
    token: `sandbox-token-${randomUUID()}`,
    apiKey: `sandbox-key-${randomUUID()}`,
    key: randomUUID(),
    folder: context.temp || tmpdir()
  }
  const other = await claim(files.mark)
  if (other !== undefined) {
    runner.error(
      `The sandbox runs already in this job${other === '' ? '' : `, at ${other}`}. Use the outputs of the step that started it: one takes any number of publications. For another fault, start it in another job.`
    )
    return runner.fail()
  }
  try {
    const { pid, url, control } = await launch(casting, files.log)
    await writeFile(files.mark, url)
    for (const [name, value] of Object.entries({ pid, url, control, key: casting.key })) {
      state.save(name, String(value))
    }
    tell(runner, casting, url)
  } catch (error) {
    await rm(files.mark, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    runner.error(`The sandbox could not be started: ${reason}`)
    runner.fail()
  }
}

function readInputs(runner: Runner, faults: Fault[]) {
  const read = startReading((name: string) => runner.input(name), faults)
  const product = read('product', parseId)
  const benefit = read('benefit', parseId)
  const licenses = read('licenses', text => atMost(text === '0' ? 0 : parseId(text), MOST_LICENSES))
  const fault = read('fault', text => (text === '' ? undefined : oneOf(text, FAULT_NAMES)))
  const port = read('port', text => (text === '' ? undefined : atMost(parseId(text), 65_535)))
  if (faults.length > 0) return undefined
  if (product === undefined || benefit === undefined || licenses === undefined) return undefined
  return { product, benefit, licenses, fault, port }
}

const FAULT_NAMES = Object.keys(NAMED_FAULTS).filter(isFaultName)

function isFaultName(name: string): name is FaultName {
  return name in NAMED_FAULTS
}

function atMost(value: number, most: number): number {
  if (value <= most) return value
  throw new Error(`"${value}" is more than ${most}`)
}

/** Marks the job as having a stand-in; the address of the one that it has, if it has one. */
async function claim(mark: string): Promise<string | undefined> {
  try {
    await writeFile(mark, '', { flag: 'wx' })
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return readFile(mark, 'utf8')
    }
    throw error
  }
}

/** Starts the process and waits until it answers. Throws an error that says why it does not. */
async function launch(casting: Casting, log: string) {
  const output = openSync(log, 'a')
  const child = spawn(execPath, [argv[1] ?? '', STAND_IN], {
    // A process in the workspace would keep Windows from removing it.
    ...{ cwd: casting.folder, detached: true, windowsHide: true },
    stdio: ['ignore', output, output, 'ipc']
  })
  try {
    child.send(casting)
    const word = await wordOf(child)
    if ('error' in word) throw new Error(portProblem(word.error, casting.port))
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const headers = { 'x-api-key': casting.apiKey }
    const { status } = await fetch(`${word.url}/api/v1/licenses`, { headers, signal })
    if (status !== 200) throw new Error(`it answers with ${status}`)
    child.disconnect()
    child.unref()
    return { ...word, pid: child.pid }
  } catch (error) {
    child.kill('SIGKILL')
    const printed = (await readFile(log, 'utf8')).trim().slice(-2000)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(printed === '' ? reason : `${reason}\n${printed}`, { cause: error })
  }
}

function wordOf(child: ChildProcess): Promise<Word> {
  return new Promise((resolve, reject) => {
    const silence = new Error(`it said nothing for ${PATIENCE_MS / 1000} seconds`)
    setTimeout(() => reject(silence), PATIENCE_MS).unref()
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`it ended at once (${signal ?? code})`)))
    child.once('message', resolve)
  })
}

function portProblem(error: string, port: number | undefined): string {
  if (port === undefined) return `no port of 127.0.0.1 can be had (${error})`
  return `port ${port} of 127.0.0.1 cannot be had (${error}). Leave \`port\` out for any free one`
}

function tell(runner: Runner, casting: Casting, url: string): void {
  const { product, benefit, licenses, fault } = casting
  const outputs = {
    ...{ 'base-url': url, token: casting.token, 'api-key': casting.apiKey },
    ...{ product: String(product), benefit: String(benefit) }
  }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, value)
  // Not before: what is masked is taken out of outputs, too.
  for (const secret of [casting.token, casting.apiKey, casting.key]) runner.mask(secret)
  runner.info(`A stand-in for the shop answers at ${url} until this job ends. It mails nobody.`)
  runner.info(`  product   ${product}, with the benefit ${benefit}`)
  runner.info(`  licenses  ${licenses}`)
  if (fault) runner.info(`  fault     ${fault}, at the first publication`)
}
