// The deployments of the stand-in for GitHub: its rules, who sees them when, and what becomes of them.
import { account, idOf, type Places } from './release.ts'
import { type Call, type Clock, invalid, NOT_FOUND, page, problem } from './rest.ts'
import type { Reply } from './wire.ts'

const STATES = ['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']

/** A status, oldest first in its deployment. */
export type DeploymentStatus = ReturnType<typeof statusFrom>

/** A deployment as GitHub gives it, with all that happened to it. */
export type Deployment = ReturnType<typeof deploymentFrom>

/** How late lists are. */
export interface Lag {
  /** A list knows a deployment only after so many further requests. */
  readonly requests: number
  /** `ordered`: in the order of creation; `shuffled`: each after a number of its own, up to that. */
  readonly mode: 'ordered' | 'shuffled'
  readonly seed: number
}

/** What the rules need to know about the repository, the time and the requests. */
interface Surroundings {
  readonly slug: string
  readonly places: () => Places
  readonly clock: Clock
  readonly lag: Lag | undefined
  readonly commitOf: (ref: string) => string | undefined
  /** The number of the request at hand. */
  readonly requestNumber: () => number
}

type Properties = Readonly<Record<string, unknown>>

export type Deployments = ReturnType<typeof openDeployments>

/** Opens an empty list of deployments. */
export function openDeployments(options: Surroundings) {
  const { lag = { requests: 0, mode: 'ordered', seed: 0 }, requestNumber, commitOf } = options
  const all: Deployment[] = []
  const visibleFrom = new Map<number, number>()
  const find = (id: number): Deployment | undefined => all.find(it => it.id === id)
  const append = (to: Deployment, asked: Properties): DeploymentStatus => {
    const count = all.reduce((sum, { statuses }) => sum + statuses.length, 0)
    const status = statusFrom(to, 5_000_000_001 + count, asked, options)
    to.statuses.push(status)
    return status
  }
  return {
    all,
    create(input: unknown): Reply {
      const asked = propertiesOf(input)
      const commit = commitOf(textOf(asked.ref))
      const refusal = refuseDeployment(asked, commit)
      if (refusal !== undefined) return refusal
      const made = deploymentFrom(asked, 2_000_000_001 + all.length, commit, options)
      const late =
        lag.mode === 'ordered' ? lag.requests : idOf(`${lag.seed} ${made.id}`) % (lag.requests + 1)
      visibleFrom.set(made.id, requestNumber() + 1 + late)
      all.push(made)
      return { status: 201, body: shown(made) }
    },
    addStatus(id: number, input: unknown): Reply {
      const deployment = find(id)
      if (deployment === undefined) return NOT_FOUND
      const asked = propertiesOf(input)
      const refusal = refuseStatus(asked)
      if (refusal !== undefined) return refusal
      const status = append(deployment, asked)
      if (asked.state === 'success' && asked.auto_inactive !== false) {
        const replaced = all.filter(it => isReplaced(it, deployment))
        for (const other of replaced) append(other, { state: 'inactive' })
      }
      return { status: 201, body: status }
    },
    list(call: Call): Reply {
      const seen = all.filter(it => (visibleFrom.get(it.id) ?? 0) <= requestNumber())
      const wanted = seen.filter(it => fits(it, call.query))
      return page(call, wanted.map(shown).reverse())
    },
    listStatuses(id: number, call: Call): Reply {
      const deployment = find(id)
      return deployment === undefined ? NOT_FOUND : page(call, deployment.statuses.toReversed())
    }
  }
}

/** Why a deployment cannot be created; undefined when it can. */
function refuseDeployment(asked: Properties, commit: string | undefined): Reply | undefined {
  const { ref, auto_merge: autoMerge, required_contexts: contexts, payload = '' } = asked
  if (commit === undefined) return problem(422, `No ref found for: ${ref}`)
  if (autoMerge !== false) return problem(409, `Conflict merging main into ${ref}.`)
  // Given, it must be an empty list: no commit has a status here.
  if (!Array.isArray(contexts) || contexts.length > 0) {
    return problem(409, `Conflict: Commit status checks failed for ${ref}.`)
  }
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  if (typeof payload !== 'string' && !isObject) {
    return problem(422, 'Invalid request.\n\nNo subschema in "oneOf" matched for payload.')
  }
  if (textOf(asked.environment).length <= 255) return undefined
  return invalid('Deployment', 'environment', 'environment is too long (maximum is 255 characters)')
}

function deploymentFrom(
  asked: Properties,
  id: number,
  commit: string | undefined,
  { slug, clock, places }: Surroundings
) {
  const url = `${places().api}/repos/${slug}/deployments/${id}`
  const environment = textOf(asked.environment) || 'production'
  const statuses: DeploymentStatus[] = []
  return {
    url,
    id,
    sha: commit ?? '',
    ref: textOf(asked.ref),
    task: textOf(asked.task) || 'deploy',
    payload: asked.payload ?? {},
    environment,
    description: textOf(asked.description) || null,
    creator: account('github-actions[bot]', places()),
    created_at: clock.iso(),
    statuses_url: `${url}/statuses`,
    transient_environment: asked.transient_environment === true,
    production_environment: (asked.production_environment ?? environment === 'production') === true,
    statuses
  }
}

/** Why a status cannot be added; undefined when it can. */
function refuseStatus(asked: Properties): Reply | undefined {
  const state = textOf(asked.state)
  if (!STATES.includes(state)) {
    return problem(422, 'Validation Failed', {
      errors: [{ resource: 'DeploymentStatus', code: 'invalid', field: 'state' }]
    })
  }
  if ([...textOf(asked.description)].length > 140) {
    const text = 'description is too long (maximum is 140 characters)'
    return invalid('DeploymentStatus', 'description', text)
  }
  const url = textOf(asked.environment_url)
  if (url === '' || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return undefined
  return invalid('DeploymentStatus', 'environment_url', 'environment_url must use http(s) scheme')
}

function statusFrom(
  on: { readonly url: string; readonly environment: string },
  id: number,
  asked: Properties,
  { clock, places }: Surroundings
) {
  return {
    url: `${on.url}/statuses/${id}`,
    id,
    state: textOf(asked.state),
    creator: account('github-actions[bot]', places()),
    description: textOf(asked.description),
    environment: on.environment,
    created_at: clock.iso(),
    deployment_url: on.url,
    environment_url: textOf(asked.environment_url)
  }
}

function isReplaced(other: Deployment, by: Deployment): boolean {
  return (
    other.id < by.id &&
    other.environment === by.environment &&
    !other.transient_environment &&
    !other.production_environment &&
    other.statuses.at(-1)?.state === 'success'
  )
}

function shown({ statuses: _, ...deployment }: Deployment) {
  return deployment
}

function fits(deployment: Deployment, query: URLSearchParams): boolean {
  return (['environment', 'task', 'ref', 'sha'] as const).every(name => {
    const wanted = query.get(name)
    return wanted === null || wanted === 'none' || deployment[name] === wanted
  })
}

/** None when the body is no object. */
function propertiesOf(body: unknown): Properties {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
