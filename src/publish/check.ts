// `mode: check`: asks the shop about the token, the address and the ids, and GitHub about the record.
import type { Asked } from '../report/asked.ts'
import { describeButton, describeField, describeRoute, hostOf } from '../report/guidance.ts'
import { type Result, resultOf, resultOfError } from '../report/result.ts'
import { messageOf, NAMES_SHOWN } from '../runner/words.ts'
import { explainPreflight } from './answers.ts'
import type { ProductRecord } from './record.ts'
import { requestCheck, type ShopDesk } from './shop-desk.ts'

/** Checks all that can be checked without a version. Throws an `ActionError` unless the shop knows token and ids. */
export async function check(shop: ShopDesk, record: ProductRecord): Promise<Result> {
  const { config, asked } = shop
  const result = await requestCheck(shop)
  if (result.kind !== 'checked') throw explainPreflight(result, config, asked)

  const fields = Object.keys(result.error.fields)
    .slice(0, NAMES_SHOWN)
    .map(describeField)
    .join(', ')
  const message =
    `${hostOf(asked)} was asked whether it takes the token and knows ${describeRoute(config.route)}, with an empty form: ` +
    `it does, and asked only for what was left out on purpose (${fields}). Nothing was published.`

  const problem = await findRecordProblem(record, asked)
  const warnings = problem === '' ? [] : [problem]
  const readable = problem === '' ? ` ${READABLE}` : ''
  return resultOf('checked', `${message}${readable}`, {
    subject: { route: config.route },
    warnings,
    next: `with the tag of a release, see what its buyers would get: ${describeButton(asked, 'plan')}.`,
    ...(warnings.length > 0 ? { heading: 'Checked, with warnings' } : {})
  })
}

const READABLE =
  'The job can read the record on GitHub; whether it can write shows when it publishes.'

/** Why the record cannot be read, and what to do about it; empty if it can be. */
async function findRecordProblem(
  { deployments, runner }: ProductRecord,
  asked: Asked
): Promise<string> {
  try {
    await deployments.list()
    return ''
  } catch (error) {
    if (runner.cancelled.aborted) throw error
    const { advice } = resultOfError(error, asked, runner.cancelled)
    const why = messageOf(error).replace(/\.$/, '')
    return `Publishing would fail: ${why}.\n${advice}`
  }
}
