// Where the licences action starts: it wires the doors, and decides nothing.
import { connect } from '../http/connection.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { listLicences } from './list.ts'

const runner = openRunner()
await runAction(runner, () => listLicences({ runner, connect, sleep }))
