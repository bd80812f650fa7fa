// The words for what the record says of a version: published before, in doubt, or below a higher one.

import { describeMark, describePublished, recordedVersionOf } from '../ledger/claim-format.ts'
import { claimWords } from '../ledger/claim-words.ts'
import { beganAt, type Claim, type HigherVersion, settledAt } from '../ledger/rules.ts'
import type { Asked } from '../report/asked.ts'
import {
  codeLines,
  describeButton,
  describeRoute,
  pageOf,
  statusCommand
} from '../report/guidance.ts'
import { type Result, resultOf } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { timeText } from '../runner/words.ts'
import type { Publication, VersionIdentity } from './publication.ts'

/**
 * The result for a version that was published before, with the same content or a build of it. Its outputs are what is recorded:
 * the release may say something else by now, which nobody was sent.
 */
export function resultOfRecorded(claim: Claim, publication: Publication, asked: Asked): Result {
  const { tagged, route, versionName } = publication
  const { versionId, sha256, size, title, fileName, markedBy } = recordedVersionOf(claim)

  const isRebuilt = sha256 !== '' && sha256 !== publication.sha256
  const rebuilt = isRebuilt
    ? ` It was published with other bytes, and this file was not sent: ${describeDigests(claim, publication)}.`
    : ''

  const isMarked = markedBy !== ''
  const how = isMarked
    ? `since a person marked it so (run ${describeRunId(markedBy, asked.context)})`
    : `as run ${describeRun(claim, asked.context)} recorded`
  const advice = isMarked ? `If it is not in the shop: ${describeTakingBack(asked)}.` : ''

  const sized = size === undefined ? {} : { size }
  return resultOf('skipped', `"${versionName}" is already published, ${how}.${rebuilt}`, {
    reason: 'already-published',
    ...(isRebuilt ? { level: 'warning' } : {}),
    advice,
    subject: {
      tagged,
      route,
      versionName,
      title,
      file: fileName,
      sha256,
      ...sized
    },
    versionFields: {
      id: versionId && JSON.rawJSON(versionId),
      title,
      file_name: fileName
    }
  })
}

/** Where a person reads how to take back a mark. */
export function describeTakingBack({ context }: Asked): string {
  const page = pageOf(context, 're-runs.md#take-back-a-mark')
  return `see “Take back a mark” in ${page || 'docs/re-runs.md'}`
}

/** The error for a version that was published before, with other content. */
export function explainDifferentContent(
  claim: Claim,
  publication: Publication,
  { context }: Asked
): ActionError {
  const run = describeRun(claim, context)
  const message = `"${publication.versionName}" was published by run ${run} with different content: ${describeDigests(claim, publication)}.`
  return new ActionError('different-content', message, {
    advice:
      'If this is the same file built again, nothing is left to do; if not, give it a new version, or where two jobs publish the same version, different benefits.'
  })
}

function describeDigests(claim: Claim, { sha256 }: Publication): string {
  return `its file had the SHA-256 ${recordedVersionOf(claim).sha256}, this one has ${sha256}`
}

/** The result for a version that may be published: a person has to look into the shop. */
export function resultOfDoubt(claim: Claim, identity: VersionIdentity, asked: Asked): Result {
  const { versionName } = identity
  const { fileName, sha256 } = recordedVersionOf(claim)
  const name = fileName === '' ? 'the file' : claimWords(claim).fileName
  const file = sha256 === '' ? name : `${name} (SHA-256 ${sha256})`
  const message =
    `The shop may have published "${versionName}": run ${describeRun(claim, asked.context)} ${describeDoubtfulTry(claim, file)}. ` +
    'So that nothing is published twice, this run did not publish it.'
  return resultOf('unknown', message, {
    reason: 'in-doubt',
    ...lookAdvice(claim.id, settledAt(claim), identity, asked)
  })
}

/** Such as `was about to send the last bytes of "app.zip", and no answer is recorded`. `file`: what it sent, in words. */
export function describeDoubtfulTry(claim: Claim, file: string): string {
  const isBegun = beganAt(claim) !== undefined
  const sending = isBegun ? `was about to send the last bytes of ${file}` : `was sending ${file}`
  return `${sending}, and no answer is recorded that says whether it was published`
}

