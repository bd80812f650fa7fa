// Where the licenses action starts: it wires the doors, and decides nothing.
import { connectLate } from '../http/late.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { listLicenses } from './list.ts'

const runner = openRunner()
const connect = connectLate(async () => (await import('../http/connection.ts')).connect)
await runAction(runner, () => listLicenses({ runner, connect, sleep }))
