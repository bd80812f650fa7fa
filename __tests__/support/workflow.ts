// Plays a workflow on this machine: jobs, conditions, expressions and scripts as on GitHub; our actions from dist/.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder, putFile } from './folders.ts'
import { type EventOption, parsePairs, type Run, runAction } from './runner.ts'

type Texts = Readonly<Record<string, string>>
/** A map in the workflow. */
type Fields = Readonly<Record<string, unknown>>
/** The names that expressions may use: `github`, `inputs` and so on. */
type Contexts = Fields

/** The two folders of a job. */
export interface Place {
  readonly workspace: string
  readonly temp: string
}

/** The surroundings of a workflow. */
export interface Stage {
  readonly event: EventOption
  /** The contexts `github`, `inputs` and `secrets`; all secrets are hidden, and must show nowhere. */
  readonly contexts: Contexts & { readonly github: Texts; readonly secrets: Texts }
  /** Variables of every step, such as a `PATH` with stand-ins for programs. */
  readonly env: Texts
  readonly githubToken: string
  /** Called before each job, with the permissions of its token. */
  startJob(permissions: Texts): void
  /** Stands in for somebody else's action, and returns its outputs. */
  use(action: string, inputs: Texts, place: Place): Promise<Texts>
  /** The jobs that an earlier attempt has ended well, when only the others run again; else empty. */
  readonly ended: ReadonlyMap<string, Played>
}

/** How a step or a job ended. */
export interface Played {
  readonly result: 'success' | 'failure' | 'skipped'
  readonly outputs: Texts
  /** Of a step that uses one of our actions. */
  readonly run?: Run
  /** What a script has printed. */
  readonly printed?: string
}

type Result = Played['result']

const { PATH = '' } = own
/** Our own actions: `OWNER/REPO@v1` or, with its folder, `OWNER/REPO/licenses@v1`. */
const OURS = /^OWNER\/REPO(?:\/(\w+))?@/

/** A workflow while it is played. */
interface Playing {
  readonly workflow: Fields
  readonly stage: Stage
  /** The steps and jobs that have ended, by name. */
  readonly played: Map<string, Played>
}

/** A job while it is played. */
interface PlayingJob {
  readonly stage: Stage
  readonly place: Place
}

/** Plays a workflow to its end. Returns its steps by `job.id` (or `job.number`), and its jobs by `job`. */
export async function playWorkflow(text: string, stage: Stage): Promise<Map<string, Played>> {
  const workflow = fieldsOf(parse(text))
  const played = new Map(stage.ended)
  const playing: Playing = { workflow, stage, played }

  const jobs = Object.entries(fieldsOf(workflow.jobs))
  const waiting = new Map(jobs.filter(([name]) => !stage.ended.has(name)))
  while (waiting.size > 0) {
    for (const [name, raw] of waiting) {
      const job = fieldsOf(raw)
      const needs = [job.needs ?? []].flat().map(String)
      if (needs.some(need => waiting.has(need))) continue

      waiting.delete(name)
      played.set(name, await playNeedingJob(name, job, needs, playing))
    }
  }
  return played
}

/** Plays a job, or each job of its matrix, after those that it needs; skips it when its `if` says so. */
async function playNeedingJob(
  name: string,
  job: Fields,
  needs: readonly string[],
  playing: Playing
): Promise<Played> {
  const { workflow, stage, played } = playing
  const before = Object.fromEntries(needs.map(need => [need, played.get(need)]))
  const contexts = { ...stage.contexts, needs: before }
  const results = Object.values(before).map(need => need?.result ?? 'skipped')
  if (!allows(job.if, contexts, results)) return { result: 'skipped', outputs: {} }

  const ends: Played[] = []
  for (const matrix of legsOf(job, contexts)) {
    stage.startJob(textsOf(job.permissions ?? workflow.permissions, contexts))
    ends.push(await playJob(name, job, { ...contexts, matrix }, playing))
  }
  if (ends.length === 0) return { result: 'skipped', outputs: {} }
  return {
    result: worst(ends.map(({ result }) => result)),
    outputs: Object.assign({}, ...ends.map(({ outputs }) => outputs))
  }
}

/** The legs of a job's matrix, written out or as an expression; one without anything if it has no matrix. */
function legsOf(job: Fields, contexts: Contexts): Fields[] {
  const { include = [{}] } = fieldsOf(fieldsOf(job.strategy).matrix)
  const [, expression] = /^\$\{\{(.*)\}\}$/s.exec(String(include)) ?? []
  if (expression === undefined) return [include].flat().map(fieldsOf)

  const legs: unknown = JSON.parse(evaluate(`toJSON(${expression})`, contexts))
  return [legs].flat().map(fieldsOf)
}

