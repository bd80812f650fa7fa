// The memory on GitHub: a publication's claims as deployments of their own environment and task.
import type { GitHub } from '../github/github.ts'
import { at, textAt } from '../runner/values.ts'
import {
  type Claim,
  type Claimant,
  type Listed,
  type RunOf,
  type Standing,
  type Status,
  standingOf
} from './ledger.ts'
import { AnswerLost, type Deployments, type History, look } from './steps.ts'

/** What versions are published to. */
export interface Shelf {
  /** Normalised base address of the service. */
  readonly baseUrl: string
  readonly product: number
  readonly benefit?: number
}

/** What is published: the same four are the same publication. */
export interface Publication extends Shelf {
  readonly versionName: string
}

/** GitHub, as it is needed here. */
export type Api = Pick<GitHub, 'read' | 'write' | 'readAll'>

/** A server such as Gitea or Forgejo, which knows repositories, and no deployments. */
export class NoDeployments extends Error {
  override readonly name = 'NoDeployments'
}

const TASK = 'publish-version'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, product, benefit }: Shelf): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** What tells a publication from every other, the version of the same product included. */
export function keyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

/** What the memory has of every version of a product or benefit. */
export interface Versions {
  /** Those that were ever claimed, the newest claim first. */
  readonly names: readonly string[]
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number
  standing(versionName: string): Promise<Standing>
  /** The claim of the newest version that was published; undefined when the memory knows none. */
  newestPublished(): Promise<Claim | undefined>
}

/** Reads the list of all claims; no histories yet. */
export async function openVersions(api: Api, shelf: Shelf, run: RunOf): Promise<Versions> {
  const { items, now } = await listAll(api, environmentOf(shelf))
  const ofShelf = items.filter(({ key, versionName }) => keyOf({ ...shelf, versionName }) === key)
  const names = [...new Set(ofShelf.map(({ versionName }) => versionName).toReversed())]
  const standing = async (versionName: string) => {
    const claims = claimsOn(keyOf({ ...shelf, versionName }), items)
    const list = async () => ({ claims, now })
    return standingOf(await look({ list, history: id => readHistory(api, id) }, run))
  }
  const newestPublished = async () => {
    for (const name of names) {
      const found = await standing(name)
      if (found.state === 'published') return found.claim
    }
    return undefined
  }
  return { names, now, standing, newestPublished }
}

/** The deployments of a publication. `ref` is the tag. */
export function openDeployments(api: Api, publication: Publication, ref: string): Deployments {
  const environment = environmentOf(publication)
  const key = keyOf(publication)
  return {
    list: async () => {
      const { items, now } = await listAll(api, environment)
      return { claims: claimsOn(key, items), now }
    },
    history: id => readHistory(api, id),
    create: async claimant => {
      const deployment = {
        ...{ ref, task: TASK, environment, payload: payloadOf(key, claimant) },
        description: `Version of product ${publication.product}`,
        ...{ auto_merge: false, required_contexts: [], production_environment: false }
      }
      const reply = await api.write(CREATE, deployment).catch((cause: unknown) => {
        // Without an answer, or with a 5xx, it may have had its effect.
        if ((statusOf(cause) ?? 500) < 500) throw cause
        throw new AnswerLost('GitHub did not answer the claim', { cause })
      })
      const id = numberAt(reply.data, 'id')
      if (id === undefined) throw new AnswerLost('GitHub answered the claim without its id')
      return id
    },
    record: async (id, state, description, link) => {
      const url = link === undefined ? {} : { environment_url: link }
      const status = { deployment_id: id, state, description, ...url, auto_inactive: false }
      const { data, now } = await api.write(`POST ${STATUSES}`, status)
      if (numberAt(data, 'id') !== undefined) return dated(now)
      throw new Error(`GitHub answered the status "${state}" without its id`)
    }
  }
}

/** A claim, and the key and the version name of its publication. */
interface Item {
  readonly key: string
  readonly versionName: string
  readonly claim: Listed
}

