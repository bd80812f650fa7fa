// Wires the adapters of the publish action; decides nothing.
import { streamAsset } from '../github/asset.ts'
import { openGitHub } from '../github/github.ts'
import { connect } from '../http/connection.ts'
import { USER_AGENT } from '../http/exchange.ts'
import { sleep } from '../http/pause.ts'
import { openRunner, runAction } from '../runner/runner.ts'
import { checkRoute, publishVersion } from '../shop/publish.ts'
import { publish } from './run.ts'

const runner = openRunner()
await runAction(runner, () =>
  publish({
    runner,
    shop: {
      publish: request => publishVersion(connect, USER_AGENT, request),
      check: request => checkRoute(connect, USER_AGENT, request)
    },
    openGitHub: (repository, signal) =>
      openGitHub(repository, connect, USER_AGENT, ms => sleep(ms, signal), signal),
    openAssets: (repository, signal) => (id, receive) =>
      streamAsset(repository, id, connect, USER_AGENT, receive, signal)
  })
)
