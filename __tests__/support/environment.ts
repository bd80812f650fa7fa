// Owns what a step finds when it starts: the variables and the files that the runner prepares.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { arch, env as own, platform } from 'node:process'

// A child needs the two that say where programs are, and nothing else of ours.
const { PATH = '', SystemRoot } = own

/** What started the workflow. */
export interface EventOption {
  readonly name: string
  readonly payload: unknown
}

/** The texts of a step's files, nothing masked. */
export interface StepTexts {
  readonly output: string
  readonly state: string
  readonly summary: string
  readonly env: string
  readonly path: string
}

/** The runner's files for one step. */
export interface StepFiles {
  readonly event: string
  /** Paths by the name in the variable: `output` is GITHUB_OUTPUT. */
  readonly paths: ReadonlyMap<string, string>
  readonly read: () => Promise<StepTexts>
  readonly remove: () => Promise<void>
}

const FILE_NAMES = ['output', 'state', 'step_summary', 'env', 'path'] as const

/** Writes the event file and the empty files that a step may write to. */
export async function createStepFiles(
  temp: string,
  event: EventOption | undefined
): Promise<StepFiles> {
  const folder = path.join(temp, '_runner_file_commands')
  const eventFolder = path.join(temp, '_github_workflow')
  for (const made of [folder, eventFolder]) await mkdir(made, { recursive: true })
  const eventFile = path.join(eventFolder, 'event.json')
  await writeFile(eventFile, JSON.stringify(event?.payload ?? {}))
  const id = randomUUID()
  const paths = new Map<string, string>(
    FILE_NAMES.map(name => [name, path.join(folder, `${name}_${id}`)])
  )
  for (const file of paths.values()) await writeFile(file, '')
  return {
    event: eventFile,
    paths,
    read: async () => {
      // A step may remove its files; the runner takes that for empty ones.
      const read = (name: string) => readFile(paths.get(name) ?? '', 'utf8').catch(() => '')
      return {
        output: await read('output'),
        state: await read('state'),
        summary: await read('step_summary'),
        env: await read('env'),
        path: await read('path')
      }
    },
    remove: async () => {
      for (const made of [folder, eventFolder]) await rm(made, { recursive: true, force: true })
    }
  }
}

export interface StepOptions {
  readonly event?: EventOption
  readonly env?: Readonly<Record<string, string>>
  readonly debug?: boolean
  readonly workspace: string
  readonly temp: string
  readonly home: string
  readonly files: StepFiles
}

/** The variables of a step, and the `github` context that they come from. */
export function openStep(options: StepOptions) {
  const given = new Map(
    Object.entries(options.env ?? {}).flatMap(([name, value]) =>
      name.startsWith('GITHUB_') ? [[name.slice('GITHUB_'.length).toLowerCase(), value]] : []
    )
  )
  const context = githubContext(options, name => given.get(name))
  const github = new Map([...Object.entries(context), ...options.files.paths, ...given])
  const variables = [...github].map(([name, value]) => [`GITHUB_${name.toUpperCase()}`, value])
  const env: Record<string, string> = {
    PATH,
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    HOME: options.home,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    ...Object.fromEntries(variables),
    RUNNER_OS: { darwin: 'macOS', win32: 'Windows' }[String(platform)] ?? 'Linux',
    RUNNER_ARCH: arch.toUpperCase(),
    RUNNER_NAME: 'GitHub Actions 1',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_TEMP: options.temp,
    RUNNER_TOOL_CACHE: path.join(options.home, 'toolcache'),
    RUNNER_WORKSPACE: path.dirname(options.workspace),
    ...(options.debug ? { RUNNER_DEBUG: '1' } : {})
  }
  return { env, github }
}

function githubContext(
  { event, workspace, files }: StepOptions,
  given: (name: string) => string | undefined
): Record<string, string> {
  const payload = event?.payload
  const repository =
    given('repository') ?? readText(payload, 'repository', 'full_name') ?? 'octo-org/plugin'
  const tag = event?.name === 'release' ? readText(payload, 'release', 'tag_name') : undefined
  const ref = given('ref') ?? (tag === undefined ? 'refs/heads/main' : `refs/tags/${tag}`)
  const owner = repository.split('/')[0] ?? ''
  const sha = given('sha') ?? '7d1b31e74ee336d15cbd21741bc88a537ed063a0'
  const workflow = `${repository}/.github/workflows/release.yml@${ref}`
  return {
    action: '__self',
    action_repository: 'octo-org/publish-version',
    action_ref: 'v1',
    actor: 'octocat',
    actor_id: '583231',
    api_url: 'https://api.github.com',
    base_ref: '',
    event_name: event?.name ?? 'workflow_dispatch',
    event_path: files.event,
    graphql_url: 'https://api.github.com/graphql',
    head_ref: '',
    job: 'publish',
    ref,
    ref_name: ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    ref_protected: 'false',
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    repository,
    repository_id: '1296269',
    repository_owner: owner,
    repository_owner_id: '9919',
    retention_days: '90',
    run_attempt: '1',
    run_id: '1658821493',
    run_number: '3',
    server_url: 'https://github.com',
    sha,
    triggering_actor: 'octocat',
    workflow: 'Release',
    workflow_ref: workflow,
    workflow_sha: sha,
    workspace
  }
}

function readText(value: unknown, ...keys: string[]): string | undefined {
  let current = value
  for (const key of keys) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Reflect.get(current, key)
  }
  return typeof current === 'string' ? current : undefined
}
