// The publish action's inputs: raw strings in, typed values or every problem at once out.
import type { Fault } from '../runner/values.ts'
import {
  type InputName,
  isInputName,
  RIVALS,
  STEP,
  TARGET,
  TARGET_INPUT_NAMES,
  type Table,
  type Values
} from './input-table.ts'
import { type Entry, readTargets } from './targets.ts'

export interface TargetInputs extends Values<typeof TARGET> {
  /** Where it stands, such as `entry 2 (line 9)`; empty for the step's only target. */
  readonly place: string
  readonly product: number
}

export interface PublishInputs extends Values<typeof STEP> {
  readonly targets: readonly TargetInputs[]
}

export type Mode = PublishInputs['mode']

const MIB = 1024 * 1024

/** How long the shop may take to answer a file of so many bytes, in milliseconds. */
export function answerTimeout(
  { responseTimeout }: Pick<PublishInputs, 'responseTimeout'>,
  bytes: number
): number {
  return responseTimeout ?? 300_000 + 1000 * Math.ceil(bytes / MIB)
}

/**
 * Reads every input. There are inputs when those of the step are right; then the targets are those that
 * are right, and the problems those of the others.
 */
export async function parseInputs(raw: (name: InputName) => string): Promise<{
  readonly inputs?: PublishInputs
  readonly problems: readonly Fault[]
}> {
  const problems: Fault[] = []
  const step = readTable(STEP, raw, problems, name => name)
  problems.push(...problemsBetween(raw))
  const list = raw('targets').trim()
  if (list === '') {
    const only = { place: '', raw, placeOf: (name: string) => name, broken: false }
    const target = readTarget(only, problems)
    problems.push(...problemsOfWaiting(raw, target ? [target] : []))
    const isRight = problems.length === 0 && step && target
    return isRight ? { inputs: { ...step, targets: [target] }, problems } : { problems }
  }
  const isRight = problems.length === 0
  const entries = await readTargets(list, TARGET_INPUT_NAMES, problems)
  const targets = entries
    .map(entry => readTarget(overStep(entry, raw), problems))
    .filter(target => target !== undefined)
  const waiting = problemsOfWaiting(raw, targets)
  problems.push(...waiting)
  return isRight && waiting.length === 0 && step
    ? { inputs: { ...step, targets }, problems }
    : { problems }
}

function problemsOfWaiting(
  raw: (name: InputName) => string,
  targets: readonly TargetInputs[]
): Fault[] {
  if (raw('asset-timeout').trim() === '' || targets.length === 0) return []
  if (targets.some(({ asset }) => asset.length > 0)) return []
  const message = 'works only with `asset`: a `file` in the workspace is not waited for'
  return [{ place: 'asset-timeout', message }]
}

/** What the step's inputs, each right by itself, lack or contradict. */
function problemsBetween(raw: (name: InputName) => string): Fault[] {
  const problems: Fault[] = []
  const given = (name: InputName) => raw(name).trim() !== ''
  const add = (place: InputName, message: string) => problems.push({ place, message })
  const mode = modeOf(raw)
  if (!given('token') && (mode === 'publish' || mode === 'check')) {
    add('token', 'is required. Is there such a secret, and may this run read it?')
  }
  if (given('approved-plan') && mode !== 'publish') {
    add(
      'approved-plan',
      `has no meaning with \`mode: ${mode}\`: only a publication can be approved`
    )
  }
  const keeps = mode === 'settle' || mode === 'audit'
  const once = raw('once').trim() || 'require'
  if (keeps && once === 'off')
    add('once', `"off" contradicts \`mode: ${mode}\`, which is about the memory`)
  if (!given('github-token') && (keeps || (once === 'require' && mode === 'publish'))) {
    const way = keeps ? '' : ', or set `once: off`'
    add('github-token', `is empty; leave it out to use the job’s own token${way}`)
  }
  if (mode === 'settle' && !given('settle-as')) {
    add('settle-as', 'is required with `mode: settle`: "published" or "not-published"')
  }
  if (mode !== 'settle' && given('settle-as')) add('settle-as', 'is for `mode: settle` alone')
  if (mode !== 'audit' && given('audit-since')) add('audit-since', 'is for `mode: audit` alone')
  for (const name of ['file', 'asset', 'tag'] as const) {
    if (mode === 'audit' && given(name))
      add(name, 'cannot be used with `mode: audit`, which looks at releases and the memory alone')
  }
  return problems
}

function modeOf(raw: (name: InputName) => string): string {
  return raw('mode').trim() || 'publish'
}

/** Where a target's values come from. */
interface Origin extends Pick<Entry, 'place' | 'placeOf' | 'broken'> {
  raw(name: InputName): string
}

/** An entry's own values; the step's for what it leaves out, unless its own contradict them. */
function overStep(entry: Entry, step: (name: InputName) => string): Origin {
  const hidden = (name: InputName) =>
    RIVALS.some(
      ([one, other]) => (name === one && entry.value(other)) || (name === other && entry.value(one))
    )
  const raw = (name: InputName) => entry.value(name) ?? (hidden(name) ? '' : step(name))
  return {
    place: entry.place,
    broken: entry.broken,
    raw,
    // What comes from the step's own input is wrong there.
    placeOf: name => {
      const own = entry.value(name) !== undefined || !isInputName(name) || raw(name) === ''
      return own ? entry.placeOf(name) : name
    }
  }
}

function readTarget(
  { place, raw, placeOf, broken }: Origin,
  problems: Fault[]
): TargetInputs | undefined {
  const before = problems.length
  const given = (name: InputName) => raw(name).trim() !== ''
  const add = (name: InputName, message: string) => {
    problems.push({ place: placeOf(name), message })
  }
  for (const [one, other] of RIVALS) {
    if (given(one) && given(other)) add(one, `contradicts \`${other}\`: give one of the two`)
  }
  const values = readTable(TARGET, raw, problems, placeOf)
  if (!broken && !given('product')) add('product', 'is required')
  if (!broken && ['publish', 'plan'].includes(modeOf(raw)) && !given('file') && !given('asset')) {
    add('file', 'is required; give it, or `asset` for a file that is attached to the release')
  }
  if (values?.upload === 'base64' && values.benefit !== undefined) {
    const message =
      '"base64" cannot be used with a `benefit`: the shop documents it for products only'
    add('upload', message)
  }
  const product = values?.product
  if (broken || problems.length > before || !values || product === undefined) return undefined
  return { ...values, product, place }
}

/** Reads the inputs of a table; undefined, with problems added, when one is wrong. */
function readTable<T extends Table>(
  table: T,
  raw: (name: InputName) => string,
  problems: Fault[],
  placeOf: (name: string) => string
): Values<T> | undefined {
  const values: Record<string, unknown> = {}
  for (const [key, { name, parse }] of Object.entries(table)) {
    if (!isInputName(name)) continue
    try {
      values[key] = parse(raw(name).trim())
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      problems.push({ place: placeOf(name), message })
    }
  }
  return isWhole(values, table) ? values : undefined
}

function isWhole<T extends Table>(values: object, table: T): values is Values<T> {
  return Object.keys(table).every(key => Object.hasOwn(values, key))
}
