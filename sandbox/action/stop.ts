// The sandbox action's post step: asks the stand-in what arrived, puts it into the summary, and ends the process.
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { getState } from '@actions/core'
import type { Runner } from '../../src/runner/runner.ts'
import type { Arrivals } from './stand-in.ts'
import { filesIn, tailOf } from './start.ts'
import { headingOf, summarize } from './summary.ts'

/** Ends the stand-in; one that is gone already fails the step. */
export async function stop(runner: Runner): Promise<void> {
  const control = getState('control')
  const key = getState('key')
  const pid = getState('pid')
  if (control === '') return runner.info('The sandbox did not start, so nothing arrived.')

  const { mark, log } = filesIn(runner.context.temp)
  await rm(mark, { force: true })

  try {
    const arrivals = await ask(control, key)
    await end(Number(pid), control)

    runner.info(headingOf(arrivals))
    await runner.summary(summarize(arrivals))
  } catch (error) {
    const { cause = error } = Object(error)
    const reason = cause instanceof Error ? cause.message : String(cause)
    runner.error(
      `The sandbox’s process (${pid}) ended before this job did, ` +
        `so what arrived is not known: ${reason}${await tailOf(log)}`
    )
    runner.fail()
  }
}

async function ask(control: string, key: string): Promise<Arrivals> {
  const answer = await fetch(control, {
    headers: { authorization: key },
    signal: AbortSignal.timeout(10_000)
  })
  if (answer.status !== 200) throw new Error(`something else answers at ${control}`)
  return JSON.parse(await answer.text())
}

/** Waits until the process is gone: it ends by itself once it has answered, and is ended after two seconds. */
async function end(pid: number, control: string): Promise<void> {
  // That its id is in use says little: in a container, an ended process may keep it.
  const isGone = (): Promise<boolean> =>
    fetch(control).then(
      () => false,
      () => true
    )
  for (let tries = 0; tries < 40; tries += 1) {
    if (await isGone()) return
    await sleep(50)
  }
  process.kill(pid, 'SIGKILL')
}
