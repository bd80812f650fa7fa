// Owns a step on this machine: starts an action as GitHub's runner does, and reads what it left.
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { arch, env as own, platform } from 'node:process'
import { type Manifest, ROOT, readManifest } from '../../scripts/manifest.ts'
import { faultsOf, findCredential, parseLog } from './log.ts'
import { type Interruption, runNode } from './processes.ts'

type Texts = Readonly<Record<string, string>>

/** What started the workflow. */
export interface EventOption {
  readonly name: string
  readonly payload: unknown
}

export interface RunOptions {
  readonly inputs?: Texts
  /** `workflow_dispatch` without it. */
  readonly event?: EventOption
  /** Set last, over everything the runner sets. */
  readonly env?: Texts
  readonly debug?: boolean
  /** What `${{ github.token }}` gives. */
  readonly githubToken?: string
  /** The workspace, and RUNNER_TEMP; without them, folders that are removed at the end. */
  readonly workspace?: string
  readonly temp?: string
  /** Path of an action.yml; the one at the root without it. */
  readonly action?: string
  /** Runs the post step instead of the main step, with the state that the main step left. */
  readonly post?: Texts
  /** What the runner hides from the start, beside GitHub's token. */
  readonly secrets?: readonly string[]
  /** What must appear nowhere: the run throws if it does. */
  readonly credentials?: readonly string[]
  readonly signal?: Interruption
  readonly nodeArguments?: readonly string[]
}

/** What a run did. */
export type Run = Awaited<ReturnType<typeof runAction>>

// A child needs the two that say where programs are, and no more.
const { PATH = '', SystemRoot = '' } = own

/**
 * Runs an action to its end. Throws when it would leave the machine, shows a credential, or does what no
 * action of ours has a reason to do.
 */
