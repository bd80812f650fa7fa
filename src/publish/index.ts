// Where the publish action starts: it wires the doors, and decides nothing.
import { openGitHub } from '../github/github.ts'
import { connect } from '../http/connection.ts'
import { USER_AGENT } from '../http/exchange.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { publish } from './publish.ts'

const runner = openRunner()
await runAction(runner, () =>
  publish({
    runner,
    connect,
    openGitHub: (repository, signal) =>
      openGitHub(repository, connect, USER_AGENT, ms => sleep(ms, signal), signal)
  })
)