/** How a person finds out what became of a version, and says so. */
export type LookAdvice = Pick<Result, 'advice' | 'commands'>

/**
 * Where to look for a version, and how to say what was found.
 * @param claimId The deployment's.
 * @param until When to look at the earliest, in milliseconds since 1970; undefined for 15 minutes from now on.
 */
export function lookAdvice(
  claimId: number,
  until: number | undefined,
  { route, versionName }: Pick<VersionIdentity, 'route' | 'versionName'>,
  asked: Asked
): LookAdvice {
  const { runId } = asked.context
  const found = describeMark('published', runId)
  const missing = describeMark('not published', runId)
  return {
    advice:
      `Wait until the run has ended, and ${until === undefined ? 'for 15 minutes' : `until ${timeText(until)}`}; then look in the shop’s admin dashboard, ${describeRoute(route)}: is there a version "${versionName}"? ` +
      `Then say what you found: ${describeButton(asked, 'mark-published', 'mark-not-published')}.`,
    commands: [
      `# it is there:\n${statusCommand(claimId, 'success', found, asked.context)}`,
      `# it is not there:\n${statusCommand(claimId, 'failure', missing, asked.context)}`
    ]
  }
}

/** Follows the words about an upload that ended after its `in_progress`. */
const STANDS_IN_PROGRESS =
  ' Its deployment stands in progress for 15 minutes, in which other runs wait for it; after that, the version is in doubt.'

/**
 * How to record by hand what became of a version.
 * @param claimId The deployment's.
 * @param versionId The shop's; undefined if nothing was published.
 * @param sha256 Of the file; empty if the upload ended before the commit point.
 */
export function describeRecording(
  claimId: number,
  versionId: string | undefined,
  sha256: string,
  { context }: Asked
): string {
  const command =
    versionId === undefined
      ? statusCommand(claimId, 'failure', describeMark('not published', context.runId), context)
      : statusCommand(claimId, 'success', describePublished(versionId, sha256), context)
  const what = versionId === undefined ? 'Nothing was published' : 'The version is published'
  const stands = versionId === undefined && sha256 !== '' ? STANDS_IN_PROGRESS : ''
  return `${what}, but that could not be recorded on GitHub.${stands} Record it with:${codeLines(command)}`
}

/** The error of a version that must not follow a higher one. */
export function explainLowerVersion(higher: HigherVersion, identity: VersionIdentity): ActionError {
  const isPublished = higher.state === 'published'
  const look = isPublished
    ? ''
    : `Wait until it is known whether ${claimWords(higher.claim).versionName} is published. `
  const message = `Nothing was published: ${describeHigher(higher, identity.versionName)}.`
  return new ActionError('lower-version', message, {
    advice: `${look}Release it under a higher number. If ${claimWords(higher.claim).versionName} was a mistake, or buyers may take this one for the newest, set \`allow-lower: true\`.`,
    remedy: 'correct workflow'
  })
}

const HIGHER: Readonly<Record<HigherVersion['state'], string>> = {
  published: 'is already published',
  'in doubt': 'may be published',
  'in progress': 'is being published'
}

/** As a clause: `"1.4.3" is lower than "1.5.0", which is already published`. */
export function describeHigher({ state, claim }: HigherVersion, lower: string): string {
  return `"${lower}" is lower than ${claimWords(claim).versionName}, which ${HIGHER[state]}`
}

/** A run as users find it, such as `42, attempt 2 (https://github.com/…)`. */
export function describeRun({ claimant }: Claim, context: RunContext): string {
  const { runId, runAttempt } = claimant
  return describeRunId(runId, context, runAttempt > 1 ? `, attempt ${runAttempt}` : '')
}

function describeRunId(runId: string, { serverUrl, repository }: RunContext, attempt = ''): string {
  return `${runId}${attempt} (${serverUrl}/${repository}/actions/runs/${runId})`
}
