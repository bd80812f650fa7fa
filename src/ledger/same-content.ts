// Decides what counts as the same content of a version: what a claim has sent, compared with the file of the present run. Pure.
import { recordedVersionOf } from './claim-format.ts'
import type { Claim, Claimant, JobRun } from './rules.ts'

/** The present run and its file. */
export type PresentRun = JobRun & Pick<Claimant, 'commit' | 'fileSource' | 'filePath' | 'sha256'>

/** How the content that is recorded compares with the present one; `rebuilt` if a build made other bytes of the same. */
export type ContentMatch = 'same' | 'rebuilt' | 'different'

/** Compares what a published claim has sent with the file of the present run. */
export function compareContent(claim: Claim, present: PresentRun): ContentMatch {
  const { sha256 } = recordedVersionOf(claim)
  // Only a mark has no digest: a person has said that it is this version.
  if (sha256 === '' || sha256 === present.sha256) return 'same'
  return isRebuilt(claim.claimant, present) ? 'rebuilt' : 'different'
}

/** Few builds are reproducible: the same path, built again from the same commit, is the same file for buyers. */
function isRebuilt(claimant: Claimant, present: PresentRun): boolean {
  // A file that is attached to a release is not built again, but replaced.
  const isBuilt = claimant.fileSource === 'workspace' && present.fileSource === 'workspace'
  const isSamePath = claimant.filePath === present.filePath
  const isSameCommit = present.commit !== '' && present.commit === claimant.commit
  if (!isBuilt || !isSamePath || !isSameCommit) return false

  // Two jobs of one attempt, or two legs of a matrix, publish two files as one version by mistake.
  return present.runId !== claimant.runId || isEarlierAttempt(claimant, present)
}

/** Whether it is an earlier attempt of the same job. */
function isEarlierAttempt(other: JobRun, run: JobRun): boolean {
  return other.runId === run.runId && other.job === run.job && other.runAttempt < run.runAttempt
}
