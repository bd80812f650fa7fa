// Starts the publish action on the runner; decides nothing.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/errors.ts'
import { runAction } from '../runner/runner.ts'
import { publish } from './run.ts'

await runAction(runner => publish({ runner, connect, sleep, now: () => performance.now() }))
