// What the runner says about the run: its environment, and the event's payload.
import { readFile } from 'node:fs/promises'

export type Environment = Readonly<Record<string, string | undefined>>

/** What the runner says about this run; absent values are empty. */
export type RunContext = Readonly<ReturnType<typeof contextOf>>

/** Reads the context; without a workspace, it is the folder that the process runs in. */
export function contextOf(env: Environment, folder: string) {
  const value = (name: string, fallback = '') => env[name] || fallback
  return {
    eventName: value('GITHUB_EVENT_NAME'),
    ref: value('GITHUB_REF'),
    /** Such as `octocat/hello`. */
    repository: value('GITHUB_REPOSITORY'),
    apiUrl: value('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: value('GITHUB_SERVER_URL', 'https://github.com'),
    runId: value('GITHUB_RUN_ID'),
    runAttempt: Number(value('GITHUB_RUN_ATTEMPT')) || 1,
    /** Under nektos/act, which gives every run the id 1 and the attempt 1. */
    isAct: value('ACT') !== '',
    job: value('GITHUB_JOB'),
    sha: value('GITHUB_SHA'),
    workspace: value('GITHUB_WORKSPACE', folder),
    temp: value('RUNNER_TEMP'),
    /** The repository of this action, and what stands behind the `@`; empty for an action of the same repository. */
    actionRepository: value('GITHUB_ACTION_REPOSITORY'),
    actionRef: value('GITHUB_ACTION_REF')
  }
}

/** The event file is not there, or is no JSON. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError'
}

/** The payload, or an empty one when no file is named. Throws an `EventFileError` that quotes the path. */
export async function readPayload(path: string): Promise<unknown> {
  if (path === '') return {}
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EventFileError(`The event file "${path}" cannot be read: ${reason}`, { cause })
  }
}
