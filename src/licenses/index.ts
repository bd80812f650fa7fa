// Wires the adapters of the licenses action; decides nothing.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/errors.ts'
import { runAction } from '../runner/runner.ts'
import { listLicenses } from './list.ts'

await runAction(runner => listLicenses({ runner, connect, sleep, now: Date.now }))
