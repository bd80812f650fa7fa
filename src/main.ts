// The entry points of the one bundle for both actions.
import { connect } from './http/connection.ts'
import { listLicenses } from './licenses/list.ts'
import { publishRelease } from './publish/run.ts'
import { sleep } from './runner/cancellation.ts'
import { runAction } from './runner/runner.ts'

const adapters = { connect, sleep }

/** Runs the publish action; `dist/publish/index.js` calls this. */
export const publish = () => runAction(runner => publishRelease({ runner, ...adapters }))

/** Runs the licenses action; `dist/licenses/index.js` calls this. */
export const licenses = () => runAction(runner => listLicenses({ runner, ...adapters }))
