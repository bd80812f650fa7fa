// How to go on: where to click and what to paste, with what is known of this run filled in. Pure.

import type { Reason, Remedy } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { quoteName } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'
import { type Mode, rulesOf } from './modes.ts'

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

/** Where to click to start the workflow by hand, as the beginning or the end of a sentence. */
export function pressButton(facts: RunFacts, ...modes: readonly Mode[]): string {
  const names = modes.map(mode => `\`${mode}\``).join(' or ')
  const button = `Actions → ${facts.context.workflow || 'this workflow'} → Run workflow`
  return `${button} with mode ${names}${tagFor(facts, modes)}`
}

/** The tag to give at the button, where one of these modes takes one. */
function tagFor({ tag }: RunFacts, modes: readonly Mode[]): string {
  const isNeeded = tag !== '' && modes.some(mode => rulesOf(mode).isOfRelease)
  return isNeeded ? ` and tag \`${tag}\`` : ''
}

/** How to go on, by whether the run was to publish; words in braces are filled in. */
interface RemedyWords {
  readonly toPublish: string
  readonly otherwise: string
}

const AGAIN = 'Run this job again.'
const EDIT = 'Edit the release, then run this job again.'
const CORRECT = 'Correct the workflow on your default branch, then start it again'

/**
 * How to go on after a failure, as one sentence. A re-run uses the workflow file of the first attempt; a release that failed
 * is led to its end, or it would never reach the shop; nothing asks for more than was asked for.
 */
const GOING_ON: Readonly<Record<Remedy, RemedyWords>> = {
  'run again': { toPublish: AGAIN, otherwise: AGAIN },
  'edit release': { toPublish: EDIT, otherwise: EDIT },
  'correct workflow': {
    toPublish: `${CORRECT}: {check}, and once that is green, with mode \`publish\`{tag}.`,
    otherwise: `${CORRECT}: {asked}.`
  },
  'new version': {
    toPublish: 'Release it as a new version.',
    otherwise: 'Release it as a new version.'
  }
}

/** How to go on, as one sentence. */
export function adviseGoingOn(remedy: Remedy, facts: RunFacts): string {
  const { mode } = facts
  const { toPublish, otherwise } = GOING_ON[remedy]
  return (mode === 'publish' ? toPublish : otherwise)
    .replace('{check}', () => pressButton(facts, 'check'))
    .replace('{tag}', () => tagFor(facts, ['publish']))
    .replace('{asked}', () => pressButton(facts, mode ?? 'check'))
}

/** Advice about an empty secret: a re-run reads secrets again, but not the workflow. */
export function adviseSecret(facts: RunFacts): string {
  const save = 'Save the secret, and run this job again.'
  return `${save} If the workflow is wrong: ${adviseGoingOn('correct workflow', facts)}`
}

/** Advice to add a permission that a job lacks, such as `deployments: write`. */
export function advisePermission(facts: RunFacts, permission: string): string {
  const rest = permission === READ ? '' : ` (if there are none yet, add \`${READ}\`, too)`
  return `Add this line to the job’s \`permissions\`, and keep the others${rest}. ${adviseGoingOn('correct workflow', facts)}
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
