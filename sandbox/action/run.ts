// The three parts of the sandbox action: its main step, its post step, and the stand-in's own process.
import { getState, saveState } from '@actions/core'
import { runAction } from '../../src/runner/runner.ts'
import { STAND_IN, serve } from './stand-in.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

/** Runs the part that this process is for. */
export async function run(): Promise<void> {
  if (process.argv[2] === STAND_IN) return serve()

  // Saved before anything can fail: the post step runs in any case, and must not start a second one.
  const isPost = getState('isPost') === 'true'
  if (!isPost) saveState('isPost', 'true')

  await runAction(isPost ? stop : start)
}
