// `mode: plan`: everything that would be sent, and what the record says. Writes nothing, and asks no shop.

import { GitHubError } from '../github/github-error.ts'
import { claimWords } from '../ledger/claim-words.ts'
import { openLook } from '../ledger/ledger.ts'
import { judge, type Verdict } from '../ledger/rules.ts'
import { type ContentMatch, compareContent } from '../ledger/same-content.ts'
import type { Asked } from '../report/asked.ts'
import { describeButton } from '../report/guidance.ts'
import { type Result, resultOf } from '../report/result.ts'
import type { RunContext } from '../runner/runner.ts'
import { describeDoubtfulTry, describeHigher, describeRun } from './claims.ts'
import { type Publication, presentRunOf, subjectOf } from './publication.ts'
import { openLedger, type ProductRecord } from './record.ts'

/** Plans a publication. */
export async function plan(
  record: ProductRecord,
  publication: Publication,
  asked: Asked
): Promise<Result> {
  const { release, tag } = publication.tagged
  const { sentences, verdict } = await askRecord(record, publication)
  const draft = release?.draft
    ? ` The release ${tag} is still a draft: publish it on GitHub first.`
    : ''
  return resultOf('planned', `${sentences}${draft}`, {
    subject: subjectOf(publication),
    next: describeNextStep(verdict, publication, asked)
  })
}

/** The record's answer about a version. */
interface RecordAnswer {
  readonly sentences: string
  /** Undefined where the record was not read. */
  readonly verdict?: Verdict
}

/** Asks the record about the version. A record that cannot be read is no error here. */
async function askRecord(record: ProductRecord, publication: Publication): Promise<RecordAnswer> {
  const { runner } = record
  try {
    const look = openLook(openLedger(record, publication, publication))
    const verdict = judge(await look())
    return { sentences: describeVerdict(verdict, publication, runner.context), verdict }
  } catch (error) {
    if (runner.cancelled.aborted || !(error instanceof Error)) throw error

    const isDenied = error instanceof GitHubError && error.missingPermission
    const why = isDenied ? 'the job lacks `deployments: read`' : error.message.replace(/\.$/, '')
    const sentences = `The record was not read, so this does not say whether it is published already (${why}).`
    return { sentences }
  }
}

const PUBLISHED: Readonly<Record<ContentMatch, string>> = {
  same: 'It is published already: nothing would be sent.',
  rebuilt: 'It is published already, with other bytes: this file would not be sent.',
  different: 'It is published already, with other content: publishing would fail.'
}

function describeVerdict(verdict: Verdict, publication: Publication, context: RunContext): string {
  const { versionName } = publication
  switch (verdict.kind) {
    case 'published': {
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

/** The next step after a plan; never a click that publishes, since a plan was asked for. */
function describeNextStep(
  verdict: Verdict | undefined,
  { tagged }: Publication,
  asked: Asked
): string {
  const again = `plan again: ${describeButton(asked, 'plan')}.`
  switch (verdict?.kind) {
    case 'published':
      return 'new content needs a new release, with a tag of its own.'
    case 'in doubt':
      return `look in the shop, and say what you found: ${describeButton(asked, 'mark-published', 'mark-not-published')}.`
    case 'higher':
      return 'release it under a higher number.'
    case 'in progress':
      return `wait until that run has ended, and ${again}`
    default:
      return tagged.release?.draft
        ? `if something is wrong, edit the draft, and ${again} The draft starts the workflow when it becomes public.`
        : `if something is wrong, correct it, and ${again}`
  }
}
