// `mode: plan`: what would happen to a target, with nothing written anywhere.
import { GitHubError } from '../github/github.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import { findHigher } from './guard.ts'
import { versionsOf } from './memory.ts'
import { type Planned, partOf, type Sending } from './prepare.ts'
import { ended, type Report } from './report.ts'

/** The report of a target that was planned; `standsIn` when its release is only a stand-in. */
export async function planTarget(sending: Sending, standsIn: boolean): Promise<Report> {
  const { inputs, planned } = sending
  const { sha256 } = await planned.artifact.digest()
  const message =
    inputs.once === 'off'
      ? 'It would be published, without a record on GitHub (`once: off`).'
      : await askMemory(sending, sha256, standsIn).catch(error => explainSilence(error, sending))
  const [subject, preview] = [{ ...planned, sha256 }, await previewOf(planned)]
  const previewed = { ...ended('planned', '', message), subject, preview }
  // A stand-in's plan is not that of the release to come.
  return standsIn ? previewed : { ...previewed, plan: await partOf(sending, planned) }
}

/** The changelog as buyers see it, in HTML in which nothing can run. */
async function previewOf({ changelog, changelogFormat }: Planned): Promise<string> {
  const { renderHtml } = await import('../changelog/html.ts')
  // Inside of an element, and without blank lines, HTML stays HTML for Markdown.
  const html = () => `<div>\n${changelog.replace(/\n\s*\n/g, '\n')}\n</div>`
  return renderHtml(changelogFormat === 'html' ? html() : changelog)
}

async function askMemory(sending: Sending, sha256: string, standsIn: boolean): Promise<string> {
  const { planned, commit, inputs, runner } = sending
  const versions = await versionsOf(sending, planned.route)
  const standing = await versions.standing(planned.versionName)
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
      if (higher) return `Publishing would fail: ${higher} (\`order\`).`
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
