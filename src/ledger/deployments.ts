// The record on GitHub: claims are deployments, with one environment for each product or benefit.
import { parseDeployment, parseDeploymentStatus } from '../github/deployment-answers.ts'
import type { GitHub } from '../github/github.ts'
import { GitHubError } from '../github/github-error.ts'
import {
  environmentOf,
  parseClaim,
  parseStatus,
  payloadOf,
  type ShopProduct
} from './claim-format.ts'
import type { ListedClaim, Status } from './rules.ts'

/** A product's claims as GitHub lists them; `now` is GitHub's time, in milliseconds since 1970. */
interface DeploymentList {
  /** The claims on all versions of the product or benefit, lowest id first. */
  readonly claims: readonly ListedClaim[]
  readonly now: number
  /** How late lists may be, in milliseconds, if a simulated GitHub says so. */
  readonly lag?: number | undefined
}

/** A claim's statuses, oldest first, and GitHub's time. */
export type ClaimHistory = Readonly<{ statuses: readonly Status[]; now: number }>

/** A claim that was just created. `createdAt`: by GitHub's clock, in milliseconds since 1970. */
export type CreatedClaim = Pick<ListedClaim, 'id' | 'createdAt'>

/** A claim to make. `ref`: its tag, or the commit of the run where GitHub does not know the tag. */
export interface NewClaim extends Pick<ListedClaim, 'versionName' | 'tag' | 'claimant'> {
  readonly ref: string
}

export type RecordedState = 'in_progress' | 'success' | 'failure' | 'error'

/** The deployments of a product or benefit. Each call has its own limit, and throws a `GitHubError` or an `ActionError`. */
export interface Deployments {
  list(): Promise<DeploymentList>
  /** Undefined when GitHub does not know the claim (yet). */
  history(id: number): Promise<ClaimHistory | undefined>
  create(claim: NewClaim): Promise<CreatedClaim>
  record(id: number, state: RecordedState, description: string): Promise<void>
}

type Api = Pick<GitHub, 'write' | 'readAll'>

const TASK = 'publish-version'

/** An assumption: what GitHub shows to one run, it shows to every run within this time. */
export const LAG_MS = 6000

const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/**
 * Opens the deployments of a product. Sends nothing yet.
 * @param settling GitHub as a canceled run may still write to it.
 */
export function openDeployments(
  github: Api,
  settling: Pick<GitHub, 'write'>,
  product: ShopProduct
): Deployments {
  return {
    list: () => listClaims(github, product),
    history: id => readHistory(github, id),
    create: async claim => {
      const deployment = {
        ref: claim.ref,
        task: TASK,
        environment: environmentOf(product),
        payload: payloadOf(product, claim),
        description: `Version of product ${product.route.product}`,
        auto_merge: false,
        required_contexts: [],
        production_environment: false
      }

      // A canceled run must still get the id of the claim, so as to end it.
      const { data } = await settling.write(CREATE, deployment)
      const { id, createdAt } = parseDeployment(data)
      if (id !== undefined && createdAt !== undefined) return { id, createdAt }
      throw new GitHubError('GitHub answered the claim without its id or its date')
    },
    record: async (id, state, description) => {
      const status = { deployment_id: id, state, description, auto_inactive: false }
      const writer = state === 'in_progress' ? github : settling
      const { data } = await writer.write(`POST ${STATUSES}`, status)
      if (parseDeploymentStatus(data).id !== undefined) return
      throw new GitHubError(`GitHub answered the status "${state}" without its id`)
    }
  }
}

/** Lists the claims on every version of a product. */
async function listClaims(api: Api, product: ShopProduct): Promise<DeploymentList> {
  const environment = environmentOf(product)
  const { items, now, lag } = await api.readAll(LIST, { environment, task: TASK })

  // A deployment that is created between two requests moves the last of one page onto the next.
  const single = new Map<number, ListedClaim>()
  for (const item of items) {
    const claim = parseClaim(parseDeployment(item), product)
    if (claim) single.set(claim.id, claim)
  }
  const claims = [...single.values()].toSorted((a, b) => a.id - b.id)
  return { claims, now: dated(now), lag }
}

async function readHistory(api: Api, id: number): Promise<ClaimHistory | undefined> {
  try {
    const { items, now } = await api.readAll(`GET ${STATUSES}`, { deployment_id: id })
    const statuses = items.flatMap(item => parseStatus(parseDeploymentStatus(item), id) ?? [])
    return { statuses: statuses.toSorted((a, b) => a.id - b.id), now: dated(now) }
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof GitHubError && error.isNotFound
}

/** Throws for an answer without a date: no other clock will do. */
function dated(now: number): number {
  if (Number.isNaN(now)) throw new GitHubError('GitHub’s answer has no date')
  return now
}
