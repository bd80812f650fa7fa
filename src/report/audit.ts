// An audit in words: which releases are published, and what to do about the others.
import type { AuditEnd, AuditRow } from '../publish/modes.ts'
import { ended, type Report } from './outcome.ts'

const IN_WORDS: Readonly<Record<AuditRow['state'], string>> = {
  none: 'missing',
  claimed: 'being published',
  committed: 'being published',
  published: 'published',
  'in doubt': 'in doubt'
}

/** The report of an audited target; `product` as users read it. */
export function reportAudit(audit: AuditEnd, product: string): Report {
  if (audit.result === 'nothing') {
    const message = `Nothing is recorded as published to product ${product}, so the releases cannot be compared with it.`
    const advice =
      'Set `audit-since` to the tag of the first release that is meant for the shop, or publish one first. ' +
      'If this action has published versions before, somebody has deleted deployments of this repository, which are the record of that: ' +
      'look in the shop, and record what is there with `mode: settle`.'
    return { ...ended('failed', 'no-record', message, advice), heading: 'Nothing is recorded' }
  }
  if (audit.result === 'no fit') {
    const message = `No release was compared with product ${product}: no tag of one fits \`tag-pattern\`.`
    return ended('failed', 'bad-input', message, 'Correct `tag-pattern`, or `audit-since`.')
  }
  if (audit.result === 'too many') {
    const message = `More than ${audit.most} releases came since the first version that is recorded as published to product ${product}.`
    return ended('failed', 'bad-input', message, 'Set `audit-since` to the tag of a later release.')
  }
  const { rows } = audit
  const cells = rows.map(({ tag, versionName, state }) => [tag, versionName, IN_WORDS[state]])
  const table = { head: ['Release', 'Version', 'State'], rows: cells }
  const missing = rows.filter(({ state }) => state === 'none')
  const wrong = [...missing, ...rows.filter(({ state }) => state === 'in doubt')]
  if (wrong.length > 0) return { ...reportWrong(wrong, audit, product), table }
  if (rows.length > 0) {
    const message = `Every release that was looked at (${rows.length}) is published to product ${product}, or on its way.`
    return { ...ended('audited', '', message), table }
  }
  const message = `There is no release to compare with product ${product}: see \`audit-since\`, \`tag-pattern\` and \`prerelease\`.`
  // What would never be compared would look like success forever.
  const warnings = [{ text: 'No release was compared.', title: product }]
  return { ...ended('audited', '', message), heading: 'No release to compare', warnings }
}

function reportWrong(
  wrong: readonly AuditRow[],
  { rows, newest }: Extract<AuditEnd, { result: 'compared' }>,
  product: string
): Report {
  const named = tellSome(wrong.map(({ tag, state }) => `${tag} (${IN_WORDS[state]})`))
  const message = `Of the releases that were looked at (${rows.length}), these are not known to be published to product ${product}: ${named}.`
  const advice =
    'Look in the shop. If a version is not there, run your publishing workflow by hand with the input `tag`. ' +
    'If it is there, record that with `mode: settle` and `settle-as: published`. ' +
    'One that is in doubt and not there needs `settle-as: not-published` before it can be published.'
  const missing = wrong.filter(({ state }) => state === 'none')
  const lost = missing.filter(({ claimed, publishedAt }) => !claimed && publishedAt < newest)
  const tags = tellSome(lost.map(({ tag }) => tag))
  const hint =
    tags &&
    `\nReleased before the last recorded publication, and without any record: ${tags}. ` +
      'Perhaps somebody deleted deployments of this repository; they are the record of what is published. ' +
      'If they were never meant for the shop, set a later `audit-since`. To publish one now, set `order: any`.'
  const isMissing = missing.length > 0
  const heading = `Not every release is ${isMissing ? '' : 'known to be '}published`
  const reason = isMissing ? 'missing' : 'in-doubt'
  return { ...ended('failed', reason, message, `${advice}${hint}`), heading }
}

/** Lists ten names at most; the table has them all. */
function tellSome(names: readonly string[]): string {
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  return `${names.slice(0, 10).join(', ')}${more}`
}
