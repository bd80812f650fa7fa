// What the record on GitHub says of a version, in words: published before, in doubt, or below a higher one.
import { describeMark, isSameContent, recordedVersionOf } from '../ledger/record.ts'
import { type Claim, type HigherVersion, settledAt } from '../ledger/rules.ts'
import type { Publication, VersionIdentity } from '../publish/publication.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import {
  adviseNewStart,
  codeLines,
  describeRoute,
  pressButton,
  type RunFacts,
  statusCommand
} from './guidance.ts'
import { type Result, resultOf, subjectOf } from './result.ts'

/** A version that was published before. Throws an `ActionError` if it was another under the same name. */
export function alreadyPublished(claim: Claim, publication: Publication, facts: RunFacts): Result {
  const subject = subjectOf(publication)
  const present = { ...facts.context, ...publication }
  const { versionId, sha256, size, title, fileName } = recordedVersionOf(claim)
  const name = `"${subject.versionName}"`
  const by = `run ${describeRun(claim, facts.context)}`
  const digests = `its file had the SHA-256 ${sha256}, this one has ${present.sha256}`
  if (!isSameContent(claim, present)) {
    const message = `${name} was published by ${by} with different content: ${digests}.`
    const advice =
      'Give the new content a new version; if two jobs publish the same version, remove one of them.'
    throw new ActionError('different-content', message, { advice })
  }
  const rebuilt =
    sha256 !== '' && sha256 !== present.sha256 ? ` The file was built again: ${digests}.` : ''
  // What this run would have sent may differ from what buyers have: only what is recorded is shown.
  const { changelog: _, file: __, size: ___, ...about } = subject
  return resultOf('skipped', `${name} is already published, as ${by} recorded.${rebuilt}`, {
    reason: 'already-published',
    subject: { ...about, title, file: fileName, sha256, ...(size === undefined ? {} : { size }) },
    record: {
      id: versionId,
      title: subject.title,
      changelog: subject.changelog,
      file_name: fileName
    }
  })
}

/** A version of which nobody knows whether it is published: a person has to look. */
export function inDoubt(claim: Claim, identity: VersionIdentity, facts: RunFacts): Result {
  const { versionName } = identity
  const { fileName, sha256 } = recordedVersionOf(claim)
  const file = sha256 === '' ? fileName : `${fileName} (SHA-256 ${sha256})`
  const message =
    `The shop may have published "${versionName}": run ${describeRun(claim, facts.context)} was about to send the last bytes of ${file}, ` +
    'and no answer is recorded. So that nothing is published twice, this run sent nothing.'
  return resultOf('unknown', message, {
    reason: 'in-doubt',
    advice: adviseToLook(claim.id, settledAt(claim), identity, facts)
  })
}

/** Where and from when on to look for a version, and how to say what was found. `until`: by GitHub's clock, in ms. */
export function adviseToLook(
  claim: number,
  until: number,
  { route, versionName }: Pick<VersionIdentity, 'route' | 'versionName'>,
  facts: RunFacts
): string {
  const from = new Date(until).toISOString().slice(0, 16).replace('T', ' ')
  const { runId } = facts.context
  const found = describeMark('published', runId)
  const missing = describeMark('not published', runId)
  return (
    `When that run has ended, and from ${from} UTC on, look in the shop’s admin dashboard, ${describeRoute(route)}: is there a version "${versionName}"? ` +
    `Then say what you found: ${pressButton(facts, 'mark-published', 'mark-not-published')}. Or paste the command for it:` +
    codeLines(
      statusCommand(claim, 'success', found, facts.context),
      statusCommand(claim, 'failure', missing, facts.context)
    )
  )
}

/** The error of a version that must not follow a higher one. */
export function lowerVersion(
  higher: HigherVersion,
  identity: VersionIdentity,
  facts: RunFacts
): ActionError {
  const isPublished = higher.state === 'published'
  const look = isPublished
    ? ''
    : `Wait until it is known whether "${higher.versionName}" is published. `
  const message = `Nothing was published: ${describeHigher(higher, identity.versionName)}.`
  return new ActionError('lower-version', message, {
    advice: `${look}To publish the lower version anyway, as the newest that buyers see, set \`allow-lower: true\`. ${adviseNewStart(facts)}`
  })
}

const HIGHER: Readonly<Record<HigherVersion['state'], string>> = {
  published: 'is already published',
  'in doubt': 'may be published',
  'in progress': 'is being published'
}

/** As a clause: `"1.4.3" is lower than "1.5.0", which is already published`. */
export function describeHigher({ state, versionName }: HigherVersion, lower: string): string {
  return `"${lower}" is lower than "${versionName}", which ${HIGHER[state]}`
}

/** A run as users find it, such as `42, attempt 2 (https://github.com/…)`. */
export function describeRun({ claimant }: Claim, { serverUrl, repository }: RunContext): string {
  const { runId, runAttempt } = claimant
  const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : ''
  return `${runId}${attempt} (${serverUrl}/${repository}/actions/runs/${runId})`
}
