// One run from start to end: inputs, release, publication, result. Each mode is a file of its own.
import { findRelease, type ReleaseQuestion } from '../release/find-release.ts'
import { findKnown } from '../release/known-tag.ts'
import type { TaggedRelease } from '../release/release.ts'
import { parseTag } from '../release/tag.ts'
import { describeRoute, describeStandIn, type RunFacts } from '../report/guidance.ts'
import { outputsOf, printResult } from '../report/print.ts'
import { OUTCOMES, type Result, resultOfError } from '../report/result.ts'
import { summaryOf } from '../report/summary.ts'
import { textAt } from '../runner/json.ts'
import { oneLine } from '../runner/printing.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, sizeText } from '../runner/words.ts'
import { audit } from './audit.ts'
import { check } from './check.ts'
import { modeIn, type PublishConfig, readButton, readConfig } from './config.ts'
import { type Adapters, type Environment, openEnvironment } from './environment.ts'
import { mark } from './mark.ts'
import { plan } from './plan.ts'
import { prepare } from './prepare.ts'
import type { Publication } from './publication.ts'
import { send } from './send.ts'

/** Runs the publish action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function publishRelease(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name).trim())
  let facts = factsOf(runner, {})
  const run = async () => {
    facts = factsOf(runner, readButton(runner.context, await runner.payload()))
    const config = await readConfig(runner)
    facts = factsOf(runner, config)
    const env = openEnvironment(adapters, config, facts)
    return runPublish(env).finally(env.close)
  }
  const result = await run().catch((error: unknown) => {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    return resultOfError(error, facts, runner.cancelled)
  })
  await report(runner, result, facts)
}

/** Runs one mode to its result. Throws what `resultOfError` makes a result of. */
async function runPublish(env: Environment): Promise<Result> {
  const { mode } = env.config
  if (mode === 'check') return check(env)
  if (mode === 'audit') return audit(env)
  const tagged = await findTagged(env)
  if (mode.startsWith('mark-')) return mark(env, tagged)
  const publication = await prepare(env, tagged)
  await printPublication(env, publication)
  return mode === 'plan' ? plan(env, publication) : send(env, publication)
}

async function findTagged({ runner, github, config, sleep }: Environment): Promise<TaggedRelease> {
  const { mode, tag, baseUrl, prerelease } = config
  const question: ReleaseQuestion = {
    ...{ ...runner.context, payload: await runner.payload(), tag, api: github },
    notice: runner.notice,
    harmless: mode === 'plan' || baseUrl.startsWith('http:'),
    takesDrafts: mode === 'plan',
    // A person may mark any release, pre-release or not.
    prerelease: mode.startsWith('mark-') ? 'publish' : prerelease
  }
  const look = () => findRelease(question)

  // A pull request may rehearse a tag that is still to come; a mark may be of a tag that is gone.
  const isPullRequest = runner.context.eventName.startsWith('pull_request')
  const needsTag = !isPullRequest && (mode === 'publish' || mode === 'plan')
  const tagged = needsTag ? await findKnown({ api: github, look, sleep }) : await look()
  if (tagged.standsIn) runner.notice(describeStandIn(tagged))
  return tagged
}

/** What the words about a run depend on, as far as it is known before anything is read from GitHub. */
function factsOf({ context, input }: Runner, known: Partial<PublishConfig>): RunFacts {
  const [, ref = ''] = /^refs\/tags\/(.+)$/.exec(context.ref) ?? []
  const tag = parseTag(input('tag').trim()) || known.tag || ref
  const mode = modeIn(input('mode').trim()) ?? known.mode ?? ''
  return { context, tag, mode, baseUrl: known.baseUrl ?? '' }
}

/** Logs what is to be published. */
async function printPublication(
  { runner, config }: Environment,
  { route, versionName, title, file, contents, changelog, changelogFormat }: Publication
): Promise<void> {
  runner.info(`Version "${versionName}" of ${describeRoute(route)} at ${config.baseUrl}`)
  runner.info(`  title      ${oneLine(title)}`)
  runner.info(`  file       ${file.path} (${sizeText(file.size)})`)
  if (contents !== '') runner.info(`  contents   ${contents}`)
  const heading = `Changelog: ${counted(changelog.split('\n').length, 'line')} of ${changelogFormat}`
  await runner.group(heading, async () => runner.block(changelog))
}

async function report(runner: Runner, result: Result, facts: RunFacts): Promise<void> {
  if (OUTCOMES[result.outcome].level === 'error') runner.fail()
  printResult(runner, result, facts)
  const { outputs, isCut } = outputsOf(result)
  for (const [name, value] of outputs) runner.output(name, value)
  if (isCut) {
    runner.warning(
      'The changelog is left out of the outputs, because a job’s outputs may total only 1 MB.'
    )
  }
  // The last, since nothing that fails here may lose what later steps need to know.
  try {
    await runner.summary(summaryOf(result, facts))
  } catch (error) {
    runner.warning(`The summary could not be made: ${textAt(error, 'message')}`)
  }
}
