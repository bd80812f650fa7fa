// A step on this machine: starts an action as GitHub's runner does, and reads its output and its files.
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { arch, env as own, platform } from 'node:process'
import { type Manifest, ROOT } from '../../scripts/manifest.ts'
import { faultsOf, findCredential, type PrintedLog, parseLog } from './log.ts'
import { type Interruption, type ProcessEnd, runNode } from './processes.ts'
import { beginTake, IS_PLAY, readPlayed } from './recording.ts'

type Texts = Readonly<Record<string, string>>

/** The event that started the workflow. */
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
  /** The value of `${{ github.token }}`. */
  readonly githubToken?: string
  /** The workspace, and RUNNER_TEMP; without them, folders that are removed at the end. */
  readonly workspace?: string
  readonly temp?: string
  /** Path of an action.yml; the one at the root without it. */
  readonly action?: string
  /** The runner hides these from the start, as it hides GitHub's token. */
  readonly secrets?: readonly string[]
  /** These must appear nowhere: the run throws if one does. */
  readonly credentials?: readonly string[]
  readonly interruption?: Interruption
  readonly nodeArguments?: readonly string[]
}

/** Everything that a run did and left. */
export interface Run extends PrintedLog, ProcessEnd {
  /** The texts of its files, nothing hidden. */
  readonly raw: StepFiles
  readonly outputs: Record<string, string>
  /** Outputs that a job would drop, since there is something hidden in them. */
  readonly maskedOutputs: readonly string[]
  /** Outputs that are declared and were not set. */
  readonly missingOutputs: readonly string[]
  /** As shown, with everything hidden that must be. */
  readonly summary: string
}

// A child needs the two that say where programs are, and no more.
const { PATH = '', SystemRoot = '' } = own

/**
 * Runs an action to its end. Throws when it would leave the machine, shows a credential, or does what no
 * action of ours has a reason to do.
 */
export async function runAction(options: RunOptions = {}): Promise<Run> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'step-')))
  const {
    action = path.join(ROOT, 'action.yml'),
    workspace = path.join(root, 'work'),
    temp = path.join(root, 'temp'),
    nodeArguments = [],
    interruption
  } = options

  await mkdir(workspace, { recursive: true })
  const manifest = manifestOf(path.resolve(action))
  const endTake = beginTake('run')
  const step = await openStep(manifest, { ...options, workspace, temp })

  try {
    const marker = path.join(root, 'network')
    const start = {
      script: manifest.main,
      args: nodeArguments,
      cwd: workspace,
      env: {
        ...step.env,
        NETWORK_MARKER: marker
      }
    }
    const end = await runNode(start, interruption)
    const raw = await step.read()

    // The guard in the child's process notes here each attempt to leave the machine.
    const network = await readFile(marker, 'utf8').catch(() => '')
    const run = readRun(manifest, options, end, raw, network)
    endTake(partsOf(run))
    return run
  } finally {
    await step.remove()
    await rm(root, { recursive: true, force: true })
  }
}

const manifests = new Map<string, Manifest>()

/** Reads an action.yml once: hundreds of runs have the same. */
function manifestOf(file: string): Manifest {
  const manifest = manifests.get(file) ?? readPlayed(file)
  manifests.set(file, manifest)
  return manifest
}

/** Reads the output and the files of a run. Throws when it did something that no run may do. */
function readRun(
  manifest: Manifest,
  { secrets = [], githubToken = '', credentials = [] }: RunOptions,
  end: ProcessEnd,
  raw: StepFiles,
  network: string
): Run {
  const { stdout, stderr } = end
  const printed = [stdout, stderr].filter(Boolean).join('\n')
  const log = parseLog(printed, [...secrets, githubToken])
  const outputs = parsePairs(raw.output)
  const names = Object.keys(outputs)

  const undeclared = names.filter(name => !manifest.outputs.has(name))
  const faults = [
    network,
    findCredential({ stdout, stderr, ...raw }, credentials),
    ...faultsOf(log.commands, outputs, raw.summary),
    ...undeclared.map(name => `The output ${name} is not declared.`),
    raw.env + raw.path === '' ? '' : 'Later steps would get other variables.'
  ].filter(Boolean)
  // A play compares whatever was done.
  if (faults.length > 0 && !IS_PLAY) throw new Error(`${faults.join('\n')}\n\n${log.log}`)

  return {
    ...log,
    ...end,
    raw,
    outputs,
    maskedOutputs: names.filter(name => log.mask(outputs[name] ?? '') !== outputs[name]),
    missingOutputs: [...manifest.outputs.keys()].filter(name => !names.includes(name)),
    summary: log.mask(raw.summary)
  }
}