async function playJob(
  name: string,
  job: Fields,
  around: Contexts,
  { workflow, stage, played }: Playing
): Promise<Played> {
  const place = { workspace: makeFolder(), temp: makeFolder() }
  const steps: Record<string, Played & { readonly outcome: Result }> = {}
  const results: Result[] = []
  const env = textsOf({ ...fieldsOf(workflow.env), ...fieldsOf(job.env) }, around)

  for (const [index, raw] of [job.steps ?? []].flat().entries()) {
    const step = fieldsOf(raw)
    const contexts = {
      ...around,
      steps,
      env,
      runner: { temp: place.temp }
    }
    if (!allows(step.if, contexts, results)) continue

    const given = { ...env, ...textsOf(step.env, contexts) }
    const end = await playStep(step, given, contexts, { stage, place })

    const id = String(step.id ?? index)
    steps[id] = { ...end, outcome: end.result }
    played.set(`${name}.${id}`, end)
    results.push(step['continue-on-error'] === true ? 'success' : end.result)
  }

  return {
    result: worst(results),
    outputs: textsOf(job.outputs, { ...around, steps, env })
  }
}

/** Runs a script, one of our actions, or the stand-in of another action. */
async function playStep(
  step: Fields,
  env: Texts,
  contexts: Contexts,
  { stage, place }: PlayingJob
): Promise<Played> {
  if (step.run !== undefined) {
    const folder = join(place.workspace, fill(step['working-directory'], contexts))
    return runScript(fill(step.run, contexts), env, { ...place, workspace: folder }, stage)
  }

  const uses = String(step.uses)
  const inputs = textsOf(step.with, contexts)
  const ours = OURS.exec(uses)
  if (ours === null) {
    return { result: 'success', outputs: await stage.use(uses, inputs, place) }
  }

  const [, folder = ''] = ours
  const secrets = Object.values(stage.contexts.secrets)
  const run = await runAction({
    action: join(ROOT, folder, 'action.yml'),
    ...place,
    inputs,
    event: stage.event,
    githubToken: stage.githubToken,
    secrets,
    credentials: [...secrets, stage.githubToken],
    env: {
      ...stage.env,
      ...env,
      PATH
    }
  })
  return {
    result: run.exitCode === 0 ? 'success' : 'failure',
    outputs: run.outputs,
    run
  }
}

/** Runs a script in the workspace as `shell: bash` does. */
async function runScript(script: string, env: Texts, place: Place, stage: Stage): Promise<Played> {
  const file = join(place.temp, 'script.sh')
  const output = join(place.temp, 'output')
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
  const ended = await new Promise<Pick<Played, 'result' | 'printed'>>(resolve => {
    execFile('bash', ['-eo', 'pipefail', file], options, (error, printed) => {
      resolve({ result: error === null ? 'success' : 'failure', printed })
    })
  })

  return { ...ended, outputs: parsePairs(await readFile(output, 'utf8')) }
}

function worst(results: readonly Result[]): Result {
  return results.includes('failure') ? 'failure' : 'success'
}

/** Whether an `if` lets a step or a job run, after these results. */
function allows(condition: unknown, contexts: Contexts, results: readonly Result[]): boolean {
  const text = String(condition ?? 'success()').replace(/^\$\{\{(.*)\}\}$/s, '$1')
  // As on GitHub, a condition that asks for no status only holds while all is well.
  const asksForStatus = /\b(?:success|failure|cancelled|always)\(/.test(text)
  const whole = asksForStatus ? `!!(${text})` : `!!(success() && (${text}))`
  return evaluate(whole, contexts, results) === 'true'
}

/** Fills in the expressions of a text. */
export function fill(value: unknown, contexts: Contexts): string {
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
  const statuses = {
    success: results.every(result => result === 'success'),
    failure: results.some(result => result === 'failure'),
    always: true,
    cancelled: false
  }
  const functions = Object.entries(statuses).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value)
  }))

  const tree = new Parser(new Lexer(text.trim()).lex().tokens, Object.keys(contexts), functions)
  const known = JSON.parse(JSON.stringify(contexts), data.reviver)
  const named = new Map(functions.map(it => [it.name, it]))
  return new Evaluator(tree.parse(), known, named).evaluate().coerceString()
}
