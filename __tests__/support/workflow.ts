// Owns playing a workflow on this machine: jobs, conditions, expressions and scripts as on GitHub; our actions from dist/.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { promisify } from 'node:util'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder, putFile } from './folders.ts'
import { type EventOption, parsePairs, type Run, runAction } from './runner.ts'

type Texts = Readonly<Record<string, string>>
/** What a map of the workflow holds. */
type Fields = Readonly<Record<string, unknown>>
/** What expressions may name: `github`, `inputs` and so on. */
type Contexts = Fields

/** The two folders of a job. */
export interface Place {
  readonly workspace: string
  readonly temp: string
}

/** Who and what is around a workflow. */
export interface Stage {
  readonly event: EventOption
  /** The contexts `github`, `inputs` and `secrets`; all secrets are hidden, and must show nowhere. */
  readonly contexts: Contexts & { readonly github: Texts; readonly secrets: Texts }
  /** Variables of every step, such as a `PATH` with stand-ins for programs. */
  readonly env: Texts
  readonly githubToken: string
  /** Told before each job what the job's token may do. */
  startJob(permissions: Texts): void
  /** Stands in for somebody else's action: what it does, and its outputs. */
  use(action: string, inputs: Texts, place: Place): Promise<Texts>
  /** Told after each script. */
  endScript(place: Place): Promise<void>
}

/** How a step or a job ended. */
export interface Played {
  readonly result: 'success' | 'failure' | 'skipped'
  readonly outputs: Texts
}

type Result = Played['result']

const { PATH = '' } = own
const OURS = /^OWNER\/REPO(?:\/(\w+))?@/

/** Plays a workflow to its end; gives its steps by `job.id` (or `job.number`), and its jobs by `job`. */
export async function playWorkflow(text: string, stage: Stage): Promise<Map<string, Played>> {
  const workflow = fieldsOf(parse(text))
  const played = new Map<string, Played>()
  const waiting = new Map(Object.entries(fieldsOf(workflow.jobs)))
  while (waiting.size > 0) {
    for (const [name, raw] of waiting) {
      const job = fieldsOf(raw)
      const needs = [job.needs ?? []].flat().map(String)
      if (needs.some(need => waiting.has(need))) continue
      waiting.delete(name)
      const before = Object.fromEntries(needs.map(need => [need, played.get(need)]))
      const contexts = { ...stage.contexts, needs: before }
      const results = Object.values(before).map(need => need?.result ?? 'skipped')
      const ends = isMet(job.if, contexts, results)
        ? await playJobs(name, job, workflow, contexts, stage, played)
        : []
      played.set(name, {
        result: ends.length === 0 ? 'skipped' : worst(ends.map(({ result }) => result)),
        outputs: Object.assign({}, ...ends.map(({ outputs }) => outputs))
      })
    }
  }
  return played
}

/** Plays a job, or each job of its matrix. */
async function playJobs(
  name: string,
  job: Fields,
  workflow: Fields,
  contexts: Contexts,
  stage: Stage,
  played: Map<string, Played>
): Promise<Played[]> {
  const { include = [{}] } = fieldsOf(fieldsOf(job.strategy).matrix)
  const ends: Played[] = []
  for (const matrix of [include].flat()) {
    stage.startJob(textsOf(job.permissions ?? workflow.permissions, contexts))
    ends.push(await playJob(name, job, workflow, { ...contexts, matrix }, stage, played))
  }
  return ends
}

async function playJob(
  name: string,
  job: Fields,
  workflow: Fields,
  around: Contexts,
  stage: Stage,
  played: Map<string, Played>
): Promise<Played> {
  const place = { workspace: makeFolder(), temp: makeFolder() }
  const steps: Record<string, Played & { readonly outcome: Result }> = {}
  const results: Result[] = []
  const posts: Run[] = []
  const env = textsOf({ ...fieldsOf(workflow.env), ...fieldsOf(job.env) }, around)
  for (const [index, raw] of [job.steps ?? []].flat().entries()) {
    const step = fieldsOf(raw)
    const contexts = { ...around, steps, env, runner: { temp: place.temp } }
    if (!isMet(step.if, contexts, results)) continue
    const given = { ...env, ...textsOf(step.env, contexts) }
    const end = await playStep(step, given, contexts, place, stage, posts)
    const id = String(step.id ?? index)
    steps[id] = { ...end, outcome: end.result }
    played.set(`${name}.${id}`, end)
    results.push(step['continue-on-error'] === true ? 'success' : end.result)
  }
  for (const { state } of posts) {
    await runAction({ action: join(ROOT, 'sandbox/action.yml'), temp: place.temp, post: state })
  }
  return {
    result: worst(results),
    outputs: textsOf(job.outputs, { ...around, steps, env })
  }
}

