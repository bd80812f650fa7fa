// How to go on: where to click and what to paste, with what is known of this run filled in. Pure.
import type { Reason, Remedy } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { quoteName } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'
import type { Asked } from './asked.ts'
import { type Mode, rulesOf } from './modes.ts'

/** The shop's host, such as `shop.example.com`; `the shop` if the inputs are wrong. */
export function hostOf({ baseUrl }: Pick<Asked, 'baseUrl'>): string {
  return URL.parse(baseUrl)?.host ?? 'the shop'
}

/** A field of the shop's form as messages name it; in quotes if it is none that has a plain name. */
export function describeField(field: string): string {
  return /^\w{1,40}$/.test(field) ? field : quoteName(field)
}

/** A product as users read it, such as `product 12` or `product 12, benefit 34`. */
export function describeRoute({ product, benefit }: Route): string {
  return benefit === undefined ? `product ${product}` : `product ${product}, benefit ${benefit}`
}

/** Where to click to start the workflow by hand, as the beginning or the end of a sentence. */
export function describeButton(asked: Asked, ...modes: readonly Mode[]): string {
  const names = modes.map(mode => `\`${mode}\``).join(' or ')
  const button = `Actions → ${asked.context.workflow || 'this workflow'} → Run workflow`
  return `${button} with mode ${names}${tagFor(asked, modes)}`
}

/** The tag to give at the button, where one of these modes takes one. */
function tagFor({ tag }: Asked, modes: readonly Mode[]): string {
  const isNeeded = tag !== '' && modes.some(mode => rulesOf(mode).isOfRelease)
  return isNeeded ? ` and tag \`${tag}\`` : ''
}

/** How to go on after a failure: one sentence for each remedy, whatever the mode. */
const REMEDIES: Readonly<Record<Remedy, string>> = {
  'run again': 'Press *Re-run failed jobs*.',
  'edit release': 'Edit the release, then press *Re-run failed jobs*.',
  // A re-run uses the workflow file of the first attempt.
  'correct workflow': 'Correct the workflow on your default branch, then start it again: {start}.'
}

/** How to go on, as one sentence. */
export function describeRemedy(remedy: Remedy, asked: Asked): string {
  return REMEDIES[remedy].replace('{start}', () => describeStart(asked))
}

/**
 * Where to click to start again what failed. Nothing asks for more than was asked for; but a release whose own run failed is
 * led to its end, or it would never reach the shop.
 */
function describeStart(asked: Asked): string {
  if (asked.mode !== 'publish') return describeButton(asked, asked.mode ?? 'check')
  const publish = `with mode \`publish\`${tagFor(asked, ['publish'])}`
  return `${describeButton(asked, 'check')}, and once that is green, ${publish}`
}

/** Advice about an empty secret: a re-run reads secrets again, but not the workflow. */
export function describeSecretRemedy(asked: Asked): string {
  const save = 'Save the secret, then press *Re-run failed jobs*.'
  return `${save} If the workflow is wrong: ${describeRemedy('correct workflow', asked)}`
}

/** Advice to add a permission that a job lacks, such as `deployments: write`. */
export function describePermissionRemedy(asked: Asked, permission: string): string {
  const rest = permission === READ ? '' : ` (if there are none yet, add \`${READ}\`, too)`
  return `Add this line to the job’s \`permissions\`, and keep the others${rest}. ${describeRemedy('correct workflow', asked)}
    permissions:
      ${permission}`
}

const READ = 'contents: read'

/** Where a reason is explained; empty without one, and for an action without a repository of its own. */
export function reasonPage(context: RunContext, reason: Reason | ''): string {
  return reason === '' ? '' : pageOf(context, `troubleshooting.md#${reason}`)
}

/** The address of a page of the documentation at the action's ref; empty for an action without a repository of its own. */
export function pageOf(
  { serverUrl, actionRepository, actionRef }: RunContext,
  page: string
): string {
  if (actionRepository === '') return ''
  return `${serverUrl}/${actionRepository}/blob/${actionRef || 'HEAD'}/docs/${page}`
}

/**
 * A `gh` command, ready to paste into a shell, that writes a status of a claim.
 * @param claimId The deployment's.
 */
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
