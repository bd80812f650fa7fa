// Wires the adapters of the licenses action; decides nothing.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/errors.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { listLicenses } from './list.ts'

const runner = openRunner()
await runAction(runner, () => listLicenses({ runner, connect, sleep, now: Date.now }))