async function playStep(
  step: Fields,
  env: Texts,
  contexts: Contexts,
  place: Place,
  stage: Stage,
  posts: Run[]
): Promise<Played> {
  if (step.run !== undefined) return runScript(fill(step.run, contexts), env, place, stage)
  const [uses, inputs] = [String(step.uses), textsOf(step.with, contexts)]
  const folder = OURS.exec(uses)
  if (folder === null) {
    return { result: 'success', outputs: await stage.use(uses, inputs, place) }
  }
  const secrets = Object.values(stage.contexts.secrets)
  const run = await runAction({
    action: join(ROOT, folder[1] ?? '', 'action.yml'),
    ...place,
    inputs,
    event: stage.event,
    githubToken: stage.githubToken,
    secrets,
    credentials: [...secrets, stage.githubToken],
    env: { ...stage.env, ...env, PATH }
  })
  if (folder[1] === 'sandbox') posts.push(run)
  return { result: run.exitCode === 0 ? 'success' : 'failure', outputs: run.outputs }
}

/** Runs a script as `shell: bash` does. */
async function runScript(script: string, env: Texts, place: Place, stage: Stage): Promise<Played> {
  const [file, output] = [join(place.temp, 'script.sh'), join(place.temp, 'output')]
  putFile(file, script)
  putFile(output, '')
  const options = {
    cwd: place.workspace,
    env: {
      ...stage.env,
      ...env,
      HOME: place.temp,
      RUNNER_TEMP: place.temp,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(place.temp, 'summary')
    }
  }
  const result = await promisify(execFile)('bash', ['-eo', 'pipefail', file], options).then(
    () => 'success' as const,
    () => 'failure' as const
  )
  await stage.endScript(place)
  return { result, outputs: parsePairs(await readFile(output, 'utf8')) }
}

function worst(results: readonly Result[]): Result {
  return results.includes('failure') ? 'failure' : 'success'
}

/** Whether an `if` lets a step or a job run, after these results. */
function isMet(condition: unknown, contexts: Contexts, results: readonly Result[]): boolean {
  const text = String(condition ?? 'success()').replace(/^\$\{\{(.*)\}\}$/s, '$1')
  const asks = /\b(?:success|failure|cancelled|always)\(/.test(text)
  return evaluate(asks ? `!!(${text})` : `success() && (${text})`, contexts, results) === 'true'
}

/** Fills in the expressions of a text. */
function fill(value: unknown, contexts: Contexts): string {
  return String(value ?? '').replaceAll(/\$\{\{(.*?)\}\}/gs, (_, text) => evaluate(text, contexts))
}

function textsOf(value: unknown, contexts: Contexts): Record<string, string> {
  const filled = Object.entries(fieldsOf(value)).map(([key, it]) => [key, fill(it, contexts)])
  return Object.fromEntries(filled)
}

function fieldsOf(value: unknown): Fields {
  return Object(value)
}

/** Evaluates an expression, by GitHub's own library. */
function evaluate(text: string, contexts: Contexts, results: readonly Result[] = []): string {
  const failed = results.some(result => result === 'failure')
  const isWell = results.every(result => result === 'success')
  const statuses = { success: isWell, failure: failed, always: true, cancelled: false }
  const functions = Object.entries(statuses).map(([name, value]) => {
    return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }
  })
  const tree = new Parser(new Lexer(text.trim()).lex().tokens, Object.keys(contexts), functions)
  const known = JSON.parse(JSON.stringify(contexts), data.reviver)
  const named = new Map(functions.map(it => [it.name, it]))
  return new Evaluator(tree.parse(), known, named).evaluate().coerceString()
}
