// The memory on GitHub: a publication's claims as deployments of their own environment and task.
import type { Claim, Claimant, Status } from './ledger.ts'
import { AnswerLost, type Deployments } from './steps.ts'

/** What is published: the same four are the same publication. */
export interface Publication {
  /** Normalised base address of the service. */
  readonly baseUrl: string
  readonly product: number
  readonly benefit?: number
  readonly versionName: string
}

/** GitHub, as this room needs it. */
export interface Api {
  read(
    route: string,
    parameters: Readonly<Record<string, unknown>>
  ): Promise<{ data: unknown; now: number }>
  write(
    route: string,
    parameters: Readonly<Record<string, unknown>>
  ): Promise<{ data: unknown; now: number }>
  readAll(
    route: string,
    parameters: Readonly<Record<string, unknown>>
  ): Promise<{ items: readonly unknown[]; now: number }>
}

const TASK = 'publish-version'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const STATUSES = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'
const ADD_STATUS = 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, product, benefit }: Publication): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** What tells a publication from every other, the version of the same product included. */
export function keyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

/**
 * The deployments of a publication. `ref` is the tag. `isLost` says whether an error leaves open if the
 * write had its effect.
 */
export function openDeployments(
  api: Api,
  publication: Publication,
  ref: string,
  isLost: (error: unknown) => boolean
): Deployments {
  const environment = environmentOf(publication)
  const key = keyOf(publication)

  const history: Deployments['history'] = async id => {
    const { items, now } = await api
      .readAll(STATUSES, { deployment_id: id })
      .catch((cause: unknown) => unreadable(id, cause))
    const statuses = items.map(parseStatus).toSorted((a, b) => a.id - b.id)
    return { statuses, now: dated(now) }
  }
  const look: Deployments['look'] = async () => {
    const { items, now } = await api.readAll(LIST, { environment, task: TASK })
    const ours = items.map(item => parseClaim(item, key)).filter(claim => claim !== undefined)
    // A deployment made between two pages moves the last of the first page onto the second.
    const single = new Map(ours.map(claim => [claim.id, claim]))
    const claims: Claim[] = []
    let until = dated(now)
    for (const claim of [...single.values()].toSorted((a, b) => a.id - b.id)) {
      const { statuses, now: later } = await history(claim.id)
      claims.push({ ...claim, statuses })
      until = later
    }
    return { claims, now, until }
  }
  const create = async (claimant: Claimant): Promise<number> => {
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
        if (isLost(cause)) throw new AnswerLost('GitHub did not answer the claim', { cause })
        throw cause
      })
    const id = numberAt(reply.data, 'id')
    if (id === undefined) throw new AnswerLost('GitHub answered the claim without its id')
    return id
  }
  const record: Deployments['record'] = async (id, state, description, link) => {
    const url = link === undefined ? {} : { environment_url: link }
    const parameters = { deployment_id: id, state, description, ...url, auto_inactive: false }
    await api.write(ADD_STATUS, parameters)
  }
  return { look, history, create, record }
}

/** The list can be read: a history that cannot is no missing permission, whatever its status says. */
function unreadable(id: number, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new Error(`The history of deployment ${id} could not be read: ${reason}`, { cause })
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

/** A claim without its history; undefined for a deployment of something else. */
function parseClaim(value: unknown, key: string): Omit<Claim, 'statuses'> | undefined {
  const payload = parsePayload(at(value, 'payload'))
  const id = numberAt(value, 'id')
  const createdAt = Date.parse(textAt(value, 'created_at'))
  if (textAt(payload, 'publication') !== key || id === undefined || Number.isNaN(createdAt)) {
    return undefined
  }
  const claimant = {
    nonce: textAt(payload, 'nonce'),
    runId: textAt(payload, 'run_id'),
    runAttempt: numberAt(payload, 'run_attempt') ?? 0,
    job: textAt(payload, 'job'),
    commit: textAt(payload, 'commit'),
    fileName: textAt(payload, 'file_name'),
    deadline: numberAt(payload, 'deadline_seconds') ?? 0
  }
  return { id, createdAt, claimant }
}

/** GitHub gives a payload back as it was sent, or as a string of JSON. */
function parsePayload(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

function parseStatus(value: unknown): Status {
  return {
    id: numberAt(value, 'id') ?? 0,
    state: textAt(value, 'state'),
    description: textAt(value, 'description'),
    environmentUrl: textAt(value, 'environment_url')
  }
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