export async function runAction(options: RunOptions = {}) {
  const { action = path.join(ROOT, 'action.yml'), post, secrets = [], credentials = [] } = options
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'step-')))
  const { workspace = path.join(root, 'work'), temp = path.join(root, 'temp') } = options
  const marker = path.join(root, 'network')
  await mkdir(workspace, { recursive: true })
  const manifest = readManifest(path.resolve(action))
  const step = await openStep(manifest, { ...options, workspace, temp })
  try {
    const state = Object.entries(post ?? {}).map(([name, value]) => [`STATE_${name}`, value])
    const script = post === undefined ? manifest.main : (manifest.post ?? '')
    const env = { ...step.env, ...Object.fromEntries(state), NETWORK_MARKER: marker }
    const { nodeArguments = [], signal } = options
    const end = await runNode({ script, args: nodeArguments, cwd: workspace, env }, signal)
    const raw = await step.read()
    const { stdout, stderr } = end
    const printed = [stdout, stderr].filter(Boolean).join('\n')
    const log = parseLog(printed, [...secrets, options.githubToken ?? ''])
    const outputs = parsePairs(raw.output)
    const names = Object.keys(outputs)
    const undeclared = names.filter(name => !manifest.outputs.has(name))
    const faults = [
      await readFile(marker, 'utf8').catch(() => ''),
      findCredential({ stdout, stderr, ...raw }, credentials),
      ...faultsOf(log.commands, outputs, raw.summary),
      ...undeclared.map(name => `The output ${name} is not declared.`),
      raw.env + raw.path === '' ? '' : 'Later steps would get other variables.'
    ].filter(Boolean)
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\n\n${log.log}`)
    return {
      ...log,
      ...end,
      raw,
      outputs,
      state: parsePairs(raw.state),
      /** Outputs that a job would drop, since they hold something hidden. */
      maskedOutputs: names.filter(name => log.mask(outputs[name] ?? '') !== outputs[name]),
      missingOutputs: [...manifest.outputs.keys()].filter(name => !names.includes(name)),
      /** As shown, with everything hidden that must be. */
      summary: log.mask(raw.summary)
    }
  } finally {
    await step.remove()
    await rm(root, { recursive: true, force: true })
  }
}

/** Prepares a step of an action: the variables of its process, and its files. Throws at an input that it has not. */
export async function openStep(manifest: Manifest, options: RunOptions) {
  const { inputs = {}, event, env = {}, temp = '', githubToken = '' } = options
  const unknown = Object.keys(inputs).filter(name => !manifest.inputs.has(name))
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join()}`)
  const folder = path.join(temp, `_runner_${randomUUID()}`)
  const pathOf = (name: string) => path.join(folder, name)
  await mkdir(folder, { recursive: true })
  await writeFile(pathOf('event'), JSON.stringify(event?.payload ?? {}))
  for (const name of ['output', 'state', 'summary', 'env', 'path'])
    await writeFile(pathOf(name), '')
  const github = {
    ...contextOf(options),
    output: pathOf('output'),
    state: pathOf('state'),
    step_summary: pathOf('summary'),
    env: pathOf('env'),
    path: pathOf('path'),
    event_path: pathOf('event')
  }
  const context: Texts = { ...github, token: githubToken }
  const defaults = [...manifest.inputs].map(([name, input]) => {
    const text = input.default ?? ''
    return [name, text.replace(/\$\{\{ *github\.(\w+) *\}\}/g, (_, key) => context[key] ?? '')]
  })
  return {
    env: {
      PATH,
      SystemRoot,
      HOME: temp,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      // An empty value that is given beats a default.
      ...variables('INPUT_', { ...Object.fromEntries(defaults), ...inputs }),
      ...variables('GITHUB_', github),
      RUNNER_OS: { darwin: 'macOS', win32: 'Windows' }[String(platform)] ?? 'Linux',
      RUNNER_ARCH: arch.toUpperCase(),
      RUNNER_TEMP: temp,
      ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
      ...env
    },
    /** The texts of the files that a step may write to, nothing hidden. */
    async read() {
      const read = (name: string) => readFile(pathOf(name), 'utf8')
      const [output, state, summary] = [read('output'), read('state'), read('summary')]
      const [env, path] = [await read('env'), await read('path')]
      return { output: await output, state: await state, summary: await summary, env, path }
    },
    remove: () => rm(folder, { recursive: true, force: true })
  }
}

function variables(prefix: string, texts: Texts): Texts {
  const nameOf = (name: string) => prefix + name.replaceAll(' ', '_').toUpperCase()
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [nameOf(name), text]))
}

/** The `github` context of a release, or of a run by hand. */
function contextOf({ event, workspace = '' }: RunOptions) {
  const { release, repository } = Object(event?.payload)
  const tag: unknown = event?.name === 'release' ? release?.tag_name : undefined
  return {
    action_repository: 'octo-org/publish-version',
    action_ref: 'v1',
    api_url: 'https://api.github.com',
    server_url: 'https://github.com',
    event_name: event?.name ?? 'workflow_dispatch',
    workflow: 'Release',
    job: 'publish',
    ref: typeof tag === 'string' ? `refs/tags/${tag}` : 'refs/heads/main',
    repository: String(repository?.full_name ?? 'octo-org/plugin'),
    run_id: '1658821493',
    run_attempt: '1',
    sha: '7d1b31e74ee336d15cbd21741bc88a537ed063a0',
    workspace
  }
}

const PAIR = /^([^\s=]+)(?:=([^\n]*)|<<(\S+)\r?\n(?:(.*?)\r?\n)?\3\r?)\n/gms

/** Reads the `NAME=VALUE` lines and `NAME<<END` blocks of a file. Throws at anything else. */
export function parsePairs(text: string): Record<string, string> {
  const rest = text.replace(PAIR, '')
  if (rest !== '') throw new Error(`A file of the runner's holds "${rest}"`)
  return Object.fromEntries(
    Array.from(text.matchAll(PAIR), ([, name, line, , block = '']) => [name, line ?? block])
  )
}
