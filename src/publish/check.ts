// `mode: check`: whether token, address and ids are right, by a request that cannot publish.
import { adviceFor, describeCause } from '../http/errors.ts'
import { CancelledError } from '../http/exchange.ts'
import { type CheckResult, checkRoute, type Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { describePage, likelyCause } from './messages.ts'
import { describeRoute, routeOf } from './naming.ts'
import { endedEarly, type Report } from './report.ts'

/** Asks the service about one target, and reports what it said. */
export async function checkTarget(run: Run, target: TargetInputs): Promise<Report> {
  const route = routeOf(target)
  const result = await requestCheck(run, target)
  const report = judgeCheck(result, new URL(run.inputs.baseUrl).host, route)
  const subject = { route, versionName: '', title: '', changelog: '' }
  return { ...report, subject }
}

/** Sends the request that cannot publish. */
export function requestCheck(
  { inputs, runner, connect }: Run,
  target: TargetInputs
): Promise<CheckResult> {
  return checkRoute(connect, {
    service: { baseUrl: inputs.baseUrl, token: inputs.token },
    route: routeOf(target),
    upload: target.upload,
    patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, 0) },
    signal: runner.cancelled
  })
}

/** What an answer to the request means; nothing was published. */
export function judgeCheck(result: CheckResult, host: string, route: Route): Report {
  switch (result.kind) {
    case 'checked': {
      const missed = Object.keys(result.error.fields).join(', ')
      const message =
        `${host} knows the token and product ${describeRoute(route)}: it asked for the fields of a version (${missed}), ` +
        'which were left out on purpose. Nothing was published.'
      return endedEarly('checked', '', message)
    }
    case 'rejected': {
      const message = `${host} answered ${result.status}: ${result.error.message}`
      return endedEarly('failed', 'rejected', message, likelyCause(result))
    }
    case 'strange':
      return explainStrange(result, host)
    case 'noAnswer': {
      if (result.cause instanceof CancelledError) {
        return endedEarly('failed', 'cancelled', 'The run was stopped. Nothing was published.')
      }
      const message = `There was no answer: ${describeCause(result.cause, host)}.`
      const advice = adviceFor(result.cause, '`stall-timeout` or `response-timeout`')
      return endedEarly('failed', 'inconclusive', message, advice)
    }
  }
}

function explainStrange(result: Extract<CheckResult, { kind: 'strange' }>, host: string): Report {
  const { status, location, webPage } = result
  const page = describePage(result)
  const pointing = location === undefined ? '' : ` and points to ${location}`
  const isSuccess = status >= 200 && status < 300 && !webPage
  const created = isSuccess
    ? ' A request without any field must not succeed: check in the shop whether it made a version.'
    : ''
  const message = `${host} answered ${status}${page}${pointing}. The shop’s API does not answer like that.${created}`
  const advice = 'Check that `base-url` is the address of the shop’s API: it goes without `/api`.'
  return endedEarly('failed', 'inconclusive', message, likelyCause(result) || advice)
}
