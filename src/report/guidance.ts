// How to go on: where to click and what to paste, with what is known of this run filled in. Pure.
import { type Mode, rulesOf } from '../publish/modes.ts'
import type { TaggedRelease } from '../release/release.ts'
import type { Reason } from '../runner/action-error.ts'
import { isMergeQueue, isPullRequest, type RunContext } from '../runner/runner.ts'
import { quoteName } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'

/** The facts of a run that its words depend on; unknown texts are empty. */
export interface RunFacts {
  readonly context: RunContext
  /** Undefined if it is not clear: a word that names none was given. */
  readonly mode: Mode | undefined
  /** The tag that the run is for, as far as its inputs and its event say. */
  readonly tag: string
  readonly baseUrl: string
}

/** The shop's host, such as `shop.example.com`; `the shop` if the inputs are wrong. */
export function hostOf({ baseUrl }: Pick<RunFacts, 'baseUrl'>): string {
  return URL.parse(baseUrl)?.host ?? 'the shop'
}

/** A field of the shop's form as messages name it; in quotes if it is none that has a plain name. */
export function nameField(field: string): string {
  return /^\w{1,40}$/.test(field) ? field : quoteName(field)
}

/** A product as users read it, such as `product 12` or `product 12, benefit 34`. */
export function describeRoute({ product, benefit }: Route): string {
  return benefit === undefined ? `product ${product}` : `product ${product}, benefit ${benefit}`
}

/** A sentence about a release that stands in for the next one; empty where none does. */
export function describeStandIn({ tag, standsIn }: TaggedRelease): string {
  return standsIn
    ? `The next release has no tag yet, so the tag and the notes of the newest one, ${tag}, are used.`
    : ''
}

const MINUTE = 60_000 // milliseconds

/** Such as `2026-01-31 14:05 UTC`, a whole minute: never too early, or with `down` never too late. `ms`: since 1970. */
export function timeText(ms: number, rounded: 'up' | 'down' = 'up'): string {
  const minutes = ms / MINUTE
  const whole = rounded === 'up' ? Math.ceil(minutes) : Math.floor(minutes)
  return `${new Date(whole * MINUTE).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export const AGAIN = 'Run this job again.'

/** Where to click to start the workflow by hand, as the beginning or the end of a sentence. */
export function pressButton(facts: RunFacts, ...modes: readonly Mode[]): string {
  const names = modes.map(mode => `\`${mode}\``).join(' or ')
  return `Actions → ${facts.context.workflow || 'this workflow'} → Run workflow with mode ${names}${tagFor(facts, modes)}`
}

/** The tag to give at the button, where one of these modes takes one. */
function tagFor({ tag }: RunFacts, modes: readonly Mode[]): string {
  const isNeeded = tag !== '' && modes.some(mode => rulesOf(mode).isOfRelease)
  return isNeeded ? ` and tag \`${tag}\`` : ''
}

/**
 * Advice to correct the workflow and to start it again: a re-run would use the workflow file of the first attempt. A
 * release that failed is led to its end, or it would never reach the shop; otherwise, no more is advised than was asked.
 */
export function adviseNewStart(facts: RunFacts): string {
  if (isMergeQueue(facts.context))
    return 'Push the correction to the pull request, and queue it again.'
  if (isPullRequest(facts.context)) return 'Push the correction to this pull request.'
  return `Correct the workflow on your default branch, then start it again: ${pressInOrder(facts)}.`
}

/** Advice about an empty secret: a re-run reads secrets again, but not the workflow. */
export function adviseSecret(facts: RunFacts): string {
  if (isPullRequest(facts.context)) return 'Save the secret, and run this job again.'
  return `Save the secret, and run this job again; if the workflow is wrong, correct it on your default branch, and start it again: ${pressInOrder(facts)}.`
}

/** The modes to press, one after the other, as the end of a sentence. */
function pressInOrder(facts: RunFacts): string {
  // Someone who mistyped a mode may have wanted to send nothing.
  const [first, then] = facts.mode === undefined ? CAUTIOUS : rulesOf(facts.mode).startAgain
  if (then === undefined) return pressButton(facts, first)
  return `${pressButton(facts, first)}, and once that is green, with mode \`${then}\`${tagFor(facts, [then])}`
}

const CAUTIOUS: readonly [Mode, Mode?] = ['check']

/** Advice to add a permission that a job lacks, such as `deployments: write`. */
export function advisePermission(facts: RunFacts, permission: string): string {
  const rest = permission === READ ? '' : ` (if there are none yet, add \`${READ}\`, too)`
  return `Add this line to the job’s \`permissions\`, and keep the others${rest}. ${adviseNewStart(facts)}
    permissions:
      ${permission}`
}

const READ = 'contents: read'

/** Where a reason is explained; empty without one, and for an action without a repository of its own. */
export function reasonPage(context: RunContext, reason: Reason | ''): string {
  const { serverUrl, actionRepository } = context
  if (reason === '' || actionRepository === '') return ''

  const place = folderOfAction(context)
  if (place === '') return ''
  return `${serverUrl}/${actionRepository}/${place}/docs/troubleshooting.md#${reason}`
}

/** The beginning of the path to a file of this action at its ref; empty where that is not known. */
function folderOfAction({ forge, actionRef }: RunContext): string {
  if (forge === 'GitHub') return `blob/${actionRef || 'HEAD'}`

  // The addresses of Gitea and Forgejo say what a ref is. A branch may be called anything.
  if (/^[\da-f]{40}$/.test(actionRef)) return `src/commit/${actionRef}`
  return /^v?\d/.test(actionRef) ? `src/tag/${actionRef}` : ''
}

/** A `gh` command, ready to paste into a shell, that writes a status of a claim, by its deployment id. */
export function statusCommand(
  claimId: number,
  state: 'success' | 'failure',
  description: string,
  { serverUrl, repository }: RunContext
): string {
  const text = `-f description='${description.replaceAll("'", "'\\''")}'`
  // Without a host name, `gh` asks github.com.
  const { host } = new URL(serverUrl)
  const hostname = host === 'github.com' ? '' : ` --hostname ${host}`
  const path = `repos/${repository}/deployments/${claimId}/statuses`
  return `gh api${hostname} ${path} -f state=${state} -F auto_inactive=false ${text}`
}

/** Lines that are shown as code: each is indented. */
export function codeLines(...lines: readonly string[]): string {
  return lines
    .flatMap(line => line.split('\n'))
    .map(line => `\n    ${line}`)
    .join('')
}
