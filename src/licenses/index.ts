// The entry of the licenses action: wires the adapters.
import { connectLate } from '../http/late.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { listLicenses } from './list.ts'

const runner = openRunner()
const connect = connectLate(async () => (await import('../http/connection.ts')).connect)
await runAction(runner, () => listLicenses({ runner, connect, sleep, now: Date.now }))
