// `mode: mark-published` and `mode: mark-not-published`: records what a person found in the shop. Sends nothing.
import { markVersion } from '../ledger/mark-version.ts'
import { beganAt, type Claim } from '../ledger/rules.ts'
import type { TaggedRelease } from '../release/release.ts'
import { describeRun } from '../report/claims.ts'
import { AGAIN, describeRoute, pressButton, timeText } from '../report/guidance.ts'
import { type Result, resultOf, type Subject } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { type Environment, openSteps } from './environment.ts'
import { chooseFile, identify } from './prepare.ts'

/** Marks the version of a tag. Throws an `ActionError` where that is refused. */
export async function mark(env: Environment, tagged: TaggedRelease): Promise<Result> {
  const { config, facts } = env
  const { context } = env.runner
  const identity = await identify(env, tagged)
  const { versionName, route } = identity

  const hasFile = config.file.length > 0 || config.asset.length > 0
  const file = hasFile ? (await chooseFile(env, identity)).file : undefined
  const digest = await file?.digest()

  const isPublished = config.mode === 'mark-published'
  const what = isPublished ? 'published' : 'not published'
  const steps = await openSteps(env, identity, file)
  const end = await markVersion(steps, what, digest?.sha256)

  const name = `"${versionName}" of ${describeRoute(route)}`
  const next = isPublished ? 'No run will send it.' : 'A run may publish it now.'
  const subject: Subject = {
    tagged,
    route,
    versionName,
    ...(file && { file: file.path }),
    ...digest
  }
  switch (end.kind) {
    case 'marked':
      return resultOf(
        'marked',
        `${name} is recorded as ${what}. ${describeLifted(end.lifted, context)}${next}`,
        { subject }
      )
    case 'known':
      return resultOf('marked', `${name} is already recorded as ${what}. ${next}`, { subject })
    case 'nothing': {
      const message = `Nothing was recorded: no run was about to send the last bytes of ${name}, so there is nothing to mark.`
      const advice =
        'Check `tag`, `product`, `benefit` and `version-name`; if they are right, nothing has to be marked.'
      throw new ActionError('no-record', message, { advice })
    }
    case 'published': {
      const message = `Nothing was recorded: ${name} is recorded as published, by run ${describeRun(end.claim, context)}.`
      const advice = `If that is wrong, delete the deployment ${end.claim.id}.`
      throw new ActionError('already-published', message, { advice })
    }
    case 'busy': {
      const message = `Nothing was recorded: run ${describeRun(end.claim, context)} may still be publishing ${name}.`
      const advice = `Wait until that run has ended, and until ${timeText(end.until)}; then look in the shop, and ${pressButton(facts, config.mode)}.`
      throw new ActionError('busy', message, { advice })
    }
    case 'overtaken': {
      const message = `${name} is recorded as ${what}, but run ${describeRun(end.claim, context)} was publishing it at the same time.`
      const advice = `Wait until that run has ended, and check in the shop that the version is not there twice. ${AGAIN}`
      const heading = 'Marked, but a run was publishing it'
      return resultOf('failed', message, { reason: 'busy', heading, advice, subject })
    }
  }
}

/** Which tries a mark lifts: one of them may be newer than what the person saw in the shop. Empty if there is none. */
function describeLifted(claims: readonly Claim[], context: RunContext): string {
  if (claims.length === 0) return ''
  const tries = claims.map(
    claim =>
      `run ${describeRun(claim, context)}, which may have sent it since ${timeText(sentSince(claim), 'down')}`
  )
  return `This lifts the doubt about ${tries.join('; and about ')}. `
}

function sentSince(claim: Claim): number {
  return beganAt(claim) ?? claim.createdAt
}
