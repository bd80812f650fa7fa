// One run from start to end: inputs, release, publication, result. Each mode is a file of its own. The only file that knows all
// collaborators: a step is given those that it needs.
import { type GitHub, openGitHub } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { openDeployments } from '../ledger/deployments.ts'
import { findRelease, type TaggedRelease } from '../release/find-release.ts'
import type { Asked } from '../report/asked.ts'
import { describeRoute } from '../report/guidance.ts'
import { rulesOf } from '../report/modes.ts'
import { outputsOf, printResult, writeOutputs } from '../report/print.ts'
import { OUTCOMES, type Result, resultOfError } from '../report/result.ts'
import { summaryOf } from '../report/summary.ts'
import { throwIf } from '../runner/action-error.ts'
import { isSecretName } from '../runner/parsers.ts'
import { oneLine } from '../runner/printing.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, messageOf, sizeText } from '../runner/words.ts'
import { check } from './check.ts'
import { type ClockParts, openClock } from './clock.ts'
import { INPUT_NAMES, type PublishConfig, readConfig } from './config.ts'
import { mark } from './mark.ts'
import { plan } from './plan.ts'
import { prepare } from './prepare.ts'
import { describeSentFile, type Publication } from './publication.ts'
import { faultInEvent, readAsked } from './read-asked.ts'
import type { ProductRecord } from './record.ts'
import { send } from './send.ts'
import type { Sources } from './sources.ts'

/** The outside world, which tests replace. */
export interface Adapters extends Pick<ClockParts, 'sleep' | 'stopwatch'> {
  readonly runner: Runner
  readonly connect: Connect
  /** The time limit of a call to GitHub, in milliseconds; the client's own when left out. */
  readonly patience?: number
}

/** Runs the publish action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function publishRelease(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  const credentials = ['token', 'github-token'].map(name => runner.input(name))
  for (const text of credentials) {
    if (!isSecretName(text)) runner.mask(text)
  }

  const reading = runner.payload()
  const payload = await reading.catch(() => ({}))
  const asked = readAsked(runner, payload, INPUT_NAMES)

  const result = await reading
    .then(() => runToResult(adapters, asked))
    .catch((error: unknown) => {
      if (error instanceof Error) runner.debug(error.stack ?? '')
      return resultOfError(error, asked, runner.cancelled)
    })
  await report(runner, result, asked)
}

/** Runs the step to its result. Throws what `resultOfError` makes a result of. */
async function runToResult(adapters: Adapters, asked: Asked): Promise<Result> {
  const { runner, connect } = adapters
  throwIf(faultInEvent(asked))
  const config = readConfig(runner, asked)

  const clock = openClock({ ...adapters, cancelled: runner.cancelled })
  const github = connectToGitHub(adapters, config, runner.cancelled)
  // A canceled run may still write how its claim ended.
  const settling = connectToGitHub(adapters, config, clock.settled)
  const record: ProductRecord = {
    deployments: openDeployments(github, settling, config),
    clock,
    runner,
    allowLower: config.allowLower
  }

  const endings = new AsyncDisposableStack()
  endings.defer(() => github.close())
  endings.defer(() => settling.close())

  const sources: Sources = { runner, asked, config, github, clock, endings }
  const shop = { connect, runner, asked, config, clock }
  try {
    switch (config.mode) {
      case 'check':
        return await check(shop, record)
      case 'mark-published':
        return await mark(sources, record, await findTagged(sources), 'published')
      case 'mark-not-published':
        return await mark(sources, record, await findTagged(sources), 'not published')
      case 'plan':
        return await plan(record, await prepareAndPrint(sources), asked)
      case 'publish':
        return await send(shop, record, await prepareAndPrint(sources))
    }
  } finally {
    // A failure here leaves files in RUNNER_TEMP at worst, and must not change how the run ended.
    await endings.disposeAsync().catch(() => undefined)
  }
}

function connectToGitHub(
  { runner, connect, sleep, patience }: Adapters,
  { githubToken }: PublishConfig,
  signal: AbortSignal
): GitHub {
  const { apiUrl, repository } = runner.context
  const [owner = '', name = ''] = repository.split('/')
  const access = {
    apiUrl,
    owner,
    name,
    token: githubToken
  }
  return openGitHub(access, {
    connect,
    signal,
    patience,
    sleep: ms => sleep(ms, signal),
    log: runner.info,
    conceal: runner.conceal
  })
}

function findTagged({ asked, config, github, clock }: Sources): Promise<TaggedRelease> {
  const { context, event } = asked
  const rules = rulesOf(config.mode)
  return findRelease({
    eventName: context.eventName,
    ref: context.ref,
    event,
    tag: config.tag,
    takesDrafts: rules.takesDrafts,
    needsTag: rules.needsTag,
    prerelease: rules.needsTag ? config.prerelease : 'publish',
    tagPattern: config.tagPattern,
    api: github,
    sleep: clock.sleep
  })
}

/** Everything that would be sent, found and logged. */
async function prepareAndPrint(sources: Sources): Promise<Publication> {
  const publication = await prepare(sources, await findTagged(sources))
  await printPublication(sources, publication)
  return publication
}

/** Logs what is to be published. */
async function printPublication(
  { runner, config }: Sources,
  publication: Publication
): Promise<void> {
  const { route, versionName, title, file, contents, changelog, changelogFormat } = publication
  runner.info(`Version "${versionName}" of ${describeRoute(route)} at ${config.baseUrl}`)
  runner.info(`  title      ${oneLine(title)}`)
  runner.info(
    `  file       ${oneLine(describeSentFile(file, publication.tagged.tag))} (${sizeText(file.size)})`
  )
  runner.info(`  contents   ${contents}`)

  const heading = `Changelog: ${counted(changelog.split('\n').length, 'line')} of ${changelogFormat}`
  await runner.group(heading, async () => runner.block(changelog))
}

async function report(runner: Runner, result: Result, asked: Asked): Promise<void> {
  if (OUTCOMES[result.outcome].level === 'error') runner.fail()
  printResult(runner, result, asked)

  const { outputs, isCut } = outputsOf(result)
  if (isCut) {
    runner.warning(
      'The changelog is left out of the outputs, because a job’s outputs may total only 1 MB.'
    )
  }

  try {
    await runner.summary(summaryOf(concealTexts(result, runner), asked))
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
