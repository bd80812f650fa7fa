// The deployments of the stand-in for GitHub: the rules that they keep, and when lists show them.
import { type Account, account, idOf, type Places } from './release.ts'
import { type Call, type Clock, invalid, NOT_FOUND, page, problem } from './rest.ts'
import type { Reply } from './wire.ts'

const STATES = ['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']

/** The most that GitHub takes for the name of an environment, in characters. */
const LONGEST_ENVIRONMENT = 255
/** The most that it takes for a status's description, in characters. */
const LONGEST_DESCRIPTION = 140

/** A status of a deployment as GitHub gives it. */
export interface DeploymentStatus {
  readonly url: string
  readonly id: number
  readonly state: string
  readonly environment: string
  readonly creator: Account
  readonly description: string
  /** ISO 8601, to the second. */
  readonly created_at: string
  readonly deployment_url: string
}

/** A deployment as GitHub gives it, with its statuses, oldest first, which GitHub gives by themselves. */
export interface Deployment {
  readonly url: string
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly task: string
  readonly payload: unknown
  readonly environment: string
  readonly description: string | null
  readonly creator: Account
  /** ISO 8601, to the second. */
  readonly created_at: string
  readonly statuses_url: string
  readonly transient_environment: boolean
  readonly production_environment: boolean
  readonly statuses: DeploymentStatus[]
}

/** How late lists are. */
export interface Lag {
  /** A list shows a deployment or a status only after so many milliseconds. */
  readonly ms: number
  /** `ordered`: in the order of creation; `shuffled`: each after a time of its own, up to `ms`. */
  readonly mode: 'ordered' | 'shuffled'
  readonly seed: number
}

const NO_LAG: Lag = {
  ms: 0,
  mode: 'ordered',
  seed: 0
}

/** The repository and the time, as far as the rules need them. */
interface Surroundings {
  readonly slug: string
  readonly places: () => Places
  readonly clock: Clock
  readonly lag: Lag | undefined
  /** The commit that a ref stands for; undefined for a ref that nobody knows. */
  readonly commitOf: (ref: string) => string | undefined
}

/** The deployments of one repository; empty at first. */
export class Deployments {
  /** All of them, whether lists show them yet or not, oldest first. */
  readonly all: Deployment[] = []
  readonly #surroundings: Surroundings
  readonly #lag: Lag
  /** From when on lists show a deployment or a status, in milliseconds by GitHub's clock, by its id. */
  readonly #visibleFrom = new Map<number, number>()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#lag = surroundings.lag ?? NO_LAG
  }

  /** Answers a request to create a deployment. */
  create(body: unknown): Reply {
    const asked = new Asked(body)
    const commit = this.#surroundings.commitOf(asked.text('ref'))
    const refusal = refuseDeployment(asked, commit)
    if (refusal !== undefined) return refusal

    const id = 2_000_000_001 + this.all.length
    const deployment = deploymentFrom(asked, id, commit, this.#surroundings)
    this.#hide(id)
    this.all.push(deployment)
    return { status: 201, body: withoutStatuses(deployment) }
  }

  /** Answers a request to add a status. A `success` makes earlier deployments inactive, as GitHub does. */
  addStatus(id: number, body: unknown): Reply {
    const deployment = this.#find(id)
    if (deployment === undefined) return NOT_FOUND

    const asked = new Asked(body)
    const refusal = refuseStatus(asked)
    if (refusal !== undefined) return refusal

    const status = this.#append(deployment, asked)
    if (status.state === 'success' && asked.value('auto_inactive') !== false) {
      const replaced = this.all.filter(it => isReplaced(it, deployment))
      for (const other of replaced) {
        this.#append(other, new Asked({ state: 'inactive' }))
      }
    }
    return { status: 201, body: status }
  }

  /** One page of those that lists show by now, newest first. */
  list(call: Call): Reply {
    const wanted = this.all.filter(it => this.#isVisible(it.id) && fits(it, call.query))
    return page(call, wanted.map(withoutStatuses).reverse())
  }

  /** One page of a deployment's statuses that lists show by now, newest first. */
  listStatuses(id: number, call: Call): Reply {
    const deployment = this.#find(id)
    if (deployment === undefined || !this.#isVisible(id)) return NOT_FOUND

    const visible = deployment.statuses.filter(status => this.#isVisible(status.id))
    return page(call, visible.reverse())
  }

  #find(id: number): Deployment | undefined {
    return this.all.find(it => it.id === id)
  }

  #append(deployment: Deployment, asked: Asked): DeploymentStatus {
    const count = this.all.reduce((sum, { statuses }) => sum + statuses.length, 0)
    const status = statusFrom(deployment, 5_000_000_001 + count, asked, this.#surroundings)
    deployment.statuses.push(status)
    this.#hide(status.id)
    return status
  }

  /** Keeps a new deployment or status out of the lists for as long as they lag. */
  #hide(id: number): void {
    const { ms, mode, seed } = this.#lag
    const late = mode === 'ordered' ? ms : idOf(`${seed} ${id}`) % (ms + 1)
    this.#visibleFrom.set(id, this.#now() + late)
  }

  #isVisible(id: number): boolean {
    return (this.#visibleFrom.get(id) ?? 0) <= this.#now()
  }

  #now(): number {
    return this.#surroundings.clock.now().getTime()
  }
}