function claimsOn(key: string, items: readonly Item[]): readonly Listed[] {
  return items.filter(item => item.key === key).map(({ claim }) => claim)
}

/** All claims of an environment, of every version, lowest id first. */
async function listAll(api: Api, environment: string) {
  const { items, now } = await api
    .readAll(LIST, { environment, task: TASK })
    .catch((error: unknown) => explainList(api, error))
  const parsed = items.map(item => parseItem(item, environment))
  // A deployment made between two pages moves the last of the first page onto the second.
  const single = new Map(parsed.map(item => [item.claim.id, item]))
  const sorted = [...single.values()].toSorted((a, b) => a.claim.id - b.claim.id)
  return { items: sorted, now: dated(now) }
}

async function explainList(api: Api, error: unknown): Promise<never> {
  if (statusOf(error) !== 404) throw error
  await api.read('GET /repos/{owner}/{repo}').catch(() => {
    throw error
  })
  const message = 'this server has no deployments, which remember what is published'
  throw new NoDeployments(message, { cause: error })
}

async function readHistory(api: Api, id: number): Promise<History | undefined> {
  try {
    const { items, now } = await api.readAll(`GET ${STATUSES}`, { deployment_id: id })
    const statuses = items.map(item => parseStatus(item, id)).toSorted((a, b) => a.id - b.id)
    return { statuses, now: dated(now) }
  } catch (cause) {
    if (statusOf(cause) === 404) return undefined
    // The list can be read: this is no missing permission, whatever its status says.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The history of deployment ${id} could not be read: ${reason}`, { cause })
  }
}

/** No other clock than GitHub's will do. */
function dated(now: number): number {
  if (Number.isNaN(now)) throw new Error('GitHub’s answer has no date')
  return now
}

function payloadOf(key: string, claimant: Claimant) {
  return {
    publication: key,
    nonce: claimant.nonce,
    run_id: claimant.runId,
    run_attempt: claimant.runAttempt,
    job: claimant.job,
    commit: claimant.commit,
    file_name: claimant.fileName,
    deadline_seconds: claimant.deadline
  }
}

/** A deployment of ours. One that cannot be read may be a claim on any version, so it stops the run. */
function parseItem(value: unknown, environment: string): Item {
  const given = at(value, 'payload')
  // GitHub gives a payload back as it was sent, older servers as a string of JSON.
  const payload = typeof given === 'string' ? parseJson(given) : given
  const id = numberAt(value, 'id')
  const createdAt = Date.parse(textAt(value, 'created_at'))
  const key = textAt(payload, 'publication')
  const runAttempt = numberAt(payload, 'run_attempt')
  const deadline = numberAt(payload, 'deadline_seconds')
  if (!id || Number.isNaN(createdAt) || key === '' || !runAttempt || !deadline) {
    const name = String(at(value, 'id') ?? at(value, 'url') ?? 'without an id')
    throw new Error(
      `Deployment ${name} of the environment ${environment} cannot be read: its id, date or payload is ` +
        'not as this action writes them. If it is not a version of yours, delete it.'
    )
  }
  const claimant = {
    nonce: textAt(payload, 'nonce'),
    runId: textAt(payload, 'run_id'),
    runAttempt,
    job: textAt(payload, 'job'),
    commit: textAt(payload, 'commit'),
    fileName: textAt(payload, 'file_name'),
    deadline
  }
  return { key, versionName: textAt(parseJson(key), '3'), claim: { id, createdAt, claimant } }
}

function parseStatus(value: unknown, deployment: number): Status {
  const id = numberAt(value, 'id')
  const state = textAt(value, 'state')
  if (id === undefined || state === '') {
    throw new Error(`a status of deployment ${deployment} has no id or no state`)
  }
  const [description, environmentUrl] = [
    textAt(value, 'description'),
    textAt(value, 'environment_url')
  ]
  return { id, state, description, environmentUrl }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function statusOf(error: unknown): number | undefined {
  return numberAt(error, 'status')
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key)
  return typeof found === 'number' ? found : undefined
}
