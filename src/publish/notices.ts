// What is said of the memory before anything is sent: a first publication, names that are not compared, the time
// that an upload has, and whether the job may use the memory at all.
import { GitHubError } from '../github/github.ts'
import { NoDeployments, type RecordedVersions } from '../ledger/deployments.ts'
import { parseRelease } from '../release/release.ts'
import { readTag, uncomparableOf } from '../release/tag.ts'
import { sizeText } from '../runner/text.ts'
import type { Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { LONGEST_RESPONSE, SENDING_TIME, timesOf, versionsOf } from './memory.ts'
import { PERMISSION_ADVICE, START_AGAIN } from './messages.ts'
import { describeRoute, type Named } from './naming.ts'
import { ended, type Report } from './report.ts'

/** How many of the newest names that are not compared are looked up: each may take a request. */
const LOOKED_UP = 3

/** Gives notice of what the memory lacks, or cannot compare. */
export async function noticeGaps(
  run: Run,
  version: Named,
  versions: RecordedVersions
): Promise<void> {
  if (versions.names.length === 0) return noticeFirst(run, version)
  if (run.inputs.order !== 'rising') return
  const { versionName } = version
  const [isUncompared] = await uncomparableOf([versionName])
  const others = isUncompared === undefined ? await uncomparableOf(versions.names) : []
  const published: string[] = []
  for (const name of others.slice(0, LOOKED_UP)) {
    if ((await versions.standing(name)).state === 'published') published.push(name)
  }
  const names = (isUncompared === undefined ? published : [versionName]).map(name => `"${name}"`)
  if (names.length === 0) return
  const [verb, what] = names.length === 1 ? ['is', 'is no version'] : ['are', 'are no versions']
  run.runner.notice(
    `${names.join(', ')} ${verb} not compared with other versions (\`order: rising\`), since this ${what} by number, such as 1.5.0 or 1.5.0-rc.1.`
  )
}

/** A repository with releases that the memory knows nothing of: either it is new here, or it was deleted. */
async function noticeFirst(
  { github, inputs, runner }: Run,
  { names, route }: Named
): Promise<void> {
  const { items } = await github
    .readAll('GET /repos/{owner}/{repo}/releases', {}, 1)
    .catch(() => ({ items: [] }))
  const earlier = items.map(parseRelease).filter(release => release !== undefined)
  const tags = earlier
    .filter(({ tag, draft }) => !draft && tag !== names.tag)
    .map(({ tag }) => tag)
    .filter(tag => readTag(tag, inputs.tagPattern).kind !== 'misfit')
  if (tags.length === 0) return
  const others = tags.length === 1 ? '' : ' and others'
  runner.notice(
    `Nothing is recorded for product ${describeRoute(route)} yet, so this is taken for the first publication. ` +
      `There are releases already (${tags[0]}${others}): if this action has published any of them, somebody has ` +
      'deleted deployments of this repository, which are the record of that.'
  )
}

/** Says how long the upload may take, where that may be too short; a report if it cannot be enough. */
export function checkTime({ inputs, runner }: Run, size: number): Report | undefined {
  const { reserve, deadline, isCut } = timesOf(inputs, size)
  const sending = deadline - reserve
  if (sending < SENDING_TIME) {
    const message =
      'Nothing was published: a version is kept for one run for 24 hours at most, and waiting for the answer ' +
      '(`response-timeout`) would take so much of them that there is no time to send the file.'
    const advice = `Set \`response-timeout\` to ${LONGEST_RESPONSE} or less. ${START_AGAIN}`
    return ended('failed', 'bad-input', message, advice)
  }
  const minutes = Math.floor(sending / 60)
  const time = minutes < 180 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
  const text = `The upload has ${time}. If it is slower than ${sizeText(Math.ceil(size / sending))}/s, it is given up before its last bytes.`
  if (isCut) runner.notice(`${text} A version is kept for one run for 24 hours at most.`)
  // Below that, the time for retries is longer than any usual upload.
  else if (sending > 2 * SENDING_TIME) runner.info(text)
  return undefined
}

/** Says, as far as reading tells, whether the job may use the memory; empty where it is not used. */
export async function tellPermission(run: Run): Promise<string> {
  const [target] = run.inputs.targets
  if (run.inputs.once === 'off' || target === undefined) return ''
  const { said, advice } = await readPermission(run, target.route)
  if (advice !== '') run.runner.warning(`${said}\n${advice}`)
  return said
}

async function readPermission(run: Run, route: Route) {
  try {
    await versionsOf(run, route)
    const said =
      'The record on GitHub can be read; whether the job has `deployments: write`, too, shows when it publishes.'
    return { said, advice: '' }
  } catch (error) {
    if (run.runner.cancelled.aborted || !(error instanceof Error)) throw error
    const fails = 'Publishing would fail:'
    if (error instanceof GitHubError && error.missingPermission) {
      const said = `${fails} the job is not allowed to use deployments, which record what is published.`
      return { said, advice: PERMISSION_ADVICE }
    }
    if (error instanceof NoDeployments) {
      return { said: `${fails} ${error.message}.`, advice: 'Set `once: off`.' }
    }
    const said = `Whether the record on GitHub can be used is not known (${error.message}).`
    return { said, advice: '' }
  }
}
