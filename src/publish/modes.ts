// Two modes that send nothing: `settle` records what a person found, `plan` previews.
import type { Artifact } from '../file/artifact.ts'
import { GitHubError } from '../github/github.ts'
import type { RecordedVersions } from '../ledger/deployments.ts'
import type { Standing } from '../ledger/ledger.ts'
import { deadlineOf } from '../ledger/ledger.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import { type Settled, settleByHand } from '../ledger/settle.ts'
import type { Run } from './adapters.ts'
import { previewOf } from './buyer-text.ts'
import { tellChanges } from './changes.ts'
import type { Claimable } from './memory.ts'
import { describeHigher, explainMemory, findHigher, stepsOf, versionsOf } from './memory.ts'
import { adviseOnGitHub } from './messages.ts'
import { describeRoute } from './naming.ts'
import { noticeGaps } from './notices.ts'
import { plannedPartOf, type Sending } from './prepare.ts'
import { ended, type Reason, type Report, type Subject } from './report.ts'

/** Records what the input `settle-as` says about one target, with its file's digest if a file is given. */
export async function settleTarget(
  run: Run,
  version: Claimable & Subject,
  artifact?: Artifact
): Promise<Report> {
  const file = await artifact?.digest()
  const read = artifact && file ? { file: artifact.path, ...file } : {}
  const kind = run.inputs.settleAs === 'published' ? 'published' : 'not published'
  try {
    const settled = await settleByHand(await stepsOf(run, version, artifact), kind, file)
    const name = `"${version.versionName}" of product ${describeRoute(version.route)}`
    return { ...reportSettled(settled, kind, name, run), subject: { ...version, ...read } }
  } catch (error) {
    return explainMemory(error, run)
  }
}

function reportSettled(settled: Settled, kind: string, name: string, { runner }: Run): Report {
  const next = kind === 'published' ? 'No run will send it.' : 'A run may publish it now.'
  const refused = (reason: Reason, why: string, advice: string) =>
    ended('failed', reason, `Nothing was recorded: ${why}`, advice)
  switch (settled.kind) {
    case 'settled':
      return ended('settled', '', `${name} is recorded as ${kind}. ${next}`)
    case 'known': {
      const known = kind === 'published' ? 'is already recorded as published' : 'is not in doubt'
      const message = `${name} ${known}, so nothing was recorded. ${next}`
      const advice =
        'If you meant another version, check `tag`, `product`, `benefit` and `version-name`.'
      return { ...ended('settled', '', message, advice), heading: 'Nothing to record' }
    }
    case 'busy': {
      const { runId } = settled.claim.claimant
      const end = new Date(deadlineOf(settled.claim)).toISOString().replace(/\.\d+/, '')
      const advice =
        'Wait until that run has ended. Then look in the shop, and run this again if needed. ' +
        'If it was killed, run its job again: that starts at once, and either publishes the version or ' +
        `lets you say what you find in the shop. Without that, this is refused until ${end}.`
      return refused('busy', `run ${runId} may be publishing ${name} right now.`, advice)
    }
    case 'contradicted': {
      const { serverUrl, repository } = runner.context
      const path = `${repository}/deployments/${settled.claim.id}`
      const advice = [
        'If it is really not in the shop, publish the file as a new version. Or delete the record ' +
          `(deployments of ${serverUrl}/${repository}), and run this again:`,
        `    gh api repos/${path}/statuses -f state=inactive`,
        `    gh api --method DELETE repos/${path}`
      ].join('\n')
      const why = `${name} is recorded as published, which cannot be taken back.`
      return refused('already-published', why, advice)
    }
    case 'overtaken': {
      const { runId } = settled.claim.claimant
      const message = `${name} is recorded as ${kind}. But run ${runId} began to publish it at about the same time, and may have sent it.`
      const advice =
        'Wait until that run has ended, then look in the shop how often the version is there. ' +
        'If it is there twice, delete one there: no run can. If what is there is what is recorded, nothing is left to do.'
      return ended('failed', 'busy', message, advice)
    }
    case 'unconfirmed': {
      const { cause } = settled
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `${name} is recorded as ${kind}. But whether a run began to publish it at the same time could not be seen (${why}).`
      const advice = cause instanceof Error ? adviseOnGitHub(cause) : ''
      return ended('failed', 'github', message, advice)
    }
  }
}

