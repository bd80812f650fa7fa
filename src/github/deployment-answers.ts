// Deployments and their statuses: how GitHub gives them, and what is read of that. Pure.
import { at, numberAt, parseJson, textAt } from '../runner/json.ts'

/** A deployment; what is missing, or not in GitHub's form, is undefined, or empty. */
export interface DeploymentAnswer {
  readonly id: number | undefined
  /** In milliseconds since 1970. */
  readonly createdAt: number | undefined
  readonly ref: string
  /** Any JSON: people can write it, too. */
  readonly payload: unknown
}

/** A status of a deployment, in the same way. */
export interface StatusAnswer {
  readonly id: number | undefined
  /** In milliseconds since 1970. */
  readonly createdAt: number | undefined
  readonly state: string
  readonly description: string
}

/** Reads a deployment. */
export function parseDeployment(value: unknown): DeploymentAnswer {
  const payload = at(value, 'payload')
  return {
    id: idIn(value),
    createdAt: dateIn(value),
    ref: textAt(value, 'ref'),
    // GitHub gives it back as it was sent, older servers as a string of JSON.
    payload: typeof payload === 'string' ? parseJson(payload) : payload
  }
}

/** Reads a status of a deployment. */
export function parseDeploymentStatus(value: unknown): StatusAnswer {
  return {
    id: idIn(value),
    createdAt: dateIn(value),
    state: textAt(value, 'state'),
    description: textAt(value, 'description')
  }
}

/** The id of what GitHub answers; undefined without one. */
function idIn(value: unknown): number | undefined {
  const id = numberAt(value, 'id')
  return isCount(id) ? id : undefined
}

/** Whether a number may be an id or a count: GitHub never gives them as 0. */
export function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0
}

/** When it was created; undefined unless it is in GitHub's form of a date. */
function dateIn(value: unknown): number | undefined {
  const text = textAt(value, 'created_at')
  const date = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}
