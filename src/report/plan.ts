// A plan in words: what the record says of the version, what changed in the file, and how it differs from an approved plan.
import type { Change, Comparison } from '../file/compare.ts'
import { listed } from '../file/fault.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import type { Difference } from '../publish/approval.ts'
import type { FoundChanges, PlanEnd } from '../publish/plan.ts'
import { counted, sizeText } from '../runner/text.ts'
import { placeIn } from '../runner/values.ts'
import { type Changes, ended, type Report, type Table, type ToldTarget } from './outcome.ts'
import { describeHigher } from './record.ts'
import type { RunFacts } from './ways.ts'

/** The report of a planned target. */
export function reportPlan(end: PlanEnd, told: ToldTarget, facts: RunFacts): Report {
  const { answer, changes, preview, tag } = end
  const report = ended('planned', '', describeAnswer(end, told.versionName, facts))
  // A green plan is taken for a publication.
  const isUnpublished = answer.standing?.state === 'none' && end.part !== undefined
  return {
    ...report,
    ...(isUnpublished ? { heading: `Plan only, ${tag} not published` } : {}),
    ...(preview === undefined ? {} : { preview }),
    changes: describeChanges(changes, told)
  }
}

function describeAnswer(
  { answer, part, commit, sha256 }: PlanEnd,
  versionName: string,
  { context }: RunFacts
): string {
  const { standing, higher, failure } = answer
  if (failure) {
    const why =
      failure.kind === 'permission'
        ? 'the job is not allowed to read deployments: add `deployments: read` to its permissions'
        : failure.error.message
    return `Whether it is published already could not be read (${why}).`
  }
  switch (standing?.state) {
    case undefined:
      return 'It would be published, without a record on GitHub (`once: off`).'
    case 'published': {
      if (!part) {
        return 'That version is already published; the next release will be a new version.'
      }
      const { claim } = standing
      const { versionId } = recordOf(claim)
      const published = `It is published already${versionId === '' ? '' : ` as version ${versionId}`}`
      return judgeReplay(claim, { ...context, commit, sha256 }) === 'different'
        ? `${published}, with other content: publishing would fail.`
        : `${published}: nothing would be sent.`
    }
    case 'in doubt':
      return `Nobody knows whether it is published already: run ${standing.claim.claimant.runId} sent it, and no answer was recorded. Publishing would stop, and say how to settle that.`
    case 'committed':
      return `Run ${standing.claim.claimant.runId} is sending it: publishing would wait for it.`
    case 'claimed':
      return `Run ${standing.claim.claimant.runId} is about to send it: publishing would wait for it.`
    case 'none':
      return higher
        ? `Publishing would fail: ${describeHigher(higher, versionName)} (\`order\`).`
        : 'It is not published yet; publishing would send it.'
  }
}

function describeChanges(changes: FoundChanges, { target, size = 0 }: ToldTarget): Changes {
  const place = placeIn(target, target.asset.length > 0 ? 'asset' : 'file')
  const none = { place, warnings: [], tables: [] }
  if (changes.kind === 'same') {
    const line = `The file is the one that buyers have now, byte for byte (${changes.tag}).`
    return { ...none, line, warnings: changes.isOther ? [line] : [] }
  }
  if (changes.kind === 'not compared') {
    const line = `The file was not compared with the one that buyers have now: ${changes.why}.`
    return { ...none, line }
  }
  const { tag, name, before, comparison } = changes
  const { added, removed, changed, warnings } = comparison
  const counts = `${counted(added.length, 'file')} added, ${removed.length} removed, ${changed.length} changed`
  const last = `${listed([name])} of ${tag}`
  return {
    place,
    line: `Compared with ${last}, which buyers have now: ${counts}; ${sizeText(before)} before, ${sizeText(size)} now.`,
    warnings: warnings.map(text => `Compared with the file that buyers have now, ${text}.`),
    tables: tablesOf(comparison)
  }
}

const ROWS_SHOWN = 20

function tablesOf({ added, removed, changed }: Comparison): Table[] {
  return [
    ...changeTable(added, ['Added', 'Size'], ({ after: size = 0 }) => [sizeText(size)]),
    ...changeTable(removed, ['Removed', 'Size'], ({ before: size = 0 }) => [sizeText(size)]),
    ...changeTable(changed, ['Changed', 'Before', 'Now'], change =>
      [change.before, change.after].map(size => sizeText(size ?? 0))
    )
  ]
}

function changeTable(
  changes: readonly Change[],
  head: readonly string[],
  cellsOf: (change: Change) => readonly string[]
): Table[] {
  const rows = changes
    .slice(0, ROWS_SHOWN)
    .map(change => [listed([change.path]), ...cellsOf(change)])
  const more = changes.length - rows.length
  const last = more > 0 ? [[`… and ${more} more`, ...head.slice(1).map(() => '')]] : []
  return rows.length === 0 ? [] : [{ head, rows: [...rows, ...last] }]
}

/** The report of a target that differs from the approved plan. */
export function reportUnapproved({ digests, counts, rows }: Difference): Report {
  const head = digests
    ? `The digest of the plan is ${digests.present}, and ${digests.approved} was approved. What would be sent now, to compare with the summary of the approved plan:`
    : 'This differs from the approved plan:'
  const targets = counts ? [`  targets: ${counts.present}, approved: ${counts.approved}`] : []
  const lines = rows.map(({ key, present, approved }) => {
    const shown = `  ${key}: ${JSON.stringify(present)}`
    return digests ? shown : `${shown}, approved: ${JSON.stringify(approved)}`
  })
  const message = `Nothing was published. ${[head, ...targets, ...lines].join('\n')}`
  const advice =
    'If what would be sent now is right, run `mode: plan` again, and have that approved. Another build has other bytes, ' +
    'so publish the file that was planned, for example as the release’s `asset`.'
  return ended('failed', 'not-approved', message, advice)
}
