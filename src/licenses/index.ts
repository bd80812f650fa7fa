// The entry of the licenses action: wires the adapters.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { listLicenses } from './list.ts'

const runner = openRunner()
await runAction(runner, () => listLicenses({ runner, connect, sleep, now: Date.now }))
