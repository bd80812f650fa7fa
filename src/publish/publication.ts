// One publication: everything that would be sent, once it is found, inspected and written. Frozen when it is made.
import { createHash } from 'node:crypto'
import type { Artifact } from '../files/artifact.ts'
import type { PresentRun } from '../ledger/claim-format.ts'
import type { Names } from '../release/tag.ts'
import type { TaggedRelease } from '../release/tagged.ts'
import type { RunContext } from '../runner/runner.ts'
import { FORM_FIELDS, type FormField, type TextSource, type VersionFields } from '../shop/form.ts'
import type { Route } from '../shop/request.ts'
import type { PublishConfig } from './config.ts'

/** Which version it is, before its text and its file are known. */
export interface VersionIdentity {
  readonly route: Route
  readonly tagged: TaggedRelease
  /** The values for templates: the tag, the version in it, and the release's name. */
  readonly names: Names
  readonly versionName: string
  readonly title: string
  /** The commit that the tag names; empty if it is unknown. */
  readonly commit: string
}

/** Everything that is sent for a version, and where it comes from. */
export interface Publication extends VersionIdentity, VersionFields {
  readonly textSource: TextSource
  /** The pieces that were taken out of the changelog, as they were written. */
  readonly removed: readonly string[]
  readonly file: Artifact
  /** The file's, in hexadecimal digits. */
  readonly sha256: string
  /** The contents of an archive, in a line; empty for other files. */
  readonly contents: string
}

/** A run with the file that it would send, to be compared with what is recorded. */
export function presentRunOf(
  { runId, runAttempt, job, isAct }: RunContext,
  { commit, sha256, file }: Publication
): PresentRun {
  return { runId, runAttempt, job, isAct, commit, sha256, filePath: file.path }
}

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** One thing that a plan approves. */
export interface PlanPart {
  readonly name: string
  readonly value: string | number | null
}

/** All that a plan approves: each thing that would be sent, and where to, in the order that the digest depends on. */
export function partsOf(config: PublishConfig, publication: Publication): readonly PlanPart[] {
  const { product, benefit = null } = publication.route
  const { before, after } = config.base64File
  const template = config.upload === 'base64' ? `${before}{base64}${after}` : null
  return [
    { name: 'base_url', value: config.baseUrl },
    { name: 'product', value: product },
    { name: 'benefit', value: benefit },
    ...FORM_FIELDS.flatMap(field => partsOfField(field, publication)),
    { name: 'upload', value: config.upload },
    { name: 'base64_file', value: template }
  ]
}

function partsOfField(field: FormField, publication: Publication): PlanPart[] {
  if (field.kind === 'file') {
    const { file, sha256 } = publication
    return [
      { name: `${field.name}_name`, value: file.name },
      { name: 'size', value: file.size },
      { name: 'sha256', value: sha256 }
    ]
  }

  const text = String(field.value(publication))
  return field.planned === 'sha256'
    ? [{ name: `${field.name}_sha256`, value: digestOf(text) }]
    : [{ name: field.name, value: text }]
}

/** The digest of a plan: the same for the same publication, another if anything that is sent differs. */
export function planDigestOf(parts: readonly PlanPart[]): string {
  const values = Object.fromEntries(parts.map(({ name, value }) => [name, value]))
  return digestOf(JSON.stringify(values))
}

/** The parts for people: names and values. */
export function tableOfParts(parts: readonly PlanPart[]): readonly (readonly string[])[] {
  return parts.map(({ name, value }) => [name, String(value ?? 'none')])
}
