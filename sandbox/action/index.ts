// Where the sandbox action starts: its main step, its post step and the stand-in's own process are this one file.
import { getState, saveState } from '@actions/core'
import { openRunner, runAction } from '../../src/runner/runner.ts'
import { STAND_IN, serve } from './stand-in.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

if (process.argv[2] === STAND_IN) {
  await serve()
} else {
  const runner = openRunner()
  // Saved before anything can fail: the post step runs in any case, and must not start a second one.
  const isPost = getState('isPost') === 'true'
  if (!isPost) saveState('isPost', 'true')
  const state = { read: getState, save: saveState }
  await runAction(runner, () => (isPost ? stop(runner, state) : start(runner, state)))
}
