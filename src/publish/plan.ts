// `mode: plan`: everything that would be sent, its digest, and what the record says. Writes nothing, and asks no shop.
import { GitHubError } from '../github/github-error.ts'
import {
  type ContentMatch,
  comparableName,
  compareContent,
  recordedVersionOf
} from '../ledger/claim-format.ts'
import { claimWords } from '../ledger/claim-words.ts'
import type { ListedClaim, Verdict } from '../ledger/rules.ts'
import { surveyVersions } from '../ledger/survey.ts'
import { isRanked, openRanking } from '../release/tag.ts'
import { describeDoubtfulTry, describeHigher, describeRun } from '../report/claims.ts'
import { pressButton, type RunFacts } from '../report/guidance.ts'
import { type Result, resultOf, subjectOf } from '../report/result.ts'
import { isPullRequest } from '../runner/runner.ts'
import type { Environment, Step } from './environment.ts'
import {
  type Publication,
  partsOf,
  planDigestOf,
  presentRunOf,
  tableOfParts
} from './publication.ts'

/** Plans a publication. */
export async function plan(env: Environment, publication: Publication): Promise<Result> {
  const { runner, config } = env
  const { standsIn, release, tag } = publication.tagged

  // Nothing could be approved of a release that only stands in for the next one.
  const parts = partsOf(config, publication)
  const planDigest = standsIn ? '' : planDigestOf(parts)
  if (planDigest) runner.info(`Digest of this plan, for \`approved-plan\`: ${planDigest}`)

  const said: RecordAnswer = config.record
    ? await askRecord(env, publication)
    : { sentences: 'It would be published without a record (`record: false`).', limit: '' }
  const draft = release?.draft
    ? ` The release ${tag} is still a draft: publish it on GitHub first.`
    : ''
  return resultOf('planned', `${said.sentences}${draft}${said.limit}`, {
    subject: subjectOf(publication),
    planDigest,
    next: adviseAfterPlan(said.verdict, publication, env.facts),
    ...(planDigest && { table: { head: ['Part', 'Planned'], rows: tableOfParts(parts) } })
  })
}

/** The record's answer about a version. */
interface RecordAnswer {
  readonly sentences: string
  /** With which versions it could not be compared: a sentence after a space, or empty. */
  readonly limit: string
  /** Undefined where the record was not read. */
  readonly verdict?: Verdict
}

/** Asks the record about the version. A record that cannot be read is no error here. */
async function askRecord(env: Environment, publication: Publication): Promise<RecordAnswer> {
  const { context, cancelled } = env.runner
  const { sha256, versionName } = publication
  try {
    const versions = await surveyVersions(env.deployments, context)

    const isCompared = !env.config.allowLower && !publication.tagged.standsIn
    const rankOf = isCompared ? await openRanking(comparableName(versionName)) : undefined
    const verdict = await versions.verdictOn(versionName, rankOf)
    const described = describeVerdict(env, verdict, publication)

    const isOther = (claim: ListedClaim) => claim.versionName !== comparableName(versionName)
    const same = await versions.findPublished(claim => {
      return isOther(claim) && claim.claimant.sha256 === sha256
    })
    // A mark may name another build of the file than its claim does.
    const isSame = same !== undefined && recordedVersionOf(same).sha256 === sha256
    const copy = isSame
      ? ` These bytes are published already, under the tag ${claimWords(same).tag}.`
      : ''

    // Only of a version that would go out does it matter what it was not compared with.
    const limit =
      isCompared && verdict.kind === 'clear'
        ? describeLimit(await isRanked(versionName), versions.claims.some(isOther))
        : ''
    return { sentences: `${described}${copy}`, limit, verdict }
  } catch (error) {
    if (cancelled.aborted || !(error instanceof Error)) throw error

    const isDenied = error instanceof GitHubError && error.missingPermission
    const why = isDenied ? 'the job lacks `deployments: read`' : error.message.replace(/\.$/, '')
    const sentences = `The record was not read, so this does not say whether it is published already (${why}).`
    return { sentences, limit: '' }
  }
}

function describeLimit(isNumber: boolean, hasOther: boolean): string {
  if (!isNumber) return ' Its name is not a number, so it is not compared with other versions.'
  if (hasOther) return ''
  return ' It is the first recorded version of this product, so it is not compared with others.'
}

const PUBLISHED: Readonly<Record<ContentMatch, string>> = {
  same: 'It is published already: nothing would be sent.',
  rebuilt: 'It is published already, with other bytes: this file would not be sent.',
  different: 'It is published already, with other content: publishing would fail.'
}

function describeVerdict(
  { runner: { context } }: Step,
  verdict: Verdict,
  publication: Publication
): string {
  const { versionName, tagged } = publication
  switch (verdict.kind) {
    case 'published': {
      if (tagged.standsIn) return 'That version is published; the next release will be a new one.'

      // The job that would publish it may be another one of this run.
      const { job } = verdict.claim.claimant
      const present = { ...presentRunOf(context, publication), job }
      return PUBLISHED[compareContent(verdict.claim, present)]
    }
    case 'in doubt':
      return `The shop may have published it: run ${describeRun(verdict.claim, context)} ${describeDoubtfulTry(verdict.claim, 'its file')}. Publishing would stop.`
    case 'higher':
      return `Publishing would fail: ${describeHigher(verdict, versionName)}.`
    case 'in progress': {
      const name = verdict.rank === 'same' ? 'it' : claimWords(verdict.claim).versionName
      return `Run ${describeRun(verdict.claim, context)} is sending ${name}: publishing would wait for it.`
    }
    case 'clear':
      return 'It is not published yet: publishing would send it.'
  }
}

/** The next step after a plan; never a click that publishes, since a plan was asked for. Empty on a pull request. */
function adviseAfterPlan(
  verdict: Verdict | undefined,
  { tagged }: Publication,
  facts: RunFacts
): string {
  if (tagged.standsIn || isPullRequest(facts.context)) return ''

  const again = `plan again: ${pressButton(facts, 'plan')}.`
  switch (verdict?.kind) {
    case 'published':
      return 'new content needs a new release, with a tag of its own.'
    case 'in doubt':
      return `look in the shop, and say what you found: ${pressButton(facts, 'mark-published', 'mark-not-published')}.`
    case 'higher':
      return 'release it under a higher number.'
    case 'in progress':
      return `wait until that run has ended, and ${again}`
    default:
      return tagged.release?.draft
        ? `if something is wrong, edit the draft, and ${again} The draft starts the workflow when it becomes public.`
        : `if something is wrong, edit the release, and ${again}`
  }
}
