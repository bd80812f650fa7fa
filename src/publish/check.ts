// `mode: check`: asks the shop about the token, the address and the ids, and GitHub about the record.

import { describeRoute, hostOf, nameField, pressButton } from '../report/guidance.ts'
import { type Result, resultOf, resultOfError } from '../report/result.ts'
import { CancelledError } from '../runner/cancellation.ts'
import { messageOf, NAMES_SHOWN } from '../runner/words.ts'
import { type CheckResult, checkRoute } from '../shop/check.ts'
import { preflightFailed } from './answers.ts'
import type { Environment } from './environment.ts'

/** Asks the shop with a request that has no field of a version, and so cannot publish. */
export async function requestCheck({ connect, runner, config }: Environment): Promise<CheckResult> {
  const { baseUrl, token, route, upload, stallTimeout, responseTimeout } = config
  const result = await checkRoute(connect, {
    service: { baseUrl, token },
    route,
    upload,
    patience: { stall: stallTimeout, answer: responseTimeout },
    signal: runner.cancelled,
    conceal: runner.conceal
  })

  if (result.kind === 'noAnswer' && result.cause instanceof CancelledError) throw result.cause
  return result
}

/** Checks all that can be checked without a version. Throws an `ActionError` unless the shop knows token and ids. */
export async function check(env: Environment): Promise<Result> {
  const { config, facts } = env
  const result = await requestCheck(env)
  if (result.kind !== 'checked') throw preflightFailed(result, env)

  const fields = Object.keys(result.error.fields).slice(0, NAMES_SHOWN).map(nameField).join(', ')
  const message =
    `${hostOf(facts)} was asked whether it takes the token and knows ${describeRoute(config.route)}, with an empty form: ` +
    `it does, and asked only for what was left out on purpose (${fields}). Nothing was published.`

  const problem = await findRecordProblem(env)
  const warnings = problem === '' ? [] : [problem]
  const readable = problem === '' ? ` ${READABLE}` : ''
  return resultOf('checked', `${message}${readable}`, {
    subject: { route: config.route },
    warnings,
    next: `with the tag of a release, see what its buyers would get: ${pressButton(facts, 'plan')}.`,
    ...(warnings.length > 0 ? { heading: 'Checked, with warnings' } : {})
  })
}

const READABLE =
  'The job can read the record on GitHub; whether it can write shows when it publishes.'

/** Why the record cannot be read, and what to do about it; empty if it can be. */
async function findRecordProblem({ deployments, facts, runner }: Environment): Promise<string> {
  try {
    await deployments.list()
    return ''
  } catch (error) {
    if (runner.cancelled.aborted) throw error
    const { advice } = resultOfError(error, facts, runner.cancelled)
    const why = messageOf(error).replace(/\.$/, '')
    return `Publishing would fail: ${why}.\n${advice}`
  }
}
