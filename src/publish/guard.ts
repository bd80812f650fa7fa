// What is looked at before the first byte of a target: a higher version in the shop, and the first contact.
import { isPassing } from '../http/errors.ts'
import type { Versions } from '../ledger/versions.ts'
import type { CheckResult } from '../shop/check.ts'
import type { Sending } from './attempt.ts'
import { judgeCheck, requestCheck } from './check.ts'
import { versionsOf } from './memory.ts'
import { explain } from './messages.ts'
import { subjectOf } from './prepare.ts'
import { endedEarly, type Report } from './report.ts'

/** Why the target must not be sent; undefined lets it go on. Throws when the memory cannot be read. */
export async function guardWithMemory(sending: Sending): Promise<Report | undefined> {
  const { planned, inputs } = sending
  const { versionName } = planned
  const versions = await versionsOf(sending, planned.route)
  const own = await versions.standing(versionName)
  // It will not be sent again, whatever else is true.
  if (own.state === 'published' || own.state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' ? await findHigher(versions, versionName) : undefined
  if (higher !== undefined) {
    const message = `Nothing was sent: ${describeHigher(versionName, higher)}.`
    const advice =
      'To publish the lower version all the same, set `order: any`. Buyers then get it as the newest.'
    return endedEarly('failed', 'lower-version', message, advice, subjectOf(planned))
  }
  return (await versions.newestPublished()) ? undefined : guardWithoutMemory(sending)
}

/** The highest version that is published and higher than this one; undefined when there is none. */
export async function findHigher(
  versions: Versions,
  versionName: string
): Promise<string | undefined> {
  if (versions.names.length === 0) return undefined
  const { higherThan } = await import('../release/order.ts')
  for (const other of higherThan(versionName, versions.names)) {
    if ((await versions.standing(other)).state === 'published') return other
  }
  return undefined
}

/** Such as `"1.4.3" is lower than "1.5.0", which is already published`. */
export function describeHigher(versionName: string, higher: string): string {
  return `"${versionName}" is lower than "${higher}", which is already published`
}

/**
 * The first contact: a request that cannot publish, so that a wrong address, token or id is not found out
 * by an upload.
 */
export async function guardWithoutMemory(sending: Sending): Promise<Report | undefined> {
  const { inputs, planned, runner } = sending
  runner.info('First contact with this product: asking the service without a version first.')
  const result = await requestCheck(sending, planned.inputs)
  if (!isHopeless(result)) return undefined
  const { host } = new URL(inputs.baseUrl)
  if (result.kind === 'noAnswer') {
    const { cause } = result
    return { ...explain({ kind: 'notPublished', cause }, host), subject: subjectOf(planned) }
  }
  const report = judgeCheck(result, host, planned.route)
  const message = `Nothing was uploaded. ${report.message}`
  return { ...report, message, subject: subjectOf(planned) }
}

/** Whether an upload would fare no better. */
function isHopeless(result: CheckResult): boolean {
  if (result.kind === 'noAnswer') return !isPassing(result.cause)
  const { status } = result
  if ([401, 403, 404].includes(status) || (status >= 300 && status < 400)) return true
  return result.kind === 'strange' && result.webPage === true && status < 500
}
