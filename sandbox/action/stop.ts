// The sandbox action's post step: asks the stand-in what arrived, tells it in the summary, and ends the process.
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runner } from '../../src/runner/runner.ts'
import type { Arrivals } from './stand-in.ts'
import { filesIn, type State } from './start.ts'
import { headingOf, summarize } from './summary.ts'

/** Ends the stand-in; one that is gone already fails the step. */
export async function stop(runner: Runner, state: State): Promise<void> {
  const [control, key, pid] = ['control', 'key', 'pid'].map(name => state.read(name))
  if (!control || !key) return runner.info('The sandbox did not start, so nothing arrived.')
  const files = filesIn(runner.context.temp)
  await rm(files.mark, { force: true })
  const arrivals = await ask(control, key)
  if (arrivals instanceof Error) {
    const printed = (await readFile(files.log, 'utf8').catch(() => '')).trim().slice(-2000)
    runner.error(
      `The sandbox’s process (${pid}) ended before this job did, so what arrived is not known: ${arrivals.message}${printed === '' ? '' : `\n${printed}`}`
    )
    return runner.fail()
  }
  await end(Number(pid), control)
  runner.info(headingOf(arrivals))
  await runner.summary(summarize(arrivals))
}

async function ask(control: string, key: string): Promise<Arrivals | Error> {
  try {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(control, { headers: { authorization: key }, signal })
    if (answer.status !== 200) return new Error(`something else answers at ${control}`)
    const arrivals: Arrivals = JSON.parse(await answer.text())
    return arrivals
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return error.cause instanceof Error ? error.cause : error
  }
}

/** Waits until the process is gone: it ends by itself once it has answered, and is ended after two seconds. */
async function end(pid: number, control: string): Promise<void> {
  // Its id says little: in a container, an ended process may keep it.
  const answers = (): Promise<boolean> =>
    fetch(control).then(
      () => true,
      () => false
    )
  for (let tries = 0; tries < 40; tries += 1) {
    if (!(await answers())) return
    await sleep(50)
  }
  process.kill(pid, 'SIGKILL')
}