/** The fields of a request's body; none when it is no object. */
class Asked {
  readonly #fields: ReadonlyMap<string, unknown>

  constructor(body: unknown) {
    this.#fields = new Map(Object.entries(Object(body)))
  }

  value(name: string): unknown {
    return this.#fields.get(name)
  }

  /** Empty if it is no text. */
  text(name: string): string {
    const value = this.#fields.get(name)
    return typeof value === 'string' ? value : ''
  }
}

/** Why a deployment cannot be created; undefined when it can. */
function refuseDeployment(asked: Asked, commit: string | undefined): Reply | undefined {
  const ref = asked.text('ref')
  if (commit === undefined) return problem(422, `No ref found for: ${ref}`)
  if (asked.value('auto_merge') !== false) return problem(409, `Conflict merging main into ${ref}.`)

  // GitHub waits for every check of the commit unless this is an empty list, and no commit has a check here.
  const contexts = asked.value('required_contexts')
  if (!Array.isArray(contexts) || contexts.length > 0) {
    return problem(409, `Conflict: Commit status checks failed for ${ref}.`)
  }

  const payload = asked.value('payload') ?? ''
  const isPayload = ['string', 'object'].includes(typeof payload) && !Array.isArray(payload)
  if (!isPayload) return problem(422, 'No subschema in "oneOf" matched for payload.')

  if (asked.text('environment').length <= LONGEST_ENVIRONMENT) return undefined
  return invalid('Deployment', 'environment', 'environment is too long (maximum is 255 characters)')
}

function deploymentFrom(
  asked: Asked,
  id: number,
  commit: string | undefined,
  { slug, clock, places }: Surroundings
): Deployment {
  const url = `${places().api}/repos/${slug}/deployments/${id}`
  const environment = asked.text('environment') || 'production'
  const isProduction = asked.value('production_environment') ?? environment === 'production'
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
    production_environment: isProduction === true,
    statuses: []
  }
}

/** Why a status cannot be added; undefined when it can. */
function refuseStatus(asked: Asked): Reply | undefined {
  const refuse = (field: string, message: string) => invalid('DeploymentStatus', field, message)
  if (!STATES.includes(asked.text('state'))) return refuse('state', 'state is not a state')

  if ([...asked.text('description')].length > LONGEST_DESCRIPTION) {
    return refuse('description', 'description is too long (maximum is 140 characters)')
  }
  return undefined
}

function statusFrom(
  deployment: Deployment,
  id: number,
  asked: Asked,
  { clock, places }: Surroundings
): DeploymentStatus {
  return {
    url: `${deployment.url}/statuses/${id}`,
    id,
    state: asked.text('state'),
    environment: deployment.environment,
    creator: account('github-actions[bot]', places()),
    description: asked.text('description'),
    created_at: clock.iso(),
    deployment_url: deployment.url
  }
}

/** Whether the success of a deployment makes another one inactive. */
function isReplaced(other: Deployment, { id, environment }: Deployment): boolean {
  if (other.id >= id || other.environment !== environment) return false
  // GitHub leaves deployments alone that are transient or in production.
  if (other.transient_environment || other.production_environment) return false
  return other.statuses.at(-1)?.state === 'success'
}

function withoutStatuses({ statuses: _, ...deployment }: Deployment) {
  return deployment
}

/** Whether a deployment is as the query of a list asks. */
function fits(deployment: Deployment, query: URLSearchParams): boolean {
  return (['environment', 'task', 'ref', 'sha'] as const).every(
    name => (query.get(name) ?? deployment[name]) === deployment[name]
  )
}
