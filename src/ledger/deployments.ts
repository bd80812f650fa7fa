// The memory on GitHub: claims are deployments, with one environment for each product or benefit.
import type { GitHub } from '../github/github.ts'
import { parseJson, textAt } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { type Claim, type ListedClaim, type RunOf, type Standing, standingOf } from './ledger.ts'
import { dated, LONGEST_DEADLINE, numberAt, parseItem, parseStatus } from './parse.ts'
import {
  AnswerLost,
  type ClaimHistory,
  type Deployments,
  type FailedClaims,
  takeSnapshot
} from './steps.ts'

/** A product or benefit of one shop; `baseUrl` is as `parseBaseUrl` gives it. */
type ShopProduct = Route & { readonly baseUrl: string }
/** One version of a product or benefit. It is the same publication if all four are the same. */
type Publication = ShopProduct & { readonly versionName: string }
export type DeploymentsApi = Pick<GitHub, 'isGitHub' | 'read' | 'write' | 'readAll'>

/** The server, such as Gitea or Forgejo, has repositories but no deployments. */
export class NoDeployments extends Error {
  override readonly name = 'NoDeployments'
}

const TASK = 'publish-version'
/** In milliseconds. An assumption: what GitHub shows to one run, it shows to every run within this time. */
export const LAG = 6000
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, product, benefit }: ShopProduct): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** The text that identifies a publication, such as `["https://shop.example.com",12,null,"1.2.0"]`. */
export function publicationKeyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

/** The claims on all versions of a product or benefit. */
export interface RecordedVersions {
  /** The names of the versions with a claim, the last claimed first. */
  readonly names: readonly string[]
  /** GitHub's time when they were listed, in milliseconds since 1970. */
  readonly now: number
  standing(versionName: string): Promise<Standing>
  /** The claim of the last published version; undefined if there is none. */
  newestPublished(): Promise<Claim | undefined>
  /** That of the first. */
  oldestPublished(): Promise<Claim | undefined>
  /** The tag that a claim was made for. */
  refOf(claim: Claim): string
}

/** Lists the versions of a product; histories are read when asked for. Throws `NoDeployments`. */
export async function openVersions(
  api: DeploymentsApi,
  product: ShopProduct,
  claimant: RunOf,
  failed: FailedClaims
): Promise<RecordedVersions> {
  const { items, now } = await listAll(api, product)
  const claims = Map.groupBy(items, ({ versionName }) => versionName)
  const names = [...new Set(items.map(({ versionName }) => versionName).toReversed())]
  const history = (id: number) => readHistory(api, id)
  const standing = async (versionName: string) => {
    const own = claims.get(versionName) ?? []
    const list = async () => ({ claims: own.map(({ claim }) => claim), others: [], now })
    const deployments = { list, history }
    return standingOf(await takeSnapshot({ deployments, claimant, failed, lag: LAG }))
  }
  const firstPublished = async (among: readonly string[]) => {
    for (const name of among) {
      const found = await standing(name)
      if (found.state === 'published') return found.claim
    }
    return undefined
  }
  const refs = new Map(items.map(({ ref, claim }) => [claim.id, ref]))
  return {
    names,
    now,
    standing,
    newestPublished: () => firstPublished(names),
    oldestPublished: () => firstPublished(names.toReversed()),
    refOf: ({ id }) => refs.get(id) ?? ''
  }
}

/** The deployments of a publication, made for the tag `ref`. `settling` still writes after a cancellation. */
export function openDeployments(
  {
    github,
    settling
  }: { readonly github: DeploymentsApi; readonly settling: Pick<DeploymentsApi, 'write'> },
  publication: Publication,
  ref: string
): Deployments {
  const environment = environmentOf(publication)
  return {
    list: async () => {
      const { items, now, lag } = await listAll(github, publication)
      const isOwn = (versionName: string) => versionName === publication.versionName
      const own = items.filter(({ versionName }) => isOwn(versionName))
      const others = items.filter(({ versionName }) => !isOwn(versionName))
      return {
        claims: own.map(({ claim }) => claim),
        others: others.map(({ versionName, claim }) => ({ versionName, ...claim })),
        now,
        lag
      }
    },
    history: id => readHistory(github, id),
    create: async ({ nonce, runId, runAttempt, job, commit, title, fileName, deadline }) => {
      const deployment = {
        ref,
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

/** A deployment of ours: a claim on one version of a product. */
interface RecordedItem {
  readonly versionName: string
  readonly ref: string
  readonly claim: ListedClaim
}

/** The claims on every version of a product, lowest id first. Throws `NoDeployments`. */
async function listAll(api: DeploymentsApi, product: ShopProduct) {
  const environment = environmentOf(product)
  const { items, now, lag } = await readList(api, environment)
  const parsed = items.map(item => parseItem(item, environment))
  // A deployment that is created between two requests moves the last of one page onto the next.
  const single = new Map(parsed.map(item => [item.claim.id, item]))
  // Another base URL on this host shares the environment; its versions are left out.
  const own = [...single.values()].flatMap(({ key, ref, claim }): RecordedItem[] => {
    // The version name is the last item of `publicationKeyOf`.
    const versionName = textAt(parseJson(key), '3')
    return key === publicationKeyOf({ ...product, versionName })
      ? [{ versionName, ref, claim }]
      : []
  })
  return { items: own.toSorted((a, b) => a.claim.id - b.claim.id), now: dated(now), lag }
}

/** The servers that have listed deployments in this run. */
const able = new WeakSet<DeploymentsApi>()

/** Lists the deployments of an environment. A 404 may pass, so it is asked for once more. */
async function readList(api: DeploymentsApi, environment: string) {
  const read = async () => {
    const list = await api.readAll(LIST, { environment, task: TASK })
    able.add(api)
    return list
  }
  try {
    return await read()
  } catch (cause) {
    if (numberAt(cause, 'status') !== 404) throw cause
    // If the repository can be read, a second 404 means that the server has no deployments.
    const isThere = await api.read('GET /repos/{owner}/{repo}').catch(() => undefined)
    if (!isThere) throw cause
  }
  try {
    return await read()
  } catch (cause) {
    const isAble = api.isGitHub || able.has(api)
    if (numberAt(cause, 'status') !== 404 || isAble) throw cause
    const message = 'this server has no deployments, which remember what is published'
    throw new NoDeployments(message, { cause })
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
    throw new Error(`The history of deployment ${id} could not be read: ${reason}`, { cause })
  }
}
