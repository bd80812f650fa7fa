// How to go on: where to click and what to paste, with what is known of this run filled in. Pure.
import type { PublishInputs } from '../publish/inputs.ts'
import { parseTag } from '../release/tag.ts'
import type { RunContext, Runner } from '../runner/runner.ts'
import type { Route } from '../shop/publish.ts'

/** What the words about a run depend on. */
export interface RunFacts {
  readonly context: RunContext
  /** As the input has it; `publish` if that is wrong. */
  readonly mode: string
  /** The tag that the run is for, as far as its inputs and its event say; else empty. */
  readonly tag: string
  /** The shop's address, and its host; both empty if the inputs are wrong. */
  readonly baseUrl: string
  readonly host: string
  readonly isSingle: boolean
}

/** For each mode but `publish`: the verb for what was not done, and the heading of a failure. */
export const MODES = new Map([
  ['audit', { done: 'compared', failed: 'Audit failed' }],
  ['check', { done: 'checked', failed: 'Check failed' }],
  ['plan', { done: 'planned', failed: 'Nothing planned' }],
  ['settle', { done: 'recorded', failed: 'Settling failed' }]
])

/** The facts of a run; `inputs` is undefined if they are wrong. */
export function readFacts(
  { context, input }: Pick<Runner, 'context' | 'input'>,
  inputs?: Pick<PublishInputs, 'baseUrl' | 'targets'>
): RunFacts {
  const mode = input('mode')
  const [, tag = ''] = /^refs\/tags\/(.+)$/.exec(context.ref) ?? []
  return {
    context,
    mode: MODES.has(mode) ? mode : 'publish',
    tag: parseTag(input('tag')) || tag,
    baseUrl: inputs?.baseUrl ?? '',
    host: inputs ? new URL(inputs.baseUrl).host : '',
    isSingle: (inputs?.targets.length ?? 1) === 1
  }
}

/** What did not happen, by the mode, such as `Nothing was planned`. */
export function nothingDone({ mode }: RunFacts): string {
  return `Nothing was ${MODES.get(mode)?.done ?? 'published'}`
}

/** A product as users read it, such as `12` or `12, benefit 34`. */
export function describeRoute({ product, benefit }: Route): string {
  return benefit === undefined ? `${product}` : `${product}, benefit ${benefit}`
}

export const AGAIN = 'Run this job again.'

/** For what a re-run cannot mend, as it uses the workflow file of the first attempt. */
export function adviseNewStart(facts: RunFacts): string {
  if (isProposed(facts)) return 'Push the correction to this pull request.'
  return `Fix the workflow on your default branch. Then ${pressButton(facts, facts.mode)}. ${offerButton(facts)}`
}

/** For a version in doubt, as the end of a sentence. Of several targets, it must not settle the others. */
export function adviseSettling(facts: RunFacts): string {
  const found = '`published` if the version is there, or `not-published` if it is not'
  return facts.isSingle
    ? `${pressButton(facts, 'settle')}, and settle-as ${found}. ${offerButton(facts)}`
    : `run a workflow by hand that has this step for this product alone, with \`mode: settle\` and \`settle-as\`: ${found}.`
}

/** Whether the run is for a pull request. */
export function isProposed({ context }: RunFacts): boolean {
  return context.eventName.startsWith('pull_request')
}

function pressButton({ context, tag }: RunFacts, mode: string): string {
  const values = `mode \`${mode}\`${tag && ` and tag \`${tag}\``}`
  return `Actions → ${context.workflow || 'this workflow'} → Run workflow with ${values}`
}

function offerButton({ context }: RunFacts): string {
  const page = pageOf(context, 'README.md#run-it-by-hand')
  const button = page ? `Add it: ${page}` : 'This action’s README shows it: “Run it by hand”'
  return `No such button? ${button}.`
}

/** The address of a page of this action's documentation; empty for an action without a repository of its own. */
export function pageOf(
  { serverUrl, actionRepository, actionRef }: RunContext,
  page: string
): string {
  return actionRepository && `${serverUrl}/${actionRepository}/blob/${actionRef || 'HEAD'}/${page}`
}

/** The lines for a job that may not use the record. */
export function advisePermission(facts: RunFacts): string {
  const what = facts.mode === 'audit' ? 'read' : 'write'
  return `Add these lines to the job, and keep its other permissions:
    permissions:
      contents: read
      deployments: ${what}
${adviseNewStart(facts)}`
}

/** What to do with `once: auto` where the job may not use the record: a new start would publish again. */
export const RECORD_LATER = `If this run publishes it, do not start another: record it with \`mode: settle\` and \`settle-as: published\`.
For that, and for later versions, add these lines to the job, and keep its other permissions:
    permissions:
      contents: read
      deployments: write`

/** In a plan, where no release of a tag is seen: what to do if it has a draft. */
export const DRAFT_ADVICE =
  'If its release is a draft, add `contents: write` to the permissions of this job, and start the workflow again: ' +
  'GitHub shows drafts only with it, and `mode: plan` writes nothing.'

/** What to do after a plan of a draft. */
export function describeDraft(tag: string): string {
  return `The release ${tag} is still a draft. To publish exactly what is planned here, publish the release on GitHub, and then run \`mode: publish\` with this plan as \`approved-plan\`.`
}

/** Two `gh` commands, indented, that delete a claim: GitHub deletes only what is inactive. */
export function deleteCommands(claim: number, place: Place): string[] {
  return [
    `    ${startCommand(claim, place)}/statuses -f state=inactive`,
    `    ${startCommand(claim, place, ' --method DELETE')}`
  ]
}

/** Where a repository is. */
export type Place = Pick<RunContext, 'serverUrl' | 'repository'>

/** A `gh` command up to the path of a claim's deployment; without a host name, `gh` asks github.com. */
export function startCommand(claim: number, { serverUrl, repository }: Place, option = ''): string {
  const { host } = new URL(serverUrl)
  const hostname = host === 'github.com' ? '' : ` --hostname ${host}`
  return `gh api${hostname}${option} repos/${repository}/deployments/${claim}`
}
