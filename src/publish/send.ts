// `mode: publish`: publishes with the record, and says how that ended.

import { type PublishAttempt, type PublishOnceEnd, publishOnce } from '../ledger/publish-once.ts'
import { compareContent } from '../ledger/same-content.ts'
import type { Asked } from '../report/asked.ts'
import { hasOwnWords, type Result, resultOfBug, resultOfError } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import { messageOf } from '../runner/words.ts'
import { explainNotSent, explainRejected, resultOfPublished, resultOfUnknown } from './answers.ts'
import {
  describeRecording,
  explainDifferentContent,
  explainLowerVersion,
  lookAdvice,
  resultOfDoubt,
  resultOfRecorded
} from './claims.ts'
import { type Publication, presentRunOf, subjectOf } from './publication.ts'
import { openLedger, type ProductRecord } from './record.ts'
import type { ShopDesk } from './shop-desk.ts'
import { ShopSender } from './shop-sender.ts'

/** Sends a publication, unless it is published already or in doubt. Never throws. */
export async function send(
  shop: ShopDesk,
  record: ProductRecord,
  publication: Publication
): Promise<Result> {
  const subject = subjectOf(publication)
  const sender = new ShopSender(shop, publication)
  try {
    const end = await publishOnce(openLedger(record, publication, publication), sender)
    return resultOfEnd(end, publication, shop)
  } catch (error) {
    if (sender.published) {
      const late = `This should not have happened: ${messageOf(error)}`
      return { ...sender.published, warnings: [late] }
    }

    // Whatever it is called, an error after the commit point does not say that nothing was published.
    const result = sender.isCommitted
      ? resultOfBug(error, { mayBePublished: true })
      : resultOfError(error, shop.asked, shop.runner.cancelled)
    return { ...result, subject }
  }
}

/** The result for the end of `publishOnce`. */
function resultOfEnd(
  end: PublishOnceEnd,
  publication: Publication,
  { asked, config, runner }: ShopDesk
): Result {
  const subject = subjectOf(publication)
  const fail = (error: Error): Result => ({
    ...resultOfError(error, asked, runner.cancelled),
    subject
  })

  switch (end.kind) {
    case 'published': {
      const match = compareContent(end.claim, presentRunOf(asked.context, publication))
      return match === 'different'
        ? fail(explainDifferentContent(end.claim, publication, asked))
        : resultOfRecorded(end.claim, publication, asked)
    }
    case 'in doubt':
      return { ...resultOfDoubt(end.claim, publication, asked), subject }
    case 'higher':
      return fail(explainLowerVersion(end, publication))
    case 'withheld': {
      const message = `Nothing was published: ${end.why}.`
      return fail(new ActionError('withheld', message, { remedy: 'run again' }))
    }
    case 'tried': {
      const result = resultOfTry(end, publication, fail, { asked, config })
      return { ...result, subject, warnings: warningsOf(end, asked) }
    }
  }
}

function resultOfTry(
  { result, claim }: PublishAttempt,
  publication: Publication,
  fail: (error: Error) => Result,
  { asked, config }: Pick<ShopDesk, 'asked' | 'config'>
): Result {
  switch (result.kind) {
    case 'published':
      return resultOfPublished(result.record, publication)
    case 'rejected':
      return fail(explainRejected(result, publication, config, asked))
    case 'notSent': {
      const { cause } = result
      return fail(hasOwnWords(cause) ? cause : explainNotSent(cause, asked))
    }
    case 'noAnswer':
    case 'doubtful': {
      const look = lookAdvice(claim.id, claim.settled, publication, asked)
      return resultOfUnknown(result, publication, asked, look)
    }
  }
}

/** Warns of an end that is not recorded: the next run may find the version in doubt. */
function warningsOf({ result, claim }: PublishAttempt, asked: Asked): string[] {
  if (claim.recorded) return []

  // A person has to look first where it may have been published.
  if (result.certainty === 'unknown') return ['This outcome could not be recorded on GitHub.']

  const versionId = result.kind === 'published' ? result.record.id : undefined
  return [describeRecording(claim.id, versionId, claim.sha256, asked)]
}
