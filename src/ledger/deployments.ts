// The memory on GitHub: a publication's claims as deployments of their own environment and task.
import type { Claimant, Listed, Status } from './ledger.ts'
import { AnswerLost, type Deployments, type History } from './steps.ts'

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

type Parameters = Readonly<Record<string, unknown>>

/** GitHub, as it is needed here. An error has a `status` when GitHub answered. `now` is GitHub's time. */
export interface Api {
  read(route: string, parameters: Parameters): Promise<{ data: unknown; now: number }>
  write(route: string, parameters: Parameters): Promise<{ data: unknown; now: number }>
  readAll(
    route: string,
    parameters: Parameters
  ): Promise<{ items: readonly unknown[]; now: number }>
}

/** A server such as Gitea or Forgejo, which knows repositories, and no deployments. */
export class NoDeployments extends Error {
  override readonly name = 'NoDeployments'
}

const TASK = 'publish-version'
const REPOSITORY = 'GET /repos/{owner}/{repo}'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'
const ADD_STATUS = 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, product, benefit }: Shelf): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** What tells a publication from every other, the version of the same product included. */
export function keyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

/** A version that was claimed, with its deployments to read. */
export interface ClaimedVersion {
  readonly versionName: string
  readonly deployments: Pick<Deployments, 'list' | 'history'>
}

/**
 * Every version that was ever claimed, the newest claim first, and the time by GitHub's clock: one list, and
 * no histories yet.
 */
export async function listVersions(
  api: Api,
  shelf: Shelf
): Promise<{ readonly versions: readonly ClaimedVersion[]; readonly now: number }> {
  const { items, now } = await listAll(api, environmentOf(shelf))
  const byKey = Map.groupBy(items.toReversed(), ({ key }) => key)
  const versions = [...byKey].flatMap(([key, ofVersion]) => {
    const versionName = versionIn(key, shelf)
    const claims = ofVersion.map(({ claim }) => claim).toReversed()
    const list = async () => ({ claims, now })
    const history = (id: number) => readHistory(api, id)
    return versionName === undefined ? [] : [{ versionName, deployments: { list, history } }]
  })
  return { versions, now }
}

/** The version in a key; undefined when the key is that of another shelf. */
function versionIn(key: string, shelf: Shelf): string | undefined {
  const parts = parseJson(key)
  const versionName: unknown = Array.isArray(parts) ? parts[3] : undefined
  if (typeof versionName !== 'string') return undefined
  return keyOf({ ...shelf, versionName }) === key ? versionName : undefined
}

/** The deployments of a publication. `ref` is the tag. */
export function openDeployments(api: Api, publication: Publication, ref: string): Deployments {
  const environment = environmentOf(publication)
  const key = keyOf(publication)
  return {
    list: async () => {
      const { items, now } = await listAll(api, environment)
      const claims = items.filter(item => item.key === key).map(({ claim }) => claim)
      return { claims, now }
    },
    history: id => readHistory(api, id),
    create: async claimant => {
      const reply = await api
        .write(CREATE, {
          ref,
          task: TASK,
          environment,
          payload: payloadOf(key, claimant),
          description: `Version of product ${publication.product}`,
          auto_merge: false,
          required_contexts: [],
          production_environment: false
        })
        .catch((cause: unknown) => {
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
      const parameters = { deployment_id: id, state, description, ...url, auto_inactive: false }
      const { now } = await api.write(ADD_STATUS, parameters)
      return dated(now)
    }
  }
}

/** All claims of an environment, of every version, lowest id first; each with its publication's key. */
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

async function readHistory(api: Api, id: number): Promise<History | undefined> {
  try {
    const { items, now } = await api.readAll(STATUSES, { deployment_id: id })
    const statuses = items.map(item => parseStatus(item, id)).toSorted((a, b) => a.id - b.id)
    return { statuses, now: dated(now) }
  } catch (cause) {
    if (statusOf(cause) === 404) return undefined
    // The list can be read: this is no missing permission, whatever its status says.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The history of deployment ${id} could not be read: ${reason}`, { cause })
  }
}

async function explainList(api: Api, error: unknown): Promise<never> {
  if (statusOf(error) !== 404) throw error
  await api.read(REPOSITORY, {}).catch(() => {
    throw error
  })
  const message = 'this server has no deployments, which remember what is published'
  throw new NoDeployments(message, { cause: error })
}

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
function parseItem(value: unknown, environment: string): { key: string; claim: Listed } {
  const id = numberAt(value, 'id')
  const payload = readPayload(at(value, 'payload'))
  const createdAt = Date.parse(textAt(value, 'created_at'))
  const key = textAt(payload, 'publication')
  const runAttempt = numberAt(payload, 'run_attempt')
  const deadline = numberAt(payload, 'deadline_seconds')
  const isComplete = runAttempt !== undefined && deadline !== undefined && key !== ''
  if (id === undefined || Number.isNaN(createdAt) || !isComplete) {
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
  return { key, claim: { id, createdAt, claimant } }
}

/** GitHub gives a payload back as it was sent, or as a string of JSON. */
function readPayload(payload: unknown): unknown {
  return typeof payload === 'string' ? parseJson(payload) : payload
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseStatus(value: unknown, deployment: number): Status {
  const id = numberAt(value, 'id')
  const state = textAt(value, 'state')
  if (id === undefined || state === '') {
    throw new Error(`a status of deployment ${deployment} has no id or no state`)
  }
  return {
    id,
    state,
    description: textAt(value, 'description'),
    environmentUrl: textAt(value, 'environment_url')
  }
}

function statusOf(error: unknown): number | undefined {
  return numberAt(error, 'status')
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function textAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string' ? found : ''
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key)
  return typeof found === 'number' ? found : undefined
}
