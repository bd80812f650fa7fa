// The format of a claim: a deployment's payload and its statuses, written and read in pairs. One run writes them, a later one
// reads them; but anybody with the permission may have written them, so nothing is taken on trust. Pure.
import type { FileDigest } from '../files/artifact.ts'
import { type DeploymentAnswer, isCount, type StatusAnswer } from '../github/deployment-answers.ts'
import { ActionError } from '../runner/action-error.ts'
import { numberAt, parseJson, textAt } from '../runner/json.ts'
import type { Route } from '../shop/request.ts'
import {
  type Claim,
  FILE_SOURCES,
  type FileSource,
  type ListedClaim,
  type Status
} from './rules.ts'

/** A product or a benefit of a shop. */
export interface ShopProduct {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
  readonly route: Route
}

/** The environment of a product, such as `shop.example.com/products/12/benefits/34`. */
export function environmentOf({ baseUrl, route: { product, benefit } }: ShopProduct): string {
  const benefitPath = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${new URL(baseUrl).host}/products/${product}${benefitPath}`
}

/**
 * A version's name as it is compared: without characters that nobody can see (Unicode, UAX #44), then in NFC. One of them may
 * stand between a letter and its accent.
 */
export function comparableName(versionName: string): string {
  return versionName.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFC')
}

/** The text that identifies a publication, such as `["https://shop.example.com",12,null,"1.2.0"]`. */
export function publicationKeyOf({ baseUrl, route }: ShopProduct, versionName: string): string {
  const { product, benefit = null } = route
  return JSON.stringify([baseUrl, product, benefit, versionName])
}

/** The form of a payload, which outlives this version of the action: old and new versions share one record. */
const FORMAT = 1

/** The payload of a claim. `versionName`: as `comparableName` gives it. */
export function payloadOf(
  product: ShopProduct,
  { versionName, tag, claimant }: Pick<ListedClaim, 'versionName' | 'tag' | 'claimant'>
) {
  return {
    format: FORMAT,
    publication: publicationKeyOf(product, versionName),
    tag,
    run_id: claimant.runId,
    run_attempt: claimant.runAttempt,
    job: claimant.job,
    commit: claimant.commit,
    title: claimant.title,
    source: claimant.fileSource,
    file_name: claimant.fileName,
    file_path: claimant.filePath,
    sha256: claimant.sha256
  }
}

/** A run's id goes into links. */
const RUN_ID = /^\d{0,20}$/

const DIGEST = /^[\da-f]{64}$/

/** No text of a payload of ours is longer: a title has 255 characters at most. */
const TEXT_MAX_LENGTH = 510

/**
 * Reads the claim in a deployment of a product's environment; undefined if it is for another base URL on the same host.
 * Throws an `ActionError` for one that may claim any version.
 */
export function parseClaim(
  { id, createdAt, ref, payload }: DeploymentAnswer,
  product: ShopProduct
): ListedClaim | undefined {
  if ((numberAt(payload, 'format') ?? FORMAT) > FORMAT) throw explainNewerFormat(id, product)

  const runId = textAt(payload, 'run_id')
  const runAttempt = numberAt(payload, 'run_attempt')
  const publication = parsePublication(textAt(payload, 'publication'), product)
  const isOurs = publication !== undefined && RUN_ID.test(runId)
  if (!id || createdAt === undefined || !isOurs || !isCount(runAttempt)) {
    throw explainForeign(id, product)
  }
  if (publication.baseUrl !== product.baseUrl) return undefined

  const text = (name: string) => cutToFit(textAt(payload, name), TEXT_MAX_LENGTH)
  return {
    id,
    createdAt,
    versionName: comparableName(publication.versionName),
    tag: text('tag') || ref,
    claimant: {
      runId,
      runAttempt,
      job: text('job'),
      commit: text('commit'),
      title: text('title'),
      fileSource: parseFileSource(textAt(payload, 'source')),
      fileName: text('file_name'),
      filePath: text('file_path'),
      sha256: DIGEST.exec(textAt(payload, 'sha256'))?.[0] ?? ''
    }
  }
}

function parseFileSource(text: string): FileSource | undefined {
  return FILE_SOURCES.find(source => source === text)
}

/** The version that a publication's key names, as it was written, and the shop; undefined unless the key is one of this product's. */
function parsePublication(
  key: string,
  product: ShopProduct
): { baseUrl: string; versionName: string } | undefined {
  const parts = parseJson(key)
  const [baseUrl, , , versionName]: unknown[] = Array.isArray(parts) ? parts : []
  if (typeof baseUrl !== 'string' || typeof versionName !== 'string') return undefined

  const isSameHost = URL.parse(baseUrl)?.host === new URL(product.baseUrl).host
  const isWhole = key === publicationKeyOf({ ...product, baseUrl }, versionName)
  return isSameHost && isWhole ? { baseUrl, versionName } : undefined
}

/** The error of a claim of a later format: it may claim any version. */
function explainNewerFormat(id: number | undefined, product: ShopProduct): ActionError {
  const message = `${describeDeployment(id, product)} was written by a newer version of this action, in a form that this one cannot read.`
  return new ActionError('github', message, { advice: 'Use the newer version here, too.' })
}

function explainForeign(id: number | undefined, product: ShopProduct): ActionError {
  const message = `${describeDeployment(id, product)} was not written by this action, or was changed since.`
  return new ActionError('github', message, {
    advice:
      'If its version is in the shop, note which one. Delete the deployment, and press *Re-run failed jobs*.'
  })
}

function describeDeployment(id: number | undefined, product: ShopProduct): string {
  return `Deployment ${id ?? 'without an id'} of the environment ${environmentOf(product)}`
}

const OURS = 'publish-version: '

/** Reads a status; undefined for one of another tool. Throws an `ActionError` if one of ours has no id or no date. */
export function parseStatus(
  { id, createdAt, state, description }: StatusAnswer,
  deployment: number
): Status | undefined {
  if (!description.startsWith(OURS)) return undefined
  if (id !== undefined && createdAt !== undefined) return { id, state, description, createdAt }

  const message = `GitHub gives a status of deployment ${deployment} without an id or a date.`
  throw new ActionError('github', message, { advice: 'Press *Re-run failed jobs*.' })
}

/** GitHub takes no longer description. */
const DESCRIPTION_MAX_CHARACTERS = 140

/** The description of `in_progress`. */
export function describeSending({ sha256, size }: FileDigest): string {
  return `${OURS}sending sha256:${sha256} ${size} bytes`
}

/** The description of `success`. */
export function describePublished(versionId: string, sha256: string): string {
  return `${OURS}published as ${versionId} sha256:${sha256}`
}

/** The description of `failure`, or of `error` for `unknown`; a long reason is cut. */
export function describeEnd(end: 'not published' | 'unknown', why: string): string {
  return `${OURS}${end} (${cutToFit(why, DESCRIPTION_MAX_CHARACTERS - OURS.length - end.length - 3)})`
}

/** The finding of a person who looked into the shop. */
export type Mark = 'published' | 'not published'

/**
 * The description of a mark.
 * @param runId The run that marks.
 * @param sha256 Of the version's file; empty if none was named.
 */
export function describeMark(mark: Mark, runId: string, sha256 = ''): string {
  return `${OURS}marked ${mark} by run ${runId}${sha256 && ` sha256:${sha256}`}`
}

/** Cuts a text to at most `room` characters. No surrogate pair is split. */
function cutToFit(text: string, room: number): string {
  if (text.length <= room) return text
  // Counted in UTF-16 units, of which there are never fewer than characters.
  const kept = text.slice(0, room - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** A version as it is recorded. */
export interface RecordedVersion {
  /** Each text is empty if it is not recorded. */
  readonly versionId: string
  readonly sha256: string
  readonly title: string
  readonly fileName: string
  /** In bytes. */
  readonly size: number | undefined
  /** The id of the run by which a person marked it as published; empty if a run has published it. */
  readonly markedBy: string
}

/** Reads what a claim and its statuses say of its version. */
export function recordedVersionOf({ statuses, claimant }: Claim): RecordedVersion {
  const find = (state: string, pattern: RegExp): readonly string[] => {
    const fitting = statuses.filter(status => status.state === state)
    return fitting.map(({ description }) => pattern.exec(description)).find(it => it !== null) ?? []
  }
  const [, versionId = ''] = find('success', /published as (-?(?:0|[1-9]\d*)) sha256:/)
  const [, ofSuccess = ''] = find('success', /sha256:([\da-f]{64})$/)
  const [, markedBy = ''] = find('success', /marked published by run (\d{1,20})(?!\d)/)
  const [, sha256 = '', size] = find('in_progress', /sha256:([\da-f]{64}) (\d{1,15}) bytes$/)

  return {
    versionId,
    // A success counts more than what was announced: a mark may name another build of the file.
    sha256: ofSuccess || sha256,
    title: claimant.title,
    fileName: claimant.fileName,
    size: size === undefined ? undefined : Number(size),
    markedBy: versionId === '' ? markedBy : ''
  }
}
