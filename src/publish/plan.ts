// `mode: plan`: what would happen to a target, with nothing written anywhere.
import { renderHtml } from '../changelog/html.ts'
import { GitHubError } from '../github/github.ts'
import { decide, isLiving, stateOf } from '../ledger/ledger.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import { look } from '../ledger/steps.ts'
import type { Run } from './adapters.ts'
import { findHigher } from './guard.ts'
import { deploymentsOf, versionsOf } from './memory.ts'
import { type Planned, partOf, subjectOf } from './prepare.ts'
import { endedEarly, type Report } from './report.ts'

/** The report of a target that was planned; `standsIn` when its release is only a stand-in. */
export async function planTarget(
  run: Run,
  planned: Planned,
  commit: string,
  standsIn: boolean
): Promise<Report> {
  const { sha256 } = await planned.artifact.digest()
  const message =
    run.inputs.once === 'off'
      ? 'It would be published, without a memory (`once: off`).'
      : await askMemory(run, planned, { sha256, commit }, standsIn).catch(error =>
          explainSilence(error, run)
        )
  const report = endedEarly('planned', '', message, '', subjectOf(planned, sha256))
  const previewed = { ...report, preview: await previewOf(planned) }
  // A stand-in's plan is not that of the release to come.
  return standsIn ? previewed : { ...previewed, plan: await partOf(run, planned) }
}

/** The changelog as buyers see it, in HTML in which nothing can run. */
function previewOf({ changelog, changelogFormat }: Planned): Promise<string> {
  // Inside of an element, and without blank lines, HTML stays HTML for Markdown.
  const html = () => `<div>\n${changelog.replace(/\n\s*\n/g, '\n')}\n</div>`
  return renderHtml(changelogFormat === 'html' ? html() : changelog)
}

/** What the memory would decide, in a sentence. */
async function askMemory(
  run: Run,
  planned: Planned,
  file: { readonly sha256: string; readonly commit: string },
  standsIn: boolean
): Promise<string> {
  const { runner, inputs } = run
  const seen = await look(deploymentsOf(run, planned, run.github), runner.context)
  const decision = decide(seen, { kind: 'arriving' })
  if (decision.kind === 'replay') {
    if (standsIn) return 'That one is published already; the next will be a version of its own.'
    const { versionId } = recordOf(decision.claim)
    const published = `It is published already${versionId === '' ? '' : ` as version ${versionId}`}`
    return judgeReplay(decision.claim, { ...runner.context, ...file }) === 'different'
      ? `${published}, with other content: publishing would fail.`
      : `${published}: nothing would be sent.`
  }
  if (decision.kind === 'in doubt') {
    return `Nobody knows whether it is published already: run ${decision.claim.claimant.runId} sent it, and no answer was recorded. Publishing would stop, and say how to settle that.`
  }
  const living = seen.claims.find(claim => isLiving(claim, seen.now))
  if (living) {
    const isSent = stateOf(living, seen.now) === 'committed'
    const doing = isSent ? 'is sending it' : 'is about to send it'
    return `Run ${living.claimant.runId} ${doing}: publishing would wait for it.`
  }
  const isCompared = inputs.order === 'rising' && !standsIn
  const higher =
    isCompared && (await findHigher(await versionsOf(run, planned.route), planned.versionName))
  if (higher) return `Publishing would fail: ${higher} (\`order\`).`
  return 'It is not published yet; publishing would send it.'
}

function explainSilence(error: unknown, { runner }: Run): string {
  if (runner.cancelled.aborted || !(error instanceof Error)) throw error
  const denied = error instanceof GitHubError && error.missingPermission
  const why = denied ? 'the job may not read deployments' : error.message
  return `Whether it is published already could not be read (${why}).`
}
