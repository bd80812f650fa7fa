// The memory on GitHub: claims are deployments, with one environment for each product or benefit.
import type { GitHub } from '../github/github.ts'
import { at, parseJson, textAt } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { type Claim, type RunOf, standingOf } from './ledger.ts'
import { AnswerLost, type Deployments, type History, look } from './steps.ts'

/** A product or benefit of one shop; `baseUrl` is as `parseBaseUrl` gives it. */
type ShopProduct = Route & { readonly baseUrl: string }
/** One version of a product or benefit. It is the same publication if all four are the same. */
type Publication = ShopProduct & { readonly versionName: string }
export type Api = Pick<GitHub, 'read' | 'write' | 'readAll'>

/** The server, such as Gitea or Forgejo, has repositories but no deployments. */
export class NoDeployments extends Error {
  override readonly name = 'NoDeployments'
}

const TASK = 'publish-version'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, product, benefit }: ShopProduct): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** The text that identifies a publication, such as `["https://shop.example.com",12,null,"1.2.0"]`. */
export function keyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

export type Versions = Awaited<ReturnType<typeof openVersions>>

/** Reads the claims on all versions of a product; histories only when asked for. Throws `NoDeployments`. */
export async function openVersions(api: Api, product: ShopProduct, run: RunOf) {
  const { items, now } = await listAll(api, environmentOf(product))
  const claimsOn = (versionName: string) => claimsOf(items, { ...product, versionName })
  // The version name is the last item of `keyOf`.
  const claimed = items.map(({ key }) => textAt(parseJson(key), '3')).toReversed()
  /** Newest claim first. Another base URL on this host shares the environment; its versions are left out. */
  const names = [...new Set(claimed)].filter(name => claimsOn(name).length > 0)
  const standing = async (versionName: string) => {
    const list = async () => ({ claims: claimsOn(versionName), now })
    return standingOf(await look({ list, history: id => readHistory(api, id) }, run))
  }
  const newestPublished = async () => {
    for (const name of names) {
      const found = await standing(name)
      if (found.state === 'published') return found.claim
    }
    return undefined
  }
  /** The tag that a claim was made for. */
  const refOf = ({ id }: Claim) => items.find(({ claim }) => claim.id === id)?.ref ?? ''
  return { names, now, standing, newestPublished, refOf }
}

/** The deployments of a publication, made for the tag `ref`. `settling` still writes after a cancellation. */
export function openDeployments(
  { github, settling }: { readonly github: Api; readonly settling: Pick<Api, 'write'> },
  publication: Publication,
  ref: string
): Deployments {
  const environment = environmentOf(publication)
  return {
    list: async () => {
      const { items, now } = await listAll(github, environment)
      return { claims: claimsOf(items, publication), now }
    },
    history: id => readHistory(github, id),
    create: async ({ nonce, runId, runAttempt, job, commit, fileName, deadline }) => {
      const deployment = {
        ...{ ref, task: TASK, environment },
        payload: {
          ...{ publication: keyOf(publication), nonce, run_id: runId, run_attempt: runAttempt },
          ...{ job, commit, file_name: fileName, deadline_seconds: deadline }
        },
        description: `Version of product ${publication.product}`,
        ...{ auto_merge: false, required_contexts: [], production_environment: false }
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
      const { data, now } = await write(`POST ${STATUSES}`, { deployment_id: id, ...status })
      if (numberAt(data, 'id') !== undefined) return dated(now)
      throw new Error(`GitHub answered the status "${state}" without its id`)
    }
  }
}

function claimsOf(items: readonly ReturnType<typeof parseItem>[], publication: Publication) {
  const wanted = keyOf(publication)
  return items.filter(({ key }) => key === wanted).map(({ claim }) => claim)
}

/** The claims on every version in an environment, lowest id first. */
async function listAll(api: Api, environment: string) {
  const { items, now } = await api
    .readAll(LIST, { environment, task: TASK })
    .catch(async (cause: unknown) => {
      const isMissing = numberAt(cause, 'status') === 404
      // If the repository can be read, the 404 means that the server has no deployments.
      const isThere = isMissing && (await api.read('GET /repos/{owner}/{repo}').catch(() => false))
      if (!isThere) throw cause
      const message = 'this server has no deployments, which remember what is published'
      throw new NoDeployments(message, { cause })
    })
  const parsed = items.map(item => parseItem(item, environment))
  // A deployment that is created between two requests moves the last of one page onto the next.
  const single = new Map(parsed.map(item => [item.claim.id, item]))
  const sorted = [...single.values()].toSorted((a, b) => a.claim.id - b.claim.id)
  return { items: sorted, now: dated(now) }
}

async function readHistory(api: Api, id: number): Promise<History | undefined> {
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

/** Throws for an answer without a date: no other clock will do. */
function dated(now: number): number {
  if (Number.isNaN(now)) throw new Error('GitHub’s answer has no date')
  return now
}

/** Narrows a deployment. Throws if it cannot be read: it may be a claim on any version. */
function parseItem(value: unknown, environment: string) {
  const given = at(value, 'payload')
  // GitHub gives a payload back as it was sent, older servers as a string of JSON.
  const payload = typeof given === 'string' ? parseJson(given) : given
  const id = numberAt(value, 'id')
  const createdAt = Date.parse(textAt(value, 'created_at'))
  const text = (name: string) => textAt(payload, name)
  const key = text('publication')
  const runAttempt = numberAt(payload, 'run_attempt')
  const deadline = numberAt(payload, 'deadline_seconds')
  if (!id || Number.isNaN(createdAt) || key === '' || !runAttempt || !deadline) {
    const name = String(at(value, 'id') ?? at(value, 'url') ?? 'without an id')
    throw new Error(
      `Deployment ${name} of the environment ${environment} cannot be read: its id, date or payload is ` +
        'not as this action writes them. If it is not a version of yours, delete it.'
    )
  }
  const run = { nonce: text('nonce'), runId: text('run_id'), runAttempt, job: text('job') }
  const claimant = { ...run, commit: text('commit'), fileName: text('file_name'), deadline }
  return { key, ref: textAt(value, 'ref'), claim: { id, createdAt, claimant } }
}

function parseStatus(value: unknown, deployment: number) {
  const id = numberAt(value, 'id')
  const state = textAt(value, 'state')
  const description = textAt(value, 'description')
  const environmentUrl = textAt(value, 'environment_url')
  if (id !== undefined && state !== '') return { id, state, description, environmentUrl }
  throw new Error(`a status of deployment ${deployment} has no id or no state`)
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key)
  return typeof found === 'number' ? found : undefined
}
