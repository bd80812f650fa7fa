// The deployments of the stand-in for GitHub: its rules, who sees them when, and what becomes of them.
import { account, idOf, type Places } from './release.ts'
import { type Call, type Clock, invalid, NOT_FOUND, page, problem } from './rest.ts'
import type { Reply } from './wire.ts'

const STATES = ['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']

type DeploymentStatus = ReturnType<typeof statusFrom>
/** A deployment as GitHub gives it, with all that happened to it, oldest first. */
export type Deployment = ReturnType<typeof deploymentFrom>

/** How late lists are. */
export interface Lag {
  /** A list knows a deployment or a status only after so many milliseconds. */
  readonly ms: number
  /** `ordered`: in the order of creation; `shuffled`: each after a time of its own, up to that. */
  readonly mode: 'ordered' | 'shuffled'
  readonly seed: number
}

/** What the rules need to know about the repository and the time. */
interface Surroundings {
  readonly slug: string
  readonly places: () => Places
  readonly clock: Clock
  readonly lag: Lag | undefined
  readonly commitOf: (ref: string) => string | undefined
}

export type Deployments = ReturnType<typeof openDeployments>

/** Opens an empty list of deployments. */
export function openDeployments(options: Surroundings) {
  const { lag = { ms: 0, mode: 'ordered', seed: 0 }, clock, commitOf } = options
  const all: Deployment[] = []
  /** From when on lists show a deployment or a status, by its id. */
  const visibleFrom = new Map<number, number>()
  const now = () => clock.now().getTime()
  const hide = (id: number) => {
    const late = lag.mode === 'ordered' ? lag.ms : idOf(`${lag.seed} ${id}`) % (lag.ms + 1)
    visibleFrom.set(id, now() + late)
  }
  const isVisible = ({ id }: { readonly id: number }) => (visibleFrom.get(id) ?? 0) <= now()
  const find = (id: number): Deployment | undefined => all.find(it => it.id === id)
  const append = (to: Deployment, asked: Asked): DeploymentStatus => {
    const count = all.reduce((sum, { statuses }) => sum + statuses.length, 0)
    const status = statusFrom(to, 5_000_000_001 + count, asked, options)
    to.statuses.push(status)
    hide(status.id)
    return status
  }
  return {
    all,
    create(body: unknown): Reply {
      const asked = read(body)
      const commit = commitOf(asked.text('ref'))
      const refusal = refuseDeployment(asked, commit)
      if (refusal !== undefined) return refusal
      const made = deploymentFrom(asked, 2_000_000_001 + all.length, commit, options)
      hide(made.id)
      all.push(made)
      return { status: 201, body: shown(made) }
    },
    addStatus(id: number, body: unknown): Reply {
      const deployment = find(id)
      const asked = read(body)
      if (deployment === undefined) return NOT_FOUND
      const refusal = refuseStatus(asked)
      if (refusal !== undefined) return refusal
      const status = append(deployment, asked)
      if (status.state === 'success' && asked.value('auto_inactive') !== false) {
        const replaced = all.filter(it => isReplaced(it, deployment))
        for (const other of replaced) append(other, read({ state: 'inactive' }))
      }
      return { status: 201, body: status }
    },
    list(call: Call): Reply {
      const wanted = all.filter(it => isVisible(it) && fits(it, call.query))
      return page(call, wanted.map(shown).reverse())
    },
    listStatuses(id: number, call: Call): Reply {
      const deployment = find(id)
      if (deployment === undefined || !isVisible(deployment)) return NOT_FOUND
      return page(call, deployment.statuses.filter(isVisible).toReversed())
    }
  }
}

/** What a body asks for; nothing when it is no object. */
function read(body: unknown) {
  const fields = new Map<string, unknown>(Object.entries(Object(body)))
  return {
    value: (name: string) => fields.get(name),
    text: (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    }
  }
}

type Asked = ReturnType<typeof read>

/** Why a deployment cannot be created; undefined when it can. */
function refuseDeployment(asked: Asked, commit: string | undefined): Reply | undefined {
  const ref = asked.text('ref')
  const [contexts, payload] = [asked.value('required_contexts'), asked.value('payload') ?? '']
  const isPayload = ['string', 'object'].includes(typeof payload) && !Array.isArray(payload)
  if (commit === undefined) return problem(422, `No ref found for: ${ref}`)
  if (asked.value('auto_merge') !== false) return problem(409, `Conflict merging main into ${ref}.`)
  // Given, it must be an empty list: no commit has a status here.
  if (!Array.isArray(contexts) || contexts.length > 0) {
    return problem(409, `Conflict: Commit status checks failed for ${ref}.`)
  }
  if (!isPayload) return problem(422, 'No subschema in "oneOf" matched for payload.')
  if (asked.text('environment').length <= 255) return undefined
  return invalid('Deployment', 'environment', 'environment is too long (maximum is 255 characters)')
}

function deploymentFrom(
  asked: Asked,
  id: number,
  commit: string | undefined,
  { slug, clock, places }: Surroundings
) {
  const url = `${places().api}/repos/${slug}/deployments/${id}`
  const environment = asked.text('environment') || 'production'
  const statuses: DeploymentStatus[] = []
  return {
    url,
    id,
    sha: commit ?? '',
    ref: asked.text('ref'),
    task: asked.text('task') || 'deploy',
    payload: asked.value('payload') ?? {},
    environment,
    description: asked.text('description') || null,
    creator: account('github-actions[bot]', places()),
    created_at: clock.iso(),
    statuses_url: `${url}/statuses`,
    transient_environment: asked.value('transient_environment') === true,
    production_environment:
      (asked.value('production_environment') ?? environment === 'production') === true,
    statuses
  }
}

/** Why a status cannot be added; undefined when it can. */
function refuseStatus(asked: Asked): Reply | undefined {
  const refuse = (field: string, message: string) => invalid('DeploymentStatus', field, message)
  if (!STATES.includes(asked.text('state'))) return refuse('state', 'state is not a state')
  if ([...asked.text('description')].length > 140) {
    return refuse('description', 'description is too long (maximum is 140 characters)')
  }
  const url = asked.text('environment_url')
  if (url === '' || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return undefined
  return refuse('environment_url', 'environment_url must use http(s) scheme')
}

function statusFrom(
  { url, environment }: { readonly url: string; readonly environment: string },
  id: number,
  asked: Asked,
  { clock, places }: Surroundings
) {
  return {
    ...{ url: `${url}/statuses/${id}`, id, state: asked.text('state'), environment },
    creator: account('github-actions[bot]', places()),
    description: asked.text('description'),
    created_at: clock.iso(),
    deployment_url: url,
    environment_url: asked.text('environment_url')
  }
}

function isReplaced(other: Deployment, { id, environment }: Deployment): boolean {
  const { transient_environment: isTransient, production_environment: isProduction } = other
  const isOlder = other.id < id && other.environment === environment
  return isOlder && !isTransient && !isProduction && other.statuses.at(-1)?.state === 'success'
}

function shown({ statuses: _, ...deployment }: Deployment) {
  return deployment
}

function fits(deployment: Deployment, query: URLSearchParams): boolean {
  return (['environment', 'task', 'ref', 'sha'] as const).every(
    name => (query.get(name) ?? deployment[name]) === deployment[name]
  )
}
