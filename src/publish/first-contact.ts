// The first contact with the shop: a request that cannot publish, so that a wrong address, token or id ends the run
// before the upload.
import { describeCause, pauseBefore, TRIES } from '../http/errors.ts'
import { CancelledError } from '../http/exchange.ts'
import { refused } from '../report/answers.ts'
import type { RunFacts } from '../report/guidance.ts'
import { type CheckResult, checkRoute, judgeContact } from '../shop/publish.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'

/** Sends a request without any field of a version. It tests the token and the ids, and cannot publish. */
export async function requestCheck(
  { connect, runner }: Environment,
  { baseUrl, token, route, upload, stallTimeout, responseTimeout }: PublishConfig
): Promise<CheckResult> {
  const result = await checkRoute(connect, {
    service: { baseUrl, token },
    route,
    upload,
    patience: { stall: stallTimeout, answer: responseTimeout },
    signal: runner.cancelled
  })
  if (result.kind === 'noAnswer' && result.cause instanceof CancelledError) throw result.cause
  return result
}

/** Asks the shop first, again where that may help. Throws an `ActionError` if nothing may be uploaded. */
export async function makeFirstContact(
  env: Environment,
  config: PublishConfig,
  facts: RunFacts
): Promise<void> {
  const { host } = new URL(config.baseUrl)
  env.runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const mayRepeat = countTries(env)
  for (;;) {
    const result = await requestCheck(env, config)
    const verdict = result.kind === 'checked' ? 'upload' : judgeContact(result)
    if (result.kind === 'checked' || verdict === 'upload') return
    const isAnswer = result.kind !== 'noAnswer'
    const said = isAnswer ? `${host} answered ${result.status}` : describeCause(result.cause, host)
    const after = isAnswer ? result.after : undefined
    const repeats = verdict === 'repeat' && (await mayRepeat(after, `${said}.`))
    if (!repeats) throw refused(result, { facts, config })
  }
}

/** Counts the tries of one request. Asked for another one, says why, and returns true after the pause; or false. */
export function countTries({ runner, sleep }: Environment) {
  let tried = 0
  return async (after: number | undefined, why: string): Promise<boolean> => {
    const ms = pauseBefore(++tried, after)
    if (ms === undefined) return false
    const again = `Trying again (${tried + 1} of ${TRIES}) in ${(ms / 1000).toFixed(1)} s.`
    runner.info(`Not published yet: ${why} ${again}`)
    // If the run is cancelled, the next try fails at once.
    await sleep(ms).catch(() => undefined)
    return true
  }
}