/** The report of a planned target; `standsIn`: its release only stands in for the next one. */
export async function planTarget(sending: Sending, standsIn: boolean): Promise<Report> {
  const { planned } = sending
  const { sha256 } = await planned.artifact.digest()
  const explain = (error: unknown) => explainSilence(error, sending)
  const memory = await readMemory(sending).catch(explain)
  const isSilent = typeof memory === 'string'
  const standing = isSilent ? memory : await memory.standing(planned.versionName).catch(explain)
  const message =
    isSilent || typeof standing === 'string'
      ? `${standing}`
      : await askMemory(sending, memory, standing, { sha256, standsIn }).catch(explain)
  // A green plan is taken for a publication.
  const isUnpublished = typeof standing !== 'string' && standing.state === 'none' && !standsIn
  const heading = isUnpublished && `Plan. ${planned.names.tag} is not published`
  const changes = await tellChanges(sending, isSilent ? undefined : memory)
  const preview = await previewOf(sending, planned)
  const subject = { ...planned, sha256 }
  const shown = preview === undefined ? {} : { preview }
  const report = { ...ended('planned', '', message), subject, ...shown, changes }
  const previewed = heading ? { ...report, heading } : report
  // A plan made from a stand-in must not be approved for the next release.
  return standsIn ? previewed : { ...previewed, plan: await plannedPartOf(sending, planned) }
}

/** What the memory has for a target's product; or in a sentence, that it is not asked. */
async function readMemory(sending: Sending): Promise<RecordedVersions | string> {
  const without = 'It would be published, without a record on GitHub (`once: off`).'
  return sending.inputs.once === 'off' ? without : versionsOf(sending, sending.planned.route)
}

async function askMemory(
  sending: Sending,
  versions: RecordedVersions,
  standing: Standing,
  { sha256, standsIn }: { readonly sha256: string; readonly standsIn: boolean }
): Promise<string> {
  const { planned, commit, inputs, runner } = sending
  await noticeGaps(sending, planned, versions)
  switch (standing.state) {
    case 'published': {
      if (standsIn)
        return 'That version is already published; the next release will be a new version.'
      const { versionId } = recordOf(standing.claim)
      const published = `It is published already${versionId === '' ? '' : ` as version ${versionId}`}`
      return judgeReplay(standing.claim, { ...runner.context, commit, sha256 }) === 'different'
        ? `${published}, with other content: publishing would fail.`
        : `${published}: nothing would be sent.`
    }
    case 'in doubt':
      return `Nobody knows whether it is published already: run ${standing.claim.claimant.runId} sent it, and no answer was recorded. Publishing would stop, and say how to settle that.`
    case 'committed':
      return `Run ${standing.claim.claimant.runId} is sending it: publishing would wait for it.`
    case 'claimed':
      return `Run ${standing.claim.claimant.runId} is about to send it: publishing would wait for it.`
    case 'none': {
      const isCompared = inputs.order === 'rising' && !standsIn
      const higher = isCompared && (await findHigher(versions, planned.versionName))
      if (higher) {
        const why = describeHigher(higher, planned.versionName)
        return `Publishing would fail: ${why} (\`order\`).`
      }
      return 'It is not published yet; publishing would send it.'
    }
  }
}

function explainSilence(error: unknown, { runner }: Sending): string {
  if (runner.cancelled.aborted || !(error instanceof Error)) throw error
  const denied = error instanceof GitHubError && error.missingPermission
  const why = denied
    ? 'the job is not allowed to read deployments: add `deployments: read` to its permissions'
    : error.message
  return `Whether it is published already could not be read (${why}).`
}
