// One run from start to end: inputs, release, publication, result. Each mode is a file of its own.
import { parseEvent, type WorkflowEvent } from '../github/event.ts'
import { findRelease, type TaggedRelease } from '../release/find-release.ts'
import { parseTag } from '../release/tag.ts'
import { describeRoute, type RunFacts } from '../report/guidance.ts'
import { rulesOf } from '../report/modes.ts'
import { outputsOf, printResult, writeOutputs } from '../report/print.ts'
import { OUTCOMES, type Result, resultOfError } from '../report/result.ts'
import { summaryOf } from '../report/summary.ts'
import { throwIf } from '../runner/action-error.ts'
import { findUndeclared } from '../runner/inputs.ts'
import { oneLine } from '../runner/printing.ts'
import type { RunContext, Runner } from '../runner/runner.ts'
import { counted, messageOf, sizeText } from '../runner/words.ts'
import { check } from './check.ts'
import { askedMode, type Choice, faultInEvent, readChoice } from './chosen-mode.ts'
import { INPUT_NAMES, readConfig } from './config.ts'
import { type Adapters, type Environment, openEnvironment, type Step } from './environment.ts'
import { mark } from './mark.ts'
import { plan } from './plan.ts'
import { prepare } from './prepare.ts'
import { describeFile, type Publication } from './publication.ts'
import { send } from './send.ts'

/** Runs the publish action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function publishRelease(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name))

  const reading = runner.payload().then(parseEvent)
  const choice = readChoice(runner, await reading.catch(() => parseEvent({})))
  const facts = factsOf(runner.context, choice)

  const result = await runToResult(adapters, reading, choice, facts).catch((error: unknown) => {
    if (error instanceof Error) runner.debug(error.stack ?? '')
    return resultOfError(error, facts, runner.cancelled)
  })
  await report(runner, result, facts)
}

/** Collects the facts that the words about a run depend on. Inputs and event may both be wrong. */
function factsOf(context: RunContext, choice: Choice): RunFacts {
  const { stepTag, button, baseUrl } = choice
  const [, ref = ''] = /^refs\/tags\/(.+)$/.exec(context.ref) ?? []
  return {
    context,
    // Someone who wrote `dry-run` or `status: draft` did not want to mail everybody.
    mode: findUndeclared(context, INPUT_NAMES).length > 0 ? undefined : askedMode(choice),
    tag: parseTag(stepTag) || button.tag || ref,
    baseUrl
  }
}

/** Runs the step to its result. Throws what `resultOfError` makes a result of. */
async function runToResult(
  adapters: Adapters,
  reading: Promise<WorkflowEvent>,
  choice: Choice,
  facts: RunFacts
): Promise<Result> {
  const event = await reading
  const { runner } = adapters
  throwIf(faultInEvent(choice, runner.context))

  const config = readConfig(runner, choice, facts)
  const env = openEnvironment(adapters, { runner, config, event, facts })
  try {
    return await runMode(env)
  } finally {
    await env.close()
  }
}

async function runMode(env: Environment): Promise<Result> {
  const { mode } = env.config
  switch (mode) {
    case 'check':
      return check(env)
    case 'mark-published':
      return mark(env, await findTagged(env), 'published')
    case 'mark-not-published':
      return mark(env, await findTagged(env), 'not published')
    case 'plan':
      return plan(env, await prepareAndPrint(env))
    case 'publish':
      return send(env, await prepareAndPrint(env))
  }
}

function findTagged({ runner, event, github, config, sleep }: Environment): Promise<TaggedRelease> {
  const { context } = runner
  const rules = rulesOf(config.mode)
  return findRelease({
    eventName: context.eventName,
    ref: context.ref,
    event,
    tag: config.tag,
    takesDrafts: rules.takesDrafts,
    needsTag: rules.needsTag,
    prerelease: rules.takesPrereleases ? 'publish' : config.prerelease,
    api: github,
    sleep
  })
}

/** Everything that would be sent, found and logged. */
async function prepareAndPrint(env: Environment): Promise<Publication> {
  const publication = await prepare(env, await findTagged(env))
  await printPublication(env, publication)
  return publication
}

/** Logs what is to be published. */
async function printPublication({ runner, config }: Step, publication: Publication): Promise<void> {
  const { route, versionName, title, file, contents, changelog, changelogFormat } = publication
  runner.info(`Version "${versionName}" of ${describeRoute(route)} at ${config.baseUrl}`)
  runner.info(`  title      ${oneLine(title)}`)
  runner.info(
    `  file       ${oneLine(describeFile(file, publication.tagged.tag))} (${sizeText(file.size)})`
  )
  if (contents !== '') runner.info(`  contents   ${contents}`)

  const heading = `Changelog: ${counted(changelog.split('\n').length, 'line')} of ${changelogFormat}`
  await runner.group(heading, async () => runner.block(changelog))
}

async function report(runner: Runner, result: Result, facts: RunFacts): Promise<void> {
  if (OUTCOMES[result.outcome].level === 'error') runner.fail()
  printResult(runner, result, facts)

  const { outputs, isCut } = outputsOf(result)
  if (isCut) {
    runner.warning(
      'The changelog is left out of the outputs, because a job’s outputs may total only 1 MB.'
    )
  }

  try {
    await runner.summary(summaryOf(concealTexts(result, runner), facts))
  } catch (error) {
    runner.warning(`The summary could not be made: ${messageOf(error)}`)
  }

  // The last: where they cannot be written, log and summary say what happened.
  writeOutputs(runner, outputs, result)
}

/** The texts in which others speak, without credentials: a summary escapes them, and no credential would be found then. */
function concealTexts(result: Result, { conceal }: Pick<Runner, 'conceal'>): Result {
  return {
    ...result,
    message: conceal(result.message),
    advice: conceal(result.advice),
    warnings: result.warnings.map(conceal),
    complaints: result.complaints.map(it => ({ ...it, message: conceal(it.message) }))
  }
}
