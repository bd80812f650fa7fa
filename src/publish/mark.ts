// `mode: mark-published` and `mode: mark-not-published`: records what a person found in the shop. Sends nothing.

import { GitHubError } from '../github/github-error.ts'
import { environmentOf, type Mark, recordedVersionOf } from '../ledger/claim-format.ts'
import { type MarkEnd, markVersion } from '../ledger/mark-version.ts'
import { beganAt, type Claim } from '../ledger/rules.ts'
import type { TaggedRelease } from '../release/find-release.ts'
import type { Asked } from '../report/asked.ts'
import { describeButton, describeRemedy, describeRoute } from '../report/guidance.ts'
import { type Result, resultOf, type Subject } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { timeText } from '../runner/words.ts'
import { describeRun, describeTakingBack } from './claims.ts'
import type { PublishConfig } from './config.ts'
import { type ChosenFile, chooseFile, identify } from './prepare.ts'
import { describeSentFile, type VersionIdentity } from './publication.ts'
import { openLedger, type ProductRecord } from './record.ts'
import type { Sources } from './sources.ts'

/**
 * Marks the version of a tag.
 * @param found What a person found in the shop.
 * @throws {ActionError} The mark is refused.
 */
export async function mark(
  sources: Sources,
  record: ProductRecord,
  tagged: TaggedRelease,
  found: Mark
): Promise<Result> {
  const { asked, config } = sources
  if (config.tag === '' && asked.context.eventName === 'workflow_dispatch') throw explainNoTag()

  const identity = await identify(sources, tagged)
  const chosen = await findMarkedFile(sources, identity)
  const digest = await chosen?.file.digest()

  // A version from before GitHub may have no tag there.
  const isKnown = identity.commit !== '' || tagged.release !== undefined
  const ref = isKnown ? tagged.tag : asked.context.sha
  const ledger = openLedger(record, identity, chosen && { ...chosen, ...digest }, ref)
  const end = await markVersion(ledger, found)

  const subject: Subject = {
    tagged,
    route: identity.route,
    versionName: identity.versionName,
    ...(chosen && { file: describeSentFile(chosen.file, tagged.tag) }),
    ...digest
  }
  const result = resultOfMark(end, found, sources, subject)
  return isKnown ? result : { ...result, warnings: [describeUnknownTag(identity, asked)] }
}

/** A slip in the tag marks another version, which may stop every later one. */
function describeUnknownTag({ names, versionName }: VersionIdentity, asked: Asked): string {
  return `GitHub does not know the tag "${names.tag}"; the mark is of the version "${versionName}". If that was a slip, take it back: ${describeTakingBack(asked)}.`
}

/** A click on a tag, which gave none in the form: a mark hides a version, so a person names it. */
function explainNoTag(): ActionError {
  const advice = 'Give its tag in the button’s field `tag`.'
  return new ActionError(
    'event',
    'Which version? No tag was given, and a mark needs one that you type.',
    {
      advice
    }
  )
}

/**
 * The file of the version, whose digest is recorded, so that a later run can compare its own; undefined without one. A mark
 * needs none: a version from before GitHub has no release that a file could be attached to.
 */
async function findMarkedFile(
  sources: Sources,
  identity: VersionIdentity
): Promise<ChosenFile | undefined> {
  const { file, asset } = sources.config
  if (file.length === 0 && asset.length === 0) return undefined

  try {
    // Nothing is waited for that may never be attached.
    const config = { ...sources.config, assetTimeout: 0 }
    return await chooseFile({ ...sources, config }, identity)
  } catch (error) {
    if (!(error instanceof ActionError || error instanceof GitHubError)) throw error
    sources.runner.info(`The mark holds no digest of a file: ${error.message}`)
    return undefined
  }
}

/** The end of a mark, in words. Throws an `ActionError` where it was refused. */
function resultOfMark(
  end: MarkEnd,
  found: Mark,
  { config, asked }: Pick<Sources, 'config' | 'asked'>,
  subject: Subject
): Result {
  const name = `"${subject.versionName}" of ${describeRoute(config.route)}`
  const effect = found === 'published' ? 'No run will send it.' : 'A run may publish it now.'
  const { context } = asked
  const next = describeNext(found, asked, config)

  switch (end.kind) {
    case 'marked': {
      const settled = describeSettled(end.settled, found, context)
      const message = `${name} is recorded as ${found}. ${settled}${effect}`
      return resultOf('marked', message, { subject, next })
    }
    case 'known': {
      const { versionId } = recordedVersionOf(end.claim)
      // An id is recorded by a run that has published.
      const by =
        versionId === '' ? '' : `, by run ${describeRun(end.claim, context)}, which sent it`
      const twice = versionId === '' ? '' : `${TWICE} `
      const message = `${name} is already recorded as ${found}${by}. ${twice}${effect}`
      return resultOf('marked', message, { subject, next })
    }

    case 'nothing': {
      const message = `Nothing was recorded: no run was about to send the last bytes of ${name}, so there is nothing to mark.`
      const advice =
        'Check `tag`, `product`, `benefit` and `version-name`; if they are right, nothing has to be marked.'
      throw new ActionError('no-record', message, { advice })
    }
    case 'published': {
      const message = `Nothing was recorded: ${name} is recorded as published, by run ${describeRun(end.claim, context)}.`
      const advice = `If that is wrong, delete the deployment ${end.claim.id}: ${describeTakingBack(asked)}.`
      throw new ActionError('already-published', message, { advice })
    }
    case 'busy': {
      const message = `Nothing was recorded: run ${describeRun(end.claim, context)} may still be publishing ${name}.`
      const advice = `Wait until that run has ended, and until ${timeText(end.until)}; then look in the shop, and mark again: ${describeButton(asked, config.mode)}.`
      throw new ActionError('busy', message, { advice })
    }
    case 'overtaken': {
      const message = `${name} is recorded as ${found}, but run ${describeRun(end.claim, context)} was publishing it at the same time.`
      const advice = `Wait until that run has ended, and check in the shop that the version is not there twice. ${describeRemedy('run again', asked)}`
      const heading = 'Marked, but a run was publishing it'
      return resultOf('failed', message, { reason: 'busy', heading, advice, subject })
    }
  }
}

/** The next step after a mark, with how to take it back without a terminal. */
function describeNext(found: Mark, asked: Asked, { baseUrl, route }: PublishConfig): string {
  if (found === 'not published') {
    return `nothing is sent by itself. If it is in the shop after all: ${describeButton(asked, 'mark-published')}.`
  }

  const environment = environmentOf({ baseUrl, route })
  return `nothing has to be done. If it was a mistake, take it back on github.com, with tag \`${asked.tag}\` and environment \`${environment}\`: ${describeTakingBack(asked)}.`
}

/** For a person who uploaded a version by hand that a run has sent, or may have. */
const TWICE = 'If it was uploaded by hand, too, buyers may have it twice: look in the shop.'

/**
 * Which tries a mark settles: one of them may be newer than what the person saw in the shop. One sentence or two, before a
 * space; empty if there is none.
 */
function describeSettled(claims: readonly Claim[], found: Mark, context: RunContext): string {
  if (claims.length === 0) return ''
  const tries = claims.map(
    claim =>
      `run ${describeRun(claim, context)}, which may have sent it since ${timeText(sentSince(claim), 'down')}`
  )
  const lifts = `This lifts the doubt about ${tries.join('; and about ')}. `
  return found === 'published' ? `${lifts}${TWICE} ` : lifts
}

function sentSince(claim: Claim): number {
  return beganAt(claim) ?? claim.createdAt
}
