// The record of a product, as a run of this action opens a version's view of it.
import type { Artifact } from '../files/artifact.ts'
import { comparableName } from '../ledger/claim-format.ts'
import type { Deployments } from '../ledger/deployments.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openRanking } from '../release/tag.ts'
import type { Runner } from '../runner/runner.ts'
import type { Clock } from './clock.ts'
import type { VersionIdentity } from './publication.ts'

/** The record of a product or benefit, and the run that works with it. */
export interface ProductRecord {
  readonly deployments: Deployments
  readonly clock: Clock
  readonly runner: Pick<Runner, 'context' | 'cancelled' | 'info'>
  /** Whether a version may be lower than one that is published. */
  readonly allowLower: boolean
}

/** A file as a claim holds it. */
interface SentFile {
  readonly file: Pick<Artifact, 'name' | 'path' | 'origin'>
  /** Left out where it was not inspected. */
  readonly sha256?: string
}

/**
 * Opens the ledger of a version, with this run as the claimant.
 * @param sent The file; undefined if none was named.
 * @param ref Of the claims: the tag, unless GitHub does not know it.
 */
export function openLedger(
  { deployments, clock, runner, allowLower }: ProductRecord,
  { versionName, title, names, commit }: VersionIdentity,
  sent: SentFile | undefined,
  ref = names.tag
): Ledger {
  const { runId, runAttempt, job } = runner.context
  const name = comparableName(versionName)

  return {
    deployments,
    versionName: name,
    tag: names.tag,
    ref,
    claimant: {
      runId,
      runAttempt,
      job,
      commit,
      title,
      fileSource: sent?.file.origin.source,
      fileName: sent?.file.name ?? '',
      filePath: sent?.file.path ?? '',
      sha256: sent?.sha256 ?? ''
    },
    rankOf: allowLower ? undefined : openRanking(name),
    stopwatch: clock.stopwatch,
    sleep: clock.sleep,
    settlingPause: clock.settlingPause,
    log: runner.info
  }
}
