// The modes that send nothing: `settle` records what a person found, `audit` compares, `plan` previews.
import type { Artifact } from '../file/artifact.ts'
import { GitHubError } from '../github/github.ts'
import type { Versions } from '../ledger/deployments.ts'
import { deadlineOf, type Standing } from '../ledger/ledger.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import { type Settled, settleByHand } from '../ledger/settle.ts'
import { type Api, listReleases, type Release } from '../release/release.ts'
import type { Run } from './adapters.ts'
import { tellChanges } from './changes.ts'
import type { TargetInputs } from './inputs.ts'
import { type Claimable, explainMemory, findHigher, stepsOf, versionsOf } from './memory.ts'
import { describeRoute, nameTargets } from './naming.ts'
import { partOf, type Sending } from './prepare.ts'
import { ended, type Reason, type Report, type Subject } from './report.ts'

/** Records what the input `settle-as` says about one target, with its file's digest if a file is given. */
export async function settleTarget(
  run: Run,
  version: Claimable & Subject,
  artifact?: Artifact
): Promise<Report> {
  const file = await artifact?.digest()
  const read = artifact && file ? { file: artifact.path, ...file } : {}
  const kind = run.inputs.settleAs === 'published' ? 'published' : 'not published'
  try {
    const settled = await settleByHand(stepsOf(run, version, artifact), kind, file)
    const name = `"${version.versionName}" of product ${describeRoute(version.route)}`
    return { ...describeSettled(settled, kind, name, run), subject: { ...version, ...read } }
  } catch (error) {
    return explainMemory(error, run)
  }
}

function describeSettled(settled: Settled, kind: string, name: string, { runner }: Run): Report {
  const next = kind === 'published' ? 'No run will send it.' : 'The next run publishes it.'
  const refused = (reason: Reason, why: string, advice: string) =>
    ended('failed', reason, `Nothing was recorded: ${why}`, advice)
  switch (settled.kind) {
    case 'settled':
      return ended('settled', '', `${name} is recorded as ${kind}. ${next}`)
    case 'known': {
      const known = kind === 'published' ? 'is already recorded as published' : 'is not in doubt'
      const message = `${name} ${known}, so nothing was recorded. ${next}`
      const advice =
        'If you meant another version, check `tag`, `product`, `benefit` and `version-name`.'
      return { ...ended('settled', '', message, advice), heading: 'Nothing to record' }
    }
    case 'busy': {
      const { runId } = settled.claim.claimant
      const end = new Date(deadlineOf(settled.claim)).toISOString().replace(/\.\d+/, '')
      const advice =
        'Wait until that run has ended. Then look in the shop, and run this again if needed. ' +
        'If it was killed, run its job again: that starts at once, and either publishes the version or ' +
        `lets you say what you find in the shop. Without that, this is refused until ${end}.`
      return refused('busy', `run ${runId} may be publishing ${name} right now.`, advice)
    }
    case 'contradicted': {
      const { serverUrl, repository } = runner.context
      const path = `${repository}/deployments/${settled.claim.id}`
      const advice = [
        'If it is really not in the shop, publish the file as a new version. Or delete the record ' +
          `(deployments of ${serverUrl}/${repository}), and run this again:`,
        `    gh api repos/${path}/statuses -f state=inactive`,
        `    gh api --method DELETE repos/${path}`
      ].join('\n')
      const why = `${name} is recorded as published, which cannot be taken back.`
      return refused('already-published', why, advice)
    }
  }
}

/** How many releases an audit compares at most, newest first. */
const MOST = 100
/** In milliseconds. A release younger than this is not audited: its run may not have ended yet. */
const YOUNG = 60 * 60 * 1000

/** The published releases, or what is wrong with `audit-since`. Throws a `GitHubError`. */
export async function listAudited(api: Api, since: string) {
  const published = (await listReleases(api)).filter(({ draft }) => !draft)
  if (since === '' || published.some(({ tag }) => tag === since)) return published
  const message = `"${since}" is not the tag of a published release of this repository`
  return { place: 'audit-since', message }
}

/** Compares the releases with what the memory has for one target; reads only. Throws `CancelledError`. */
export async function auditTarget(run: Run, target: TargetInputs, releases: readonly Release[]) {
  const { route } = target
  try {
    const versions = await versionsOf(run, route)
    const rows = await rowsOf(run, target, releases, versions)
    // Without `audit-since`, releases older than the first recorded one came before this action was used.
    const oldest = rows.findLastIndex(({ claimed }) => claimed)
    const isCut = run.inputs.auditSince === '' && oldest >= 0
    const audited = isCut ? rows.slice(0, oldest + 1) : rows
    const newest = await versions.newestPublished()
    // A typo in `tag-pattern` would look like success forever.
    if (rows.length === 0) run.runner.warning('No release was compared.', describeRoute(route))
    return judge(audited, newest?.createdAt ?? 0, describeRoute(route))
  } catch (error) {
    return explainMemory(error, run)
  }
}

