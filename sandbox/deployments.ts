/** Owns the deployments of the stand-in and GitHub's rules for them. */
import {
  type Asked,
  checkStatus,
  deploymentFrom,
  refuseDeployment,
  type State,
  type Surroundings,
  statusFrom
} from './deployment-rules.ts'
import { type Lag, sightOf } from './lag.ts'
import { type ApiAnswer, type Call, page, problem, propertiesOf } from './rest.ts'

/** A status, oldest first in its deployment. */
export type DeploymentStatus = ReturnType<typeof statusFrom>

/** A deployment as GitHub gives it, with all that happened to it. */
export type Deployment = ReturnType<typeof deploymentFrom> & {
  readonly statuses: DeploymentStatus[]
}

export interface DeploymentsOptions extends Surroundings {
  /** The number of the request at hand. */
  readonly requestNumber: () => number
}

export interface Deployments {
  readonly all: readonly Deployment[]
  setLag(lag: Lag): void
  create(input: unknown): ApiAnswer
  addStatus(id: number, input: unknown): ApiAnswer
  list(call: Call): ApiAnswer
  show(id: number): ApiAnswer
  listStatuses(id: number, call: Call): ApiAnswer
  showStatus(id: number, statusId: number): ApiAnswer
}

/** Opens an empty list of deployments. */
export function openDeployments(options: DeploymentsOptions): Deployments {
  const all: Deployment[] = []
  const visibleFrom = new Map<number, number>()
  let sight = sightOf({ requests: 0, mode: 'ordered', seed: 0 })
  const find = (id: number): Deployment | undefined => all.find(it => it.id === id)
  return {
    all,
    setLag(lag) {
      sight = sightOf(lag)
    },
    create(input) {
      const asked = propertiesOf(input)
      const refusal = refuseDeployment(asked, options)
      if (refusal !== undefined) return refusal
      const made = { ...deploymentFrom(asked, 2_000_000_001 + all.length, options), statuses: [] }
      const previous = visibleFrom.get(all.at(-1)?.id ?? 0) ?? 0
      visibleFrom.set(made.id, sight(options.requestNumber(), previous))
      all.push(made)
      return { status: 201, body: shown(made) }
    },
    addStatus(id, input) {
      const deployment = find(id)
      if (deployment === undefined) return problem(404, 'Not Found')
      return addStatus(deployment, propertiesOf(input), { ...options, all })
    },
    list(call) {
      const seen = all.filter(it => (visibleFrom.get(it.id) ?? 0) <= options.requestNumber())
      const wanted = seen.filter(it => fits(it, call.query))
      return page(call, wanted.map(shown).reverse())
    },
    show(id) {
      const deployment = find(id)
      if (deployment === undefined) return problem(404, 'Not Found')
      return { status: 200, body: shown(deployment) }
    },
    listStatuses(id, call) {
      const deployment = find(id)
      if (deployment === undefined) return problem(404, 'Not Found')
      return page(call, deployment.statuses.toReversed())
    },
    showStatus(id, statusId) {
      const status = find(id)?.statuses.find(it => it.id === statusId)
      return status === undefined ? problem(404, 'Not Found') : { status: 200, body: status }
    }
  }
}

interface House extends Surroundings {
  readonly all: readonly Deployment[]
}

function addStatus(deployment: Deployment, asked: Asked, house: House): ApiAnswer {
  const state = checkStatus(asked)
  if (typeof state !== 'string') return state
  const status = append(deployment, { ...asked, state }, house)
  if (state === 'success' && asked.auto_inactive !== false) {
    for (const other of house.all) {
      if (isReplaced(other, deployment)) append(other, { state: 'inactive' }, house)
    }
  }
  return { status: 201, body: status }
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

function append(
  deployment: Deployment,
  asked: Asked & { readonly state: State },
  house: House
): DeploymentStatus {
  const count = house.all.reduce((sum, { statuses }) => sum + statuses.length, 0)
  const status = statusFrom(deployment, 5_000_000_001 + count, asked, house)
  deployment.statuses.push(status)
  deployment.updated_at = status.created_at
  deployment.environment = status.environment
  return status
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
