// Reads claims and their statuses out of GitHub's answers, which anybody with the permission may have written. Pure.
import { at, parseJson, textAt } from '../runner/values.ts'
import type { ListedClaim, Status } from './ledger.ts'
import { cutToFit } from './record.ts'

/** In seconds: a claim's deadline is never written, and never believed, to be longer. */
export const LONGEST_DEADLINE = 86_400
/** In UTF-16 units. No text of a payload of ours is longer: a title has 255 characters at most. */
const LONGEST_TEXT = 510

/** Throws for an answer without a date: no other clock will do. */
export function dated(now: number): number {
  if (Number.isNaN(now)) throw new Error('GitHub’s answer has no date')
  return now
}

/** Narrows a deployment; `key` identifies its publication. Throws if it cannot be read: it may claim any version. */
export function parseClaim(
  value: unknown,
  environment: string
): ListedClaim & { readonly key: string } {
  const given = at(value, 'payload')
  // GitHub gives a payload back as it was sent, older servers as a string of JSON.
  const payload = typeof given === 'string' ? parseJson(given) : given
  const id = numberAt(value, 'id')
  const createdAt = Date.parse(textAt(value, 'created_at'))
  const text = (name: string) => cutToFit(textAt(payload, name), LONGEST_TEXT)
  const key = textAt(payload, 'publication')
  const runAttempt = numberAt(payload, 'run_attempt')
  const deadline = numberAt(payload, 'deadline_seconds')
  if (!id || Number.isNaN(createdAt) || key === '' || !runAttempt || !deadline) {
    const name =
      numberAt(value, 'id') ?? (textAt(value, 'id') || textAt(value, 'url') || 'without an id')
    throw new Error(
      `Deployment ${name} of the environment ${environment} cannot be read: its id, date or payload is ` +
        'not as this action writes them. If it is not a version of yours, delete it.'
    )
  }
  const run = { nonce: text('nonce'), runId: text('run_id'), runAttempt, job: text('job') }
  // Claims of earlier versions of this action have no title.
  const about = { commit: text('commit'), title: text('title'), fileName: text('file_name') }
  const claimant = { ...run, ...about, deadline: Math.min(deadline, LONGEST_DEADLINE) }
  // The last item of `publicationKeyOf`.
  const versionName = textAt(parseJson(key), '3')
  return { id, createdAt, key, versionName, tag: textAt(value, 'ref'), claimant }
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
