// `mode: settle`: a person tells the memory what is true of a version. Nothing goes to the shop.
import type { Artifact } from '../file/artifact.ts'
import { type Found, type Settled, settleByHand } from '../ledger/settle.ts'
import type { Run } from './adapters.ts'
import { stepsOf } from './memory.ts'
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
  const { named, artifact, tag, commit } = settling
  const { route, versionName, title } = named
  const sealed = await artifact?.digest()
  const subject: Subject = {
    ...{ route, versionName, title, changelog: '' },
    ...(artifact && sealed
      ? { file: artifact.path, size: artifact.size, sha256: sealed.sha256 }
      : {})
  }
  const file = { fileName: artifact?.name ?? '', size: artifact?.size ?? 0 }
  const found: Found =
    run.inputs.settleAs === 'published'
      ? { kind: 'published', ...(sealed ? { file: sealed } : {}) }
      : { kind: 'not published' }
  try {
    const steps = stepsOf(run, { route, versionName, tag, commit, ...file })
    const settled = await settleByHand(steps, found, `run ${run.runner.context.runId}`)
    return describe(settled, found, subject)
  } catch (error) {
    return explainMemory(error, run, subject)
  }
}

function describe(settled: Settled, { kind }: Found, subject: Subject): Report {
  const name = `"${subject.versionName}"`
  const next = kind === 'published' ? 'No run will send it.' : 'The next run publishes it.'
  switch (settled.kind) {
    case 'settled':
      return endedEarly('settled', '', `${name} is recorded as ${kind}. ${next}`, '', subject)
    case 'known': {
      const known = kind === 'published' ? 'is recorded as published' : 'is not in doubt'
      const message = `${name} ${known} already, so nothing was recorded. ${next}`
      return endedEarly('settled', '', message, '', subject)
    }
    case 'busy': {
      const { runId } = settled.claim.claimant
      const message = `Nothing was recorded: run ${runId} is publishing ${name} right now.`
      const advice =
        'Wait until that run has ended. Then look in the shop, and run this again if needed.'
      return endedEarly('failed', 'busy', message, advice, subject)
    }
    case 'contradicted': {
      const message = `Nothing was recorded: ${name} is recorded as published, which cannot be taken back.`
      const advice =
        'If it is really not in the shop, delete its deployment on GitHub, or publish the file as a new version.'
      return endedEarly('failed', 'already-published', message, advice, subject)
    }
  }
}
