// What claims hold, as deployments and in the descriptions of their statuses: written by one run, read back and compared
// by a later one. Anybody with the permission may have written them. Pure.
import type { Digest } from '../file/reading.ts'
import { at, parseBaseUrl, parseJson, textAt } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import type { Claim, ListedClaim, RunOf, Status } from './ledger.ts'

/** In seconds: a claim's deadline is never written, and never believed, to be longer. */
export const LONGEST_DEADLINE = 86_400
/** In UTF-16 units. No text of a payload of ours is longer: a title has 255 characters at most. */
const LONGEST_TEXT = 510

/** Throws for an answer without a date: no other clock will do. */
export function dated(now: number): number {
  if (Number.isNaN(now)) throw new Error('GitHub’s answer has no date')
  return now
}

/** One version of a product or benefit. It is the same publication if all four are the same. */
export interface Publication extends Route {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
  readonly versionName: string
}

/** The environment of a publication, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({
  baseUrl,
  product,
  benefit
}: Omit<Publication, 'versionName'>): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${option}`
}

/** The text that identifies a publication, such as `["https://shop.example.com",12,null,"1.2.0"]`. */
export function publicationKeyOf({ baseUrl, product, benefit, versionName }: Publication): string {
  return JSON.stringify([baseUrl, product, benefit ?? null, versionName])
}

/** Reads a key, however it is spelled; undefined if it is none of a publication in that environment. */
function parsePublicationKey(key: string, environment: string) {
  const parts = parseJson(key)
  if (!Array.isArray(parts) || parts.length !== 4) return undefined
  const [address, product, benefit, versionName]: readonly unknown[] = parts
  const isVersion = typeof versionName === 'string' && versionName !== ''
  if (typeof address !== 'string' || typeof product !== 'number' || !isVersion) return undefined
  if (benefit !== null && typeof benefit !== 'number') return undefined
  try {
    const baseUrl = parseBaseUrl(address)
    const route = benefit === null ? { product } : { product, benefit }
    return environmentOf({ baseUrl, ...route }) === environment
      ? { baseUrl, versionName }
      : undefined
  } catch {
    return undefined
  }
}

/** A deployment with our environment and task is not as this action writes them; `id` is undefined if it has none. */
export class UnreadableClaim extends Error {
  override readonly name = 'UnreadableClaim'
  readonly id: number | undefined
  constructor(message: string, id: number | undefined) {
    super(message)
    this.id = id
  }
}

/** Narrows a deployment of an environment. Throws `UnreadableClaim` for one that may claim any version. */
export function parseClaim(
  value: unknown,
  environment: string
): ListedClaim & Pick<Publication, 'baseUrl'> {
  const given = at(value, 'payload')
  // GitHub gives a payload back as it was sent, older servers as a string of JSON.
  const payload = typeof given === 'string' ? parseJson(given) : given
  const id = numberAt(value, 'id')
  const createdAt = Date.parse(textAt(value, 'created_at'))
  const text = (name: string) => cutToFit(textAt(payload, name), LONGEST_TEXT)
  const publication = parsePublicationKey(textAt(payload, 'publication'), environment)
  const runAttempt = numberAt(payload, 'run_attempt')
  const deadline = numberAt(payload, 'deadline_seconds')
  if (!id || Number.isNaN(createdAt) || !publication || !runAttempt || !deadline) {
    const name =
      numberAt(value, 'id') ?? (textAt(value, 'id') || textAt(value, 'url') || 'without an id')
    throw new UnreadableClaim(
      `Deployment ${name} of the environment ${environment} cannot be read: its id, date or payload is ` +
        'not as this action writes them',
      id
    )
  }
  const run = { nonce: text('nonce'), runId: text('run_id'), runAttempt, job: text('job') }
  // Claims of earlier versions of this action have no title.
  const about = { commit: text('commit'), title: text('title'), fileName: text('file_name') }
  const claimant = { ...run, ...about, deadline: Math.min(deadline, LONGEST_DEADLINE) }
  const { baseUrl, versionName } = publication
  return { id, createdAt, baseUrl, versionName, tag: textAt(value, 'ref'), claimant }
}

