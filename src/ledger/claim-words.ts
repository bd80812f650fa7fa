// The texts of a claim as messages show them: anybody who can write deployments may have written them. Pure.
import { quotedTexts } from '../runner/words.ts'
import type { Claimant, ListedClaim } from './rules.ts'

/** The texts of a claim, each in quotes. */
type ClaimWords = Readonly<
  Record<
    Exclude<keyof Claimant, 'runId' | 'runAttempt' | 'fileSource'> | 'versionName' | 'tag',
    string
  >
>

/** A path with a line break and a command below it would look like advice of ours in a message. */
export function claimWords({ versionName, tag, claimant }: ListedClaim): ClaimWords {
  const { runId, runAttempt, fileSource, ...texts } = claimant
  return quotedTexts({ ...texts, versionName, tag })
}