/** What a play compares of a run. */
function partsOf({ exitCode, signal, outputs, annotations, log, summary, stderr }: Run) {
  const notes = annotations.map(({ kind, title, message }) => `${kind}: ${title}: ${message}`)
  const values = Object.entries(outputs).map(([name, it]) => `${name}: ${JSON.stringify(it)}`)
  return {
    'exit code': String(exitCode ?? signal),
    outputs: values.sort().join('\n'),
    annotations: notes.join('\n'),
    log,
    summary,
    'standard error': stderr
  }
}

/** The texts of the files that a step may write to. */
interface StepFiles {
  readonly output: string
  readonly state: string
  readonly summary: string
  readonly env: string
  readonly path: string
}

/** A step that is prepared. */
interface Step {
  /** The variables of its process. */
  readonly env: Texts
  /** Reads the files that it may have written, nothing hidden. */
  read(): Promise<StepFiles>
  /** Removes its files. */
  remove(): Promise<void>
}

/** Prepares a step of an action. Throws at an input that the action does not have. */
export async function openStep(manifest: Manifest, options: RunOptions): Promise<Step> {
  const { inputs = {}, event, env = {}, temp = '', githubToken = '' } = options
  const unknown = Object.keys(inputs).filter(name => !manifest.inputs.has(name))
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join()}`)

  const folder = path.join(temp, `_runner_${randomUUID()}`)
  const pathOf = (name: string) => path.join(folder, name)

  await mkdir(folder, { recursive: true })
  await writeFile(pathOf('event'), JSON.stringify(event?.payload ?? {}))
  for (const name of ['output', 'state', 'summary', 'env', 'path']) {
    await writeFile(pathOf(name), '')
  }

  const github = {
    ...contextOf(options),
    output: pathOf('output'),
    state: pathOf('state'),
    step_summary: pathOf('summary'),
    env: pathOf('env'),
    path: pathOf('path'),
    event_path: pathOf('event')
  }
  const defaults = defaultsOf(manifest, { ...github, token: githubToken })

  const read = (name: string) => readFile(pathOf(name), 'utf8')
  return {
    env: {
      PATH,
      SystemRoot,
      HOME: temp,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      // An empty value that is given beats a default.
      ...variables('INPUT_', { ...defaults, ...inputs }),
      ...variables('GITHUB_', github),
      RUNNER_OS: { darwin: 'macOS', win32: 'Windows' }[String(platform)] ?? 'Linux',
      RUNNER_ARCH: arch.toUpperCase(),
      RUNNER_TEMP: temp,
      ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
      ...env
    },
    read: async () => ({
      output: await read('output'),
      state: await read('state'),
      summary: await read('summary'),
      env: await read('env'),
      path: await read('path')
    }),
    remove: () => rm(folder, { recursive: true, force: true })
  }
}

/** The defaults of an action's inputs, with what they take from the `github` context. */
function defaultsOf({ inputs }: Manifest, github: Texts): Record<string, string> {
  const defaults: Record<string, string> = {}
  for (const [name, { default: text = '' }] of inputs) {
    // Such as `${{ github.token }}`.
    defaults[name] = text.replace(/\$\{\{ *github\.(\w+) *\}\}/g, (_, key) => github[key] ?? '')
  }
  return defaults
}

function variables(prefix: string, texts: Texts): Texts {
  const nameOf = (name: string) => prefix + name.replaceAll(' ', '_').toUpperCase()
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [nameOf(name), text]))
}

/** The `github` context of a release, or of a run by hand. */
function contextOf({ event, workspace = '' }: RunOptions): Record<string, string> {
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

/** Such as `id=1001`. */
const LINE = '=([^\\n]*)'
/** Such as `<<END`, with lines up to one that is `END`. */
const BLOCK = '<<(\\S+)\\r?\\n(?:(.*?)\\r?\\n)?\\3\\r?'
const PAIR = new RegExp(`^([^\\s=]+)(?:${LINE}|${BLOCK})\\n`, 'gms')

/** Reads the `NAME=VALUE` lines and `NAME<<END` blocks of a file. Throws at anything else. */
export function parsePairs(text: string): Record<string, string> {
  const rest = text.replace(PAIR, '')
  if (rest !== '') throw new Error(`A file of the runner's holds "${rest}"`)
  return Object.fromEntries(
    Array.from(text.matchAll(PAIR), ([, name, line, , block = '']) => [name, line ?? block])
  )
}