/** Narrows a status. Throws if it has no id or no state. */
export function parseStatus(value: unknown, deployment: number): Status {
  const id = numberAt(value, 'id')
  const state = textAt(value, 'state')
  const description = textAt(value, 'description')
  const url = textAt(value, 'environment_url')
  // Whoever may write deployments may have put anything here.
  const environmentUrl = /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : ''
  if (id !== undefined && state !== '') return { id, state, description, environmentUrl }
  throw new Error(`a status of deployment ${deployment} has no id or no state`)
}

/** A member that is a number; undefined for anything else. */
export function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key)
  return typeof found === 'number' ? found : undefined
}

/** The present run and its file. Under nektos/act (`isAct`), every run has the same id and attempt. */
export interface Present extends RunOf, Pick<Digest, 'sha256'> {
  readonly isAct?: boolean
  readonly commit: string
}

/** `rebuilt`: other bytes from the same source, as few builds are reproducible; `different`: all the rest. */
export type ReplayVerdict = 'same' | 'rebuilt' | 'different'

/** Compares a published claim's file with this run's. Without a digest (settled by hand) it is the same. */
export function judgeReplay(claim: Claim, present: Present): ReplayVerdict {
  const { sha256 } = recordOf(claim)
  if (sha256 === '' || sha256 === present.sha256) return 'same'
  const { runId, runAttempt, commit } = claim.claimant
  const isSameRun = present.runId === runId && !present.isAct
  const isSameSource = present.commit !== '' && present.commit === commit
  // In one attempt, nothing is rebuilt: two of its jobs publish the same version by mistake.
  return (isSameRun ? present.runAttempt > runAttempt : isSameSource) ? 'rebuilt' : 'different'
}

/** In characters; GitHub takes no longer description. */
const DESCRIPTION_LIMIT = 140
const SENDING = /^sha256:([0-9a-f]{64}), (\d+) bytes$/
const PUBLISHED = /\bpublished as version (-?\d+)$/
/** What a `success` says of the file: it may show before the `in_progress`, which says more. */
const PUBLISHED_FILE =
  /(?:^| )sha256:([0-9a-f]{64}) (?:published as version -?\d+|settled as published by run \d+)$/

/** The description of `in_progress`, such as `sha256:…, 1024 bytes`. */
export function describeSending({ sha256, size }: Digest): string {
  return `sha256:${sha256}, ${size} bytes`
}

/** The description of `success`, such as `1.2.0 sha256:… published as version 34`; a long name is cut. */
export function describePublished(versionName: string, sha256: string, versionId: string): string {
  const published = ` published as version ${versionId}`
  const withFile = ` sha256:${sha256}${published}`
  // Of an id that fills the description, at least its beginning should be there.
  const end = withFile.length < DESCRIPTION_LIMIT ? withFile : published
  return cutToFit(`${cutToFit(versionName, DESCRIPTION_LIMIT - end.length)}${end}`)
}

/** The description of what a person found, such as `sha256:… settled as published by run 7`. */
export function describeFinding(kind: string, sha256: string, runId: string): string {
  const file = sha256 === '' ? '' : `sha256:${sha256} `
  return cutToFit(`${file}settled as ${kind} by run ${runId}`)
}

/** Cuts a text to at most `room` characters, by default GitHub's limit. No surrogate pair is split. */
export function cutToFit(text: string, room = DESCRIPTION_LIMIT): string {
  if (text.length <= room) return text
  if (room < 1) return ''
  // Counted in UTF-16 units, of which there are never fewer than characters.
  const kept = text.slice(0, room - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** What a claim holds about its version, as texts; empty if not recorded. */
export type ClaimRecord = Readonly<
  Record<'versionId' | 'sha256' | 'size' | 'title' | 'fileName' | 'downloadUrl', string>
>

/** Reads the record of a claim out of its statuses. */
export function recordOf({ statuses, claimant: { title, fileName } }: Claim): ClaimRecord {
  const find = (wanted: string, pattern: RegExp) => {
    const status = statuses.find(it => it.state === wanted && pattern.test(it.description))
    const [, ...parts] = pattern.exec(status?.description ?? '') ?? []
    return [status?.environmentUrl ?? '', ...parts]
  }
  const [, settled = ''] = find('success', PUBLISHED_FILE)
  const [, sha256 = settled, size = ''] = find('in_progress', SENDING)
  // Other tools may write a `success`, too; only ours has the download link as its address.
  const [downloadUrl = '', versionId = ''] = find('success', PUBLISHED)
  return { versionId, sha256, size, title, fileName, downloadUrl }
}
