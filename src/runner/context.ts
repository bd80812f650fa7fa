// What the runner's environment says about the run, and which credentials stand in it. Pure.

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
  readonly job: string
  readonly sha: string
  readonly workspace: string
  readonly temp: string
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
    job: value('GITHUB_JOB'),
    sha: value('GITHUB_SHA'),
    workspace: value('GITHUB_WORKSPACE', folder),
    temp: value('RUNNER_TEMP')
  }
}

/** A proxy's password stands in its address; error messages may quote it, in any of these forms. */
export function proxySecrets(env: Environment): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  const secrets = names.flatMap(name => {
    const value = env[name] ?? ''
    // Without a scheme, what stands before the colon would be taken for one.
    const address = value.includes('://') ? value : `http://${value}`
    if (!URL.canParse(address)) return []
    const { username, password } = new URL(address)
    if (password === '') return []
    const [user, word] = [decode(username), decode(password)]
    const written = address.slice(address.indexOf('://') + 3, address.lastIndexOf('@'))
    const asWritten = written.slice(written.indexOf(':') + 1)
    return [password, word, asWritten, Buffer.from(`${user}:${word}`).toString('base64')]
  })
  return [...new Set(secrets)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
