// GitHub's rules for deployments and their statuses: what is refused, and what the rest becomes.
import { account, type Places } from './release.ts'
import { type ApiAnswer, type Clock, invalid, type Properties, problem } from './rest.ts'

export type { Properties } from './rest.ts'

const STATES = [
  ...(['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success'] as const)
]

/** What a status can say. */
export type State = (typeof STATES)[number]

/** What the rules need to know about the repository and the time. */
export interface Surroundings {
  readonly slug: string
  readonly places: () => Places
  readonly clock: Clock
  readonly defaultBranch: string
  /** The commit of a tag, branch or commit id; undefined for one that nobody knows. */
  readonly commitOf: (ref: string) => string | undefined
}

/** Why a deployment cannot be created; undefined when it can. */
export function refuseDeployment(asked: Properties, options: Surroundings): ApiAnswer | undefined {
  const { ref, auto_merge: autoMerge, required_contexts: contexts, payload } = asked
  if (typeof ref !== 'string' || ref === '') {
    return problem(422, 'Invalid request.\n\n"ref" wasn\'t supplied.')
  }
  if (options.commitOf(ref) === undefined) return problem(422, `No ref found for: ${ref}`)
  if (autoMerge !== false) {
    return problem(409, `Conflict merging ${options.defaultBranch} into ${ref}.`)
  }
  // Given, it must be an empty list: no commit has a status here.
  if (!Array.isArray(contexts) || contexts.length > 0) {
    return problem(409, `Conflict: Commit status checks failed for ${ref}.`)
  }
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  if (payload !== undefined && typeof payload !== 'string' && !isObject) {
    return problem(422, 'Invalid request.\n\nNo subschema in "oneOf" matched for payload.')
  }
  if (textOf(asked.environment).length > 255) {
    const message = 'environment is too long (maximum is 255 characters)'
    return invalid('Deployment', 'environment', message)
  }
  return undefined
}

/** A deployment from what was asked for, with GitHub's defaults. */
export function deploymentFrom(asked: Properties, id: number, options: Surroundings) {
  const { slug, clock, places, commitOf } = options
  const url = `${places().api}/repos/${slug}/deployments/${id}`
  const ref = textOf(asked.ref)
  const environment = textOf(asked.environment) || 'production'
  const isProduction = asked.production_environment ?? environment === 'production'
  return {
    url,
    id,
    sha: commitOf(ref) ?? '',
    ref,
    task: textOf(asked.task) || 'deploy',
    payload: asked.payload ?? {},
    original_environment: environment,
    environment,
    description: textOf(asked.description) || null,
    creator: account('github-actions[bot]', places()),
    created_at: clock.iso(),
    updated_at: clock.iso(),
    statuses_url: `${url}/statuses`,
    transient_environment: asked.transient_environment === true,
    production_environment: isProduction === true
  }
}

/** The state that is asked for, or why the status cannot be added. */
export function checkStatus(asked: Properties): State | ApiAnswer {
  const state = STATES.find(it => it === asked.state)
  if (state === undefined) {
    return problem(422, 'Validation Failed', {
      errors: [{ resource: 'DeploymentStatus', code: 'invalid', field: 'state' }]
    })
  }
  if ([...textOf(asked.description)].length > 140) {
    const text = 'description is too long (maximum is 140 characters)'
    return invalid('DeploymentStatus', 'description', text)
  }
  for (const field of ['environment_url', 'log_url', 'target_url'] as const) {
    const value = textOf(asked[field])
    if (value === '' || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) continue
    return invalid('DeploymentStatus', field, `${field} must use http(s) scheme`)
  }
  return state
}

/** A status from what was asked for. */
export function statusFrom(
  on: ReturnType<typeof deploymentFrom>,
  id: number,
  asked: Properties & { readonly state: State },
  { clock, places }: Surroundings
) {
  return {
    url: `${on.url}/statuses/${id}`,
    id,
    state: asked.state,
    creator: account('github-actions[bot]', places()),
    description: textOf(asked.description),
    environment: textOf(asked.environment) || on.environment,
    created_at: clock.iso(),
    updated_at: clock.iso(),
    deployment_url: on.url,
    environment_url: textOf(asked.environment_url),
    log_url: textOf(asked.log_url) || textOf(asked.target_url)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
