// The deployments of the stand-in for GitHub: who sees them, and what becomes of them.
import {
  checkStatus,
  deploymentFrom,
  type Properties,
  refuseDeployment,
  type State,
  type Surroundings,
  statusFrom
} from './deployment-rules.ts'
import { idOf } from './release.ts'
import { type ApiAnswer, type Call, NOT_FOUND, ok, page, propertiesOf } from './rest.ts'

/** A status, oldest first in its deployment. */
export type DeploymentStatus = ReturnType<typeof statusFrom>

/** A deployment as GitHub gives it, with all that happened to it. */
export type Deployment = ReturnType<typeof deploymentFrom> & {
  readonly statuses: DeploymentStatus[]
}

/** How late lists are. */
export interface Lag {
  /** A list knows a deployment only after so many further requests. */
  readonly requests: number
  /** `ordered`: in the order of creation; `shuffled`: each after a number of its own, up to that. */
  readonly mode: 'ordered' | 'shuffled'
  readonly seed: number
}

export interface DeploymentsOptions extends Surroundings {
  /** The number of the request at hand. */
  readonly requestNumber: () => number
}

export type Deployments = ReturnType<typeof openDeployments>

/** Opens an empty list of deployments. */
export function openDeployments(options: DeploymentsOptions) {
  const all: Deployment[] = []
  const visibleFrom = new Map<number, number>()
  let lag: Lag = { requests: 0, mode: 'ordered', seed: 0 }
  const find = (id: number): Deployment | undefined => all.find(it => it.id === id)
  const seenFrom = (id: number): number => {
    const next = options.requestNumber() + 1
    if (lag.mode === 'shuffled') return next + (idOf(`${lag.seed} ${id}`) % (lag.requests + 1))
    return Math.max(visibleFrom.get(all.at(-1)?.id ?? 0) ?? 0, next + lag.requests)
  }
  return {
    all,
    setLag(changed: Lag): void {
      lag = changed
    },
    create(input: unknown): ApiAnswer {
      const asked = propertiesOf(input)
      const refusal = refuseDeployment(asked, options)
      if (refusal !== undefined) return refusal
      const made = { ...deploymentFrom(asked, 2_000_000_001 + all.length, options), statuses: [] }
      visibleFrom.set(made.id, seenFrom(made.id))
      all.push(made)
      return { status: 201, body: shown(made) }
    },
    addStatus(id: number, input: unknown): ApiAnswer {
      const deployment = find(id)
      if (deployment === undefined) return NOT_FOUND
      const asked = propertiesOf(input)
      const state = checkStatus(asked)
      if (typeof state !== 'string') return state
      const status = append(deployment, { ...asked, state }, all, options)
      if (state === 'success' && asked.auto_inactive !== false) {
        for (const other of all.filter(it => isReplaced(it, deployment))) {
          append(other, { state: 'inactive' }, all, options)
        }
      }
      return { status: 201, body: status }
    },
    list(call: Call): ApiAnswer {
      const seen = all.filter(it => (visibleFrom.get(it.id) ?? 0) <= options.requestNumber())
      const wanted = seen.filter(it => fits(it, call.query))
      return page(call, wanted.map(shown).reverse())
    },
    show(id: number): ApiAnswer {
      const deployment = find(id)
      return deployment === undefined ? NOT_FOUND : ok(shown(deployment))
    },
    listStatuses(id: number, call: Call): ApiAnswer {
      const deployment = find(id)
      return deployment === undefined ? NOT_FOUND : page(call, deployment.statuses.toReversed())
    }
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

function append(
  deployment: Deployment,
  asked: Properties & { readonly state: State },
  all: readonly Deployment[],
  options: Surroundings
): DeploymentStatus {
  const count = all.reduce((sum, { statuses }) => sum + statuses.length, 0)
  const status = statusFrom(deployment, 5_000_000_001 + count, asked, options)
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
