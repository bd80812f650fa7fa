// The memory on GitHub: claims are deployments, with one environment for each product or benefit.
import type { GitHub } from '../github/github.ts'
import { type Claim, type ListedClaim, type RunOf, type Standing, standingOf } from './ledger.ts'
import {
  dated,
  environmentOf,
  LONGEST_DEADLINE,
  numberAt,
  type Publication,
  parseClaim,
  parseStatus,
  publicationKeyOf
} from './record.ts'
import {
  AnswerLost,
  type ClaimHistory,
  type DeploymentList,
  type Deployments,
  type FailedClaims,
  takeSnapshot
} from './steps.ts'

/** A product or benefit of one shop. */
type ShopProduct = Omit<Publication, 'versionName'>
export type DeploymentsApi = Pick<GitHub, 'isGitHub' | 'read' | 'write' | 'readAll'>
type Writer = Pick<GitHub, 'write'>

/** The server, such as Gitea or Forgejo, has repositories but no deployments. */
export class NoDeployments extends Error {
  override readonly name = 'NoDeployments'
  constructor(cause: unknown) {
    super('this server has no deployments, which remember what is published', { cause })
  }
}

const TASK = 'publish-version'
/** In milliseconds. An assumption: what GitHub shows to one run, it shows to every run within this time. */
export const LAG = 6000
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The claims on all versions of a product or benefit. */
export type RecordedVersions = Readonly<Awaited<ReturnType<typeof openVersions>>>

/** Lists the versions of a product; histories are read when asked for. Throws `NoDeployments`. */
export async function openVersions(
  api: DeploymentsApi,
  product: ShopProduct,
  claimant: RunOf,
  failed: FailedClaims
) {
  const listed = await listClaims(api, product)
  const names = [...new Set(listed.claims.map(({ versionName }) => versionName).toReversed())]
  const [list, history] = [async () => listed, (id: number) => readHistory(api, id)]
  const standing = async (versionName: string): Promise<Standing> => {
    const deployments = { versionName, list, history }
    return standingOf(await takeSnapshot({ deployments, claimant, failed, lag: LAG }))
  }
  const firstPublished = async (among: readonly string[]): Promise<Claim | undefined> => {
    for (const name of among) {
      const found = await standing(name)
      if (found.state === 'published') return found.claim
    }
    return undefined
  }
  return {
    /** The names of the versions with a claim, the last claimed first. */
    names,
    /** GitHub's time when they were listed, in milliseconds since 1970. */
    now: listed.now,
    standing,
    /** The claim of the last published version; undefined if there is none. */
    newestPublished: () => firstPublished(names),
    /** That of the first. */
    oldestPublished: () => firstPublished(names.toReversed())
  }
}

/** The deployments of a publication, made for a tag. `settling` still writes after a cancellation. */
export function openDeployments(
  { github, settling }: { readonly github: DeploymentsApi; readonly settling: Writer },
  publication: Publication,
  tag: string
): Deployments {
  const environment = environmentOf(publication)
  return {
    versionName: publication.versionName,
    list: () => listClaims(github, publication),
    history: id => readHistory(github, id),
    create: async ({ nonce, runId, runAttempt, job, commit, title, fileName, deadline }) => {
      const deployment = {
        ref: tag,
        task: TASK,
        environment,
        payload: {
          publication: publicationKeyOf(publication),
          nonce,
          run_id: runId,
          run_attempt: runAttempt,
          job,
          commit,
          title,
          file_name: fileName,
          deadline_seconds: Math.min(deadline, LONGEST_DEADLINE)
        },
        description: `Version of product ${publication.product}`,
        auto_merge: false,
        required_contexts: [],
        production_environment: false
      }
      // A cancelled run must still get the id of the claim, so as to end it.
      const reply = await settling.write(CREATE, deployment).catch((cause: unknown) => {
        // With no answer or a 5xx, the deployment may exist.
        if ((numberAt(cause, 'status') ?? 500) < 500) throw cause
        throw new AnswerLost('GitHub did not answer the claim', { cause })
      })
      const id = numberAt(reply.data, 'id')
      if (id === undefined) throw new AnswerLost('GitHub answered the claim without its id')
      return id
    },
    record: async (id, state, description, link) => {
      const status = { state, description, environment_url: link, auto_inactive: false }
      const { write } = state === 'in_progress' ? github : settling
      const { data } = await write(`POST ${STATUSES}`, { deployment_id: id, ...status })
      if (numberAt(data, 'id') !== undefined) return
      throw new Error(`GitHub answered the status "${state}" without its id`)
    }
  }
}

/** Lists the claims on every version of a product. Throws `NoDeployments`. */
async function listClaims(api: DeploymentsApi, product: ShopProduct): Promise<DeploymentList> {
  const environment = environmentOf(product)
  const { items, now, lag } = await readList(api, environment)
  // A deployment that is created between two requests moves the last of one page onto the next.
  const single = new Map<number, ListedClaim>()
  for (const item of items) {
    const { baseUrl, ...claim } = parseClaim(item, environment)
    // Another base URL on this host shares the environment; its versions are left out.
    if (baseUrl === product.baseUrl) single.set(claim.id, claim)
  }
  const claims = [...single.values()].toSorted((a, b) => a.id - b.id)
  return { claims, now: dated(now), lag }
}

/** The servers that have listed deployments in this run. */
const able = new WeakSet<DeploymentsApi>()

/** Lists the deployments of an environment. A 404 may pass, so it is asked for once more. */
async function readList(api: DeploymentsApi, environment: string) {
  for (let tries = 1; ; tries++) {
    try {
      const list = await api.readAll(LIST, { environment, task: TASK })
      able.add(api)
      return list
    } catch (cause) {
      if (numberAt(cause, 'status') !== 404) throw cause
      if (tries === 2) throw api.isGitHub || able.has(api) ? cause : new NoDeployments(cause)
      // If the repository can be read, a second 404 means that the server has no deployments.
      const isThere = await api.read('GET /repos/{owner}/{repo}').catch(() => undefined)
      if (!isThere) throw cause
    }
  }
}

async function readHistory(api: DeploymentsApi, id: number): Promise<ClaimHistory | undefined> {
  try {
    const { items, now } = await api.readAll(`GET ${STATUSES}`, { deployment_id: id })
    const statuses = items.map(item => parseStatus(item, id)).toSorted((a, b) => a.id - b.id)
    return { statuses, now: dated(now) }
  } catch (cause) {
    if (numberAt(cause, 'status') === 404) return undefined
    // A plain `Error`: the list could be read, so no permission is missing, whatever the status.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The statuses of deployment ${id} could not be read: ${reason}`, { cause })
  }
}
