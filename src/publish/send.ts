// `mode: publish`: publishes with the record, and says how that ended.
import { type PublishAttempt, type PublishOnceEnd, publishOnce } from '../ledger/publish-once.ts'
import { compareContent } from '../ledger/same-content.ts'
import type { RunFacts } from '../report/guidance.ts'
import { hasOwnWords, type Result, resultOfBug, resultOfError } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import { messageOf } from '../runner/words.ts'
import { notSent, publishedVersion, unknownOutcome, uploadRejected } from './answers.ts'
import {
  adviseToLook,
  adviseToRecord,
  alreadyPublished,
  differentContent,
  inDoubt,
  lowerVersion
} from './claims.ts'
import { type Environment, openLedger, type Step } from './environment.ts'
import { type Publication, presentRunOf, subjectOf } from './publication.ts'
import { ShopSender } from './shop-sender.ts'

/** Sends a publication, unless it is published already or in doubt. Never throws. */
export async function send(env: Environment, publication: Publication): Promise<Result> {
  const subject = subjectOf(publication)
  const sender = new ShopSender(env, publication)
  try {
    const end = await publishOnce(await openLedger(env, publication, publication), sender)
    return resultOfEnd(end, env, publication)
  } catch (error) {
    if (sender.published) {
      const late = `This should not have happened: ${messageOf(error)}`
      return { ...sender.published, warnings: [late] }
    }

    // Whatever it is called, an error after the commit point does not say that nothing was published.
    const result = sender.isCommitted
      ? resultOfBug(error, { mayBePublished: true })
      : resultOfError(error, env.facts, env.runner.cancelled)
    return { ...result, subject }
  }
}

/** The result for the end of `publishOnce`. */
function resultOfEnd(end: PublishOnceEnd, step: Step, publication: Publication): Result {
  const { facts, runner } = step
  const subject = subjectOf(publication)
  const fail = (error: ActionError): Result => ({
    ...resultOfError(error, facts, runner.cancelled),
    subject
  })

  switch (end.kind) {
    case 'published': {
      const match = compareContent(end.claim, presentRunOf(runner.context, publication))
      return match === 'different'
        ? fail(differentContent(end.claim, publication, facts))
        : alreadyPublished(end.claim, publication, facts)
    }
    case 'in doubt':
      return { ...inDoubt(end.claim, publication, facts), subject }
    case 'higher':
      return fail(lowerVersion(end, publication))
    case 'withheld': {
      const message = `Nothing was published: ${end.why}.`
      return fail(new ActionError('withheld', message, { remedy: 'run again' }))
    }
    case 'tried':
      return { ...sentResult(end, step, publication), subject, warnings: warningsOf(end, facts) }
  }
}

function sentResult(
  { result, claim }: PublishAttempt,
  step: Step,
  publication: Publication
): Result {
  const { facts } = step
  const { cancelled } = step.runner
  switch (result.kind) {
    case 'published':
      return publishedVersion(result.record, publication)
    case 'rejected':
      return resultOfError(uploadRejected(result, step, publication), facts, cancelled)
    case 'notSent': {
      const { cause } = result
      const error = hasOwnWords(cause) ? cause : notSent(cause, facts)
      return resultOfError(error, facts, cancelled)
    }
    case 'noAnswer':
    case 'doubtful': {
      const look = adviseToLook(claim.id, claim.settled, publication, facts)
      return unknownOutcome(result, publication, facts, look)
    }
  }
}

/** Warns of an end that is not recorded: the next run may find the version in doubt. */
function warningsOf({ result, claim }: PublishAttempt, facts: RunFacts): string[] {
  if (claim.recorded) return []

  // A person has to look first where it may have been published.
  if (result.certainty === 'unknown') return ['This outcome could not be recorded on GitHub.']

  const versionId = result.kind === 'published' ? result.record.id : undefined
  return [adviseToRecord(claim.id, versionId, claim.sha256, facts)]
}
