// What the runner's environment says about the run. Pure.

/** What the runner says about this run. Absent values are empty. */
export interface RunContext {
  readonly eventName: string
  readonly ref: string
  /** Such as `octocat/hello`. */
  readonly repository: string
  readonly apiUrl: string
  readonly serverUrl: string
  readonly runId: string
  readonly runAttempt: number
  /** Under nektos/act, which gives every run the id 1 and the attempt 1. */
  readonly isAct: boolean
  readonly job: string
  readonly sha: string
  readonly workspace: string
  readonly temp: string
  /** The repository of this action, and what stands behind the `@`; empty for an action of the same repository. */
  readonly actionRepository: string
  readonly actionRef: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the context; without a workspace, it is the folder that the process runs in. */
export function contextOf(env: Environment, folder: string): RunContext {
  const value = (name: string, fallback = '') => env[name] || fallback
  return {
    eventName: value('GITHUB_EVENT_NAME'),
    ref: value('GITHUB_REF'),
    repository: value('GITHUB_REPOSITORY'),
    apiUrl: value('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: value('GITHUB_SERVER_URL', 'https://github.com'),
    runId: value('GITHUB_RUN_ID'),
    runAttempt: Number(value('GITHUB_RUN_ATTEMPT')) || 1,
    isAct: value('ACT') !== '',
    job: value('GITHUB_JOB'),
    sha: value('GITHUB_SHA'),
    workspace: value('GITHUB_WORKSPACE', folder),
    temp: value('RUNNER_TEMP'),
    actionRepository: value('GITHUB_ACTION_REPOSITORY'),
    actionRef: value('GITHUB_ACTION_REF')
  }
}
