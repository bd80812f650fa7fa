// What is looked at before the first byte of a target: a higher version in the shop, and the first contact.
import { isPassing } from '../http/errors.ts'
import type { Versions } from '../ledger/deployments.ts'
import { higherThan } from '../release/tag.ts'
import type { CheckResult } from '../shop/publish.ts'
import { explain, judgeCheck, requestCheck } from './answers.ts'
import { versionsOf } from './memory.ts'
import { START_AGAIN } from './messages.ts'
import type { Sending } from './prepare.ts'
import { ended, type Report } from './report.ts'

const UNDER_ACT =
  'act gives every run the same id, so a file that was built again on the same commit counts as ' +
  'published already, and is skipped.'

/** Why the target must not be sent; undefined lets it go on. Throws when the memory cannot be read. */
export async function guardWithMemory(sending: Sending): Promise<Report | undefined> {
  const { planned, inputs, runner } = sending
  const { versionName, route } = planned
  if (runner.context.isAct) runner.notice(UNDER_ACT)
  const versions = await versionsOf(sending, route)
  const { state } = await versions.standing(versionName)
  // It will not be sent again, whatever else is true.
  if (state === 'published' || state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' && (await findHigher(versions, versionName))
  if (higher) {
    const advice = `To publish the lower version anyway, set \`order: any\`. Buyers will then see it as the newest. ${START_AGAIN}`
    const message = `Nothing was sent: ${higher}.`
    return ended('failed', 'lower-version', message, advice)
  }
  return (await versions.newestPublished()) ? undefined : guardWithoutMemory(sending)
}

/** Which higher version is published, such as `"1.4.3" is lower than "1.5.0", which is already published`. */
export async function findHigher(versions: Versions, versionName: string) {
  for (const other of await higherThan(versionName, versions.names)) {
    if ((await versions.standing(other)).state !== 'published') continue
    return `"${versionName}" is lower than "${other}", which is already published`
  }
  return undefined
}

/** The first contact, which cannot publish: no upload finds out a wrong address, token or id. */
export async function guardWithoutMemory(sending: Sending): Promise<Report | undefined> {
  const { inputs, planned, runner } = sending
  runner.info(
    'First time for this product: asking the shop about the token and the ids, without sending a version.'
  )
  const result = await requestCheck(sending, planned.target)
  if (!isHopeless(result)) return undefined
  const { host } = new URL(inputs.baseUrl)
  if (result.kind === 'noAnswer') {
    const report = explain({ kind: 'notPublished', cause: result.cause }, host, planned.target)
    return { ...report, advice: `${report.advice}\n${START_AGAIN}` }
  }
  const report = judgeCheck(result, host, planned.route)
  // A new secret is there for a re-run, too, and a shop may be up again.
  const isSame = [401, 402, 429].includes(result.status) || result.status >= 500
  const again = isSame ? '' : `\n${START_AGAIN}`
  const message = `Nothing was uploaded. ${report.message}`
  return { ...report, message, advice: `${report.advice}${again}` }
}

function isHopeless(result: CheckResult): boolean {
  if (result.kind === 'noAnswer') return !isPassing(result.cause)
  const { status } = result
  if ([401, 403, 404].includes(status) || (status >= 300 && status < 400)) return true
  if (result.kind !== 'strange') return false
  return result.proxy !== undefined || result.webPage === true
}