function rowsOf(
  { inputs }: Run,
  target: TargetInputs,
  releases: readonly Release[],
  { names, now, standing }: Versions
) {
  const { auditSince, prerelease: policy } = inputs
  const since = releases.find(({ tag }) => tag === auditSince)?.publishedAt ?? 0
  const counting = releases
    .filter(({ publishedAt }) => publishedAt >= since && publishedAt <= now - YOUNG)
    .filter(({ prerelease }) => policy === 'publish' || prerelease === (policy === 'only'))
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, MOST)
    .flatMap(release => {
      const tagged = { tag: release.tag, release, standIn: '', ownCommit: false }
      const { named, problems } = nameTargets({ ...inputs, targets: [target] }, tagged)
      // A tag that does not fit belongs to another package of the repository.
      if (problems.some(({ place }) => place === 'tag-pattern')) return []
      return named.map(({ versionName }) => ({ ...release, versionName }))
    })
  return Array.fromAsync(counting, async release => {
    const { state } = await standing(release.versionName)
    return { ...release, state, claimed: names.includes(release.versionName) }
  })
}

const IN_WORDS: Readonly<Record<Standing['state'], string>> = {
  none: 'missing',
  claimed: 'being published',
  committed: 'being published',
  published: 'published',
  'in doubt': 'in doubt'
}

/** Lists ten names at most; the table has them all. */
function tellSome(names: readonly string[]): string {
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  return `${names.slice(0, 10).join(', ')}${more}`
}

/** `newest`: when the newest published version was claimed, in milliseconds since 1970, or 0. */
function judge(rows: Awaited<ReturnType<typeof rowsOf>>, newest: number, product: string): Report {
  const cells = rows.map(({ tag, versionName, state }) => [tag, versionName, IN_WORDS[state]])
  const table = { head: ['Release', 'Version', 'State'], rows: cells }
  const missing = rows.filter(({ state }) => state === 'none')
  const wrong = [...missing, ...rows.filter(({ state }) => state === 'in doubt')]
  if (wrong.length === 0) {
    if (rows.length === 0) {
      const message = `There is no release to compare with product ${product}: see \`audit-since\`, \`tag-pattern\` and \`prerelease\`.`
      return { ...ended('audited', '', message), heading: 'No release to compare' }
    }
    const message = `Every release that was looked at (${rows.length}) is published to product ${product}, or on its way.`
    return { ...ended('audited', '', message), table }
  }
  const named = tellSome(wrong.map(({ tag, state }) => `${tag} (${IN_WORDS[state]})`))
  const message = `Of the releases that were looked at (${rows.length}), these are not known to be published to product ${product}: ${named}.`
  const advice =
    'Look in the shop. If a version is not there, run your publishing workflow by hand with the input `tag`. ' +
    'If it is there, record that with `mode: settle` and `settle-as: published`. ' +
    'One that is in doubt and not there needs `settle-as: not-published` before it can be published.'
  const lost = missing.filter(({ claimed, publishedAt }) => !claimed && publishedAt < newest)
  const tags = tellSome(lost.map(({ tag }) => tag))
  const hint =
    tags &&
    `\nReleased before the last recorded publication, and without any record: ${tags}. ` +
      'Perhaps somebody deleted deployments of this repository; they are the record of what is published. ' +
      'If they were never meant for the shop, set a later `audit-since`. To publish one now, set `order: any`.'
  const isMissing = missing.length > 0
  const heading = `Not every release is ${isMissing ? '' : 'known to be '}published`
  const reason = isMissing ? 'missing' : 'in-doubt'
  return { ...ended('failed', reason, message, `${advice}${hint}`), heading, table }
}

/** The report of a planned target; `standsIn`: its release only stands in for the next one. */
export async function planTarget(sending: Sending, standsIn: boolean): Promise<Report> {
  const { planned } = sending
  const { sha256 } = await planned.artifact.digest()
  const explain = (error: unknown) => explainSilence(error, sending)
  const memory = await readMemory(sending).catch(explain)
  const isSilent = typeof memory === 'string'
  const standing = isSilent ? memory : await memory.standing(planned.versionName).catch(explain)
  const message =
    isSilent || typeof standing === 'string'
      ? `${standing}`
      : await askMemory(sending, memory, standing, { sha256, standsIn }).catch(explain)
  // A green plan is taken for a publication.
  const isUnpublished = typeof standing !== 'string' && standing.state === 'none' && !standsIn
  const heading = isUnpublished && `Plan. ${planned.names.tag} is not published`
  const changes = await tellChanges(sending, isSilent ? undefined : memory)
  const { changelog, changelogFormat } = planned
  const { renderHtml } = await import('../changelog/html.ts')
  // Inside an element and without blank lines, Markdown leaves HTML as it is.
  const html = () => `<div>\n${changelog.replace(/\n\s*\n/g, '\n')}\n</div>`
  // The changelog as buyers see it, without scripts.
  const preview = renderHtml(changelogFormat === 'html' ? html() : changelog)
  const subject = { ...planned, sha256 }
  const report = { ...ended('planned', '', message), subject, preview, changes }
  const previewed = heading ? { ...report, heading } : report
  // A plan made from a stand-in must not be approved for the next release.
  return standsIn ? previewed : { ...previewed, plan: await partOf(sending, planned) }
}

/** What the memory has for a target's product; or in a sentence, that it is not asked. */
async function readMemory(sending: Sending): Promise<Versions | string> {
  const without = 'It would be published, without a record on GitHub (`once: off`).'
  return sending.inputs.once === 'off' ? without : versionsOf(sending, sending.planned.route)
}

async function askMemory(
  { planned, commit, inputs, runner }: Sending,
  versions: Versions,
  standing: Standing,
  { sha256, standsIn }: { readonly sha256: string; readonly standsIn: boolean }
): Promise<string> {
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
