// Owns what a step finds when it starts, and what it leaves: variables, and the files that the runner prepares.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { arch, env as own, platform } from 'node:process'
import type { Manifest } from '../../scripts/manifest.ts'

// A child needs the two that say where programs are, and nothing else of ours.
const { PATH = '', SystemRoot = '' } = own
const FILES = ['output', 'state', 'summary', 'env', 'path'] as const

type Texts = Readonly<Record<string, string>>

/** What started the workflow. */
export interface EventOption {
  readonly name: string
  readonly payload: unknown
}

/** The texts of the files that a step may write to, nothing hidden. */
export type StepTexts = Readonly<Record<(typeof FILES)[number], string>>

export interface StepOptions {
  readonly manifest: Manifest
  readonly inputs?: Texts | undefined
  /** `workflow_dispatch` without it. */
  readonly event?: EventOption | undefined
  /** Set last, over everything the runner sets. */
  readonly env?: Texts | undefined
  readonly debug?: boolean | undefined
  /** What `${{ github.token }}` gives. */
  readonly githubToken?: string | undefined
  readonly workspace: string
  readonly temp: string
}

/** Prepares a step of an action: the variables of its process, and its files. Throws at an input that it has not. */
export async function openStep(options: StepOptions) {
  const { manifest, inputs = {}, event, env = {}, temp, githubToken = '' } = options
  const unknown = Object.keys(inputs).filter(name => !manifest.inputs.has(name))
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join()}`)
  const folder = path.join(temp, `_runner_${randomUUID()}`)
  const pathOf = (name: string) => path.join(folder, name)
  await mkdir(folder, { recursive: true })
  await writeFile(pathOf('event'), JSON.stringify(event?.payload ?? {}))
  for (const name of FILES) await writeFile(pathOf(name), '')
  const github = {
    ...contextOf(options),
    ...{ output: pathOf('output'), state: pathOf('state'), step_summary: pathOf('summary') },
    ...{ env: pathOf('env'), path: pathOf('path'), event_path: pathOf('event') }
  }
  const context: Texts = { ...github, token: githubToken }
  const defaults = [...manifest.inputs].map(([name, input]) => {
    const text = input.default ?? ''
    return [name, text.replace(/\$\{\{ *github\.(\w+) *\}\}/g, (_, key) => context[key] ?? '')]
  })
  return {
    env: {
      ...{ PATH, SystemRoot, HOME: temp, CI: 'true', GITHUB_ACTIONS: 'true' },
      // An empty value that is given beats a default.
      ...variables('INPUT_', { ...Object.fromEntries(defaults), ...inputs }),
      ...variables('GITHUB_', github),
      RUNNER_OS: { darwin: 'macOS', win32: 'Windows' }[String(platform)] ?? 'Linux',
      ...{ RUNNER_ARCH: arch.toUpperCase(), RUNNER_TEMP: temp },
      ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
      ...env
    },
    async read(): Promise<StepTexts> {
      const read = (name: string) => readFile(pathOf(name), 'utf8')
      const [output, state, summary] = [
        await read('output'),
        await read('state'),
        await read('summary')
      ]
      return { output, state, summary, env: await read('env'), path: await read('path') }
    },
    remove: () => rm(folder, { recursive: true, force: true })
  }
}

function variables(prefix: string, texts: Texts): Texts {
  const nameOf = (name: string) => prefix + name.replaceAll(' ', '_').toUpperCase()
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [nameOf(name), text]))
}

/** The `github` context of a release, or of a run by hand. */
function contextOf({ event, workspace }: StepOptions) {
  const { release, repository } = Object(event?.payload)
  const tag: unknown = event?.name === 'release' ? release?.tag_name : undefined
  return {
    ...{ action_repository: 'octo-org/publish-version', action_ref: 'v1' },
    ...{ api_url: 'https://api.github.com', server_url: 'https://github.com' },
    ...{ event_name: event?.name ?? 'workflow_dispatch', workflow: 'Release', job: 'publish' },
    ref: typeof tag === 'string' ? `refs/tags/${tag}` : 'refs/heads/main',
    repository: String(repository?.full_name ?? 'octo-org/plugin'),
    ...{ run_id: '1658821493', run_attempt: '1' },
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
