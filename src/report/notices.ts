// What is said before anything is sent: what is to be published, what the record lacks, the time that an upload has,
// and whether the job may use the record at all.
import type { Gap, Permission, SendingTime } from '../publish/adapters.ts'
import type { Planned } from '../publish/prepare.ts'
import type { Log } from '../runner/runner.ts'
import { counted, sizeText } from '../runner/text.ts'
import type { Route } from '../shop/publish.ts'
import { ended, type Report } from './outcome.ts'
import { adviseNewStart, advisePermission, describeRoute, type RunFacts } from './ways.ts'

/** What the record lacks, or cannot compare. */
export function describeGap(gap: Gap, route: Route): string {
  if (gap.kind === 'first') {
    const others = gap.tags.length === 1 ? '' : ' and others'
    return (
      `Nothing is recorded for product ${describeRoute(route)} yet, so this is taken for the first publication. ` +
      `There are releases already (${gap.tags[0]}${others}): if this action has published any of them, somebody has ` +
      'deleted deployments of this repository, which are the record of that.'
    )
  }
  const names = gap.names.map(name => `"${name}"`)
  const [verb, what] = names.length === 1 ? ['is', 'is no version'] : ['are', 'are no versions']
  return `${names.join(', ')} ${verb} not compared with other versions (\`order: rising\`), since this ${what} by number, such as 1.5.0 or 1.5.0-rc.1.`
}

/** How long the upload of `size` bytes may take. */
export function describeTime({ seconds, isCut }: SendingTime, size: number): string {
  const minutes = Math.floor(seconds / 60)
  const time = minutes < 180 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
  const text = `The upload has ${time}. If it is slower than ${sizeText(Math.ceil(size / seconds))}/s, it is given up before its last bytes.`
  return isCut ? `${text} A version is kept for one run for 24 hours at most.` : text
}

/** The report of a target whose upload would have no time; `longest` is in seconds. */
export function reportNoTime(longest: number, facts: RunFacts): Report {
  const message =
    'Nothing was published: a version is kept for one run for 24 hours at most, and waiting for the answer ' +
    '(`response-timeout`) would take so much of them that there is no time to send the file.'
  const advice = `Set \`response-timeout\` to ${longest} or less. ${adviseNewStart(facts)}`
  return ended('failed', 'bad-input', message, advice)
}

/** Whether the job may use the record, as far as reading tells; `said` is empty where it is not used. */
export function describePermission(permission: Permission, facts: RunFacts) {
  const fails = 'Publishing would fail:'
  switch (permission.kind) {
    case 'unused':
      return { said: '', advice: '' }
    case 'readable': {
      const said =
        'The job can read the record on GitHub. Whether it can also write to it is known only when it publishes.'
      return { said, advice: '' }
    }
    case 'dispensable': {
      const said =
        'Publishing would go on without a record on GitHub, so a re-run would publish again: the job is not ' +
        'allowed to use deployments.'
      return { said, advice: advisePermission(facts) }
    }
    case 'permission': {
      const said = `${fails} the job is not allowed to use deployments, which record what is published.`
      return { said, advice: advisePermission(facts) }
    }
    case 'no deployments':
      return { said: `${fails} ${permission.error.message}.`, advice: 'Set `once: off`.' }
    case 'no tag':
    case 'record': {
      const why = permission.error.message
      return { said: `Whether the record on GitHub can be used is not known (${why}).`, advice: '' }
    }
  }
}

/** The notice of a run under nektos/act. */
export const UNDER_ACT =
  'act gives every run the same id, so a file that was built again on the same commit counts as ' +
  'published already, and is skipped.'

/** Logs what is to be published to a shop. A single target's changelog is folded: several have one group each. */
export async function logPlanned(
  log: Log,
  planned: Planned,
  baseUrl: string,
  { isSingle }: RunFacts
): Promise<void> {
  const { route, versionName, title, file, size, contents, changelog, changelogFormat } = planned
  log.info(`Version "${versionName}" of product ${describeRoute(route)} at ${baseUrl}`)
  log.info(`  title      ${title}`)
  log.info(`  file       ${file} (${sizeText(size)})`)
  if (contents !== '') log.info(`  contents   ${contents}`)
  const heading = `Changelog: ${counted(changelog.split('\n').length, 'line')} of ${changelogFormat}`
  if (isSingle) return log.group(heading, async () => log.block(changelog))
  log.info(heading)
  log.block(changelog)
}
