// `mode: settle`: a person tells the memory what is true of a version. Nothing goes to the shop.
import type { Artifact } from '../file/artifact.ts'
import { type Claim, isLiving, type Look, standingOf, stateOf } from '../ledger/ledger.ts'
import { describeReason, describeSending } from '../ledger/record.ts'
import { enter, look } from '../ledger/steps.ts'
import type { Run } from './adapters.ts'
import { deploymentsOf, stepsOf } from './memory.ts'
import { explainMemory } from './memory-reports.ts'
import type { NamedTarget } from './naming.ts'
import { endedEarly, type Report, type Subject } from './report.ts'

/** A version, and the file that was published as it, where one is given. */
export interface Settling extends NamedTarget {
  readonly tag: string
  readonly commit: string
  readonly artifact: Artifact | undefined
}

/** Records what the input `settle-as` says of one target. */
export async function settleTarget(run: Run, settling: Settling): Promise<Report> {
  const { named, artifact } = settling
  const { route, versionName, title } = named
  const sha256 = artifact && (await artifact.digest()).sha256
  const subject: Subject = {
    ...{ route, versionName, title, changelog: '' },
    ...(artifact && sha256 ? { file: artifact.path, size: artifact.size, sha256 } : {})
  }
  try {
    const { message, failed } = await record(run, settling, sha256)
    const { reason = '', advice = '' } = failed ?? {}
    return endedEarly(failed ? 'failed' : 'settled', reason, message, advice, subject)
  } catch (error) {
    return explainMemory(error, run, subject)
  }
}

interface Settled {
  readonly message: string
  readonly failed?: {
    readonly reason: 'already-published' | 'busy' | 'in-doubt'
    readonly advice: string
  }
}

async function record(run: Run, settling: Settling, sha256: string | undefined): Promise<Settled> {
  const { route, versionName } = settling.named
  const about = { route, versionName, tag: settling.tag }
  const seen = await look(deploymentsOf(run, about, run.github), run.runner.context)
  const living = seen.claims.find(claim => isLiving(claim, seen.now))
  if (living) return busy(versionName, living)
  return run.inputs.settleAs === 'published'
    ? settlePublished(run, settling, seen, sha256)
    : settleNotPublished(run, settling, seen)
}

function busy(versionName: string, { claimant }: Claim): Settled {
  const message = `Nothing was recorded: run ${claimant.runId} is publishing "${versionName}" right now.`
  const advice =
    'Wait until that run has ended. Then look in the shop, and run this again if it is needed.'
  return { message, failed: { reason: 'busy', advice } }
}

async function settlePublished(
  run: Run,
  settling: Settling,
  seen: Look,
  sha256: string | undefined
): Promise<Settled> {
  const { tag, commit, artifact, named } = settling
  const { route, versionName } = named
  const known = `"${versionName}" is recorded as published already.`
  const standing = standingOf(seen)
  if (standing.state === 'published') return { message: known }
  const description = describeReason(`settled as published by run ${run.runner.context.runId}`)
  const about = { route, versionName, tag }
  const done = `"${versionName}" is recorded as published. No run will send it.`
  if (standing.state === 'in doubt') {
    await deploymentsOf(run, about, run.github).record(standing.claim.id, 'success', description)
    return { message: done }
  }
  const file = { fileName: artifact?.name ?? '', size: artifact?.size ?? 0 }
  const steps = stepsOf(run, { ...about, ...file, commit })
  const entry = await enter(steps)
  switch (entry.kind) {
    case 'claimed': {
      const { id } = entry.own
      const { record: write } = steps.deployments
      if (sha256 !== undefined) await write(id, 'in_progress', describeSending(sha256, file.size))
      await write(id, 'success', description)
      return { message: done }
    }
    case 'replay':
      return { message: known }
    case 'in doubt':
    case 'crowded out':
      return busy(versionName, entry.claim)
  }
}

async function settleNotPublished(run: Run, settling: Settling, seen: Look): Promise<Settled> {
  const { route, versionName } = settling.named
  if (standingOf(seen).state === 'published') {
    const message = `Nothing was recorded: "${versionName}" is recorded as published, which cannot be taken back.`
    const advice =
      'If it is really not in the shop, delete its deployment on GitHub, or publish the file as a new version.'
    return { message, failed: { reason: 'already-published', advice } }
  }
  const { record: write } = deploymentsOf(
    run,
    { route, versionName, tag: settling.tag },
    run.github
  )
  const description = describeReason(`settled as not published by run ${run.runner.context.runId}`)
  const doubted = seen.claims.filter(claim => stateOf(claim, seen.now) === 'in doubt')
  for (const { id } of doubted) await write(id, 'failure', description)
  const what = doubted.length === 0 ? 'was not in doubt' : 'is recorded as not published'
  return { message: `"${versionName}" ${what}. The next run publishes it.` }
}
