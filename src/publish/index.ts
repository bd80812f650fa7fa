// Starts the publish action on the runner; decides nothing.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/errors.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { publish } from './run.ts'

const runner = openRunner()
await runAction(runner, () => publish({ runner, connect, sleep, now: () => performance.now() }))
