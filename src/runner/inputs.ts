// Reads the inputs of both actions by a table of parsers, and refuses `INPUT_…` variables that are none. Pure.
import { ActionError, type Complaint } from './action-error.ts'
import { textAt } from './json.ts'
import type { RunContext } from './runner.ts'
import { findSimilar } from './similar.ts'

type Parsers = Readonly<Record<string, (text: string) => unknown>>
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** The values of a table's inputs, by name in camel case. */
type Values<T extends Parsers> = {
  readonly [Name in keyof T as Camel<Name>]: ReturnType<T[Name]>
}

/** Parses the inputs of a table; `raw` trims them. If any is wrong, adds to `complaints` and returns undefined. */
export function readTable<T extends Parsers>(
  table: T,
  raw: (name: string) => string,
  complaints: Complaint[]
): Values<T> | undefined {
  const values: Record<string, unknown> = {}
  for (const [name, parse] of Object.entries(table)) {
    try {
      values[camelCase(name)] = parse(raw(name))
    } catch (error) {
      complaints.push({ place: name, message: textAt(error, 'message') })
    }
  }
  return isComplete(values, table) ? values : undefined
}

/** The error of inputs that are wrong: one sentence for one of them, a list for several. */
export function explainComplaints(complaints: readonly Complaint[]): ActionError {
  const [only, ...others] = complaints
  if (only && others.length === 0) {
    const { place, message, advice = '' } = only
    return new ActionError('bad-input', `${place}: ${message}.`, { advice })
  }
  return new ActionError('bad-input', `${complaints.length} inputs are wrong.`, { complaints })
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Whether every input of the table was parsed: a wrong one leaves no value. */
function isComplete<T extends Parsers>(values: object, table: T): values is Values<T> {
  return Object.keys(table).every(name => camelCase(name) in values)
}

/** Inputs of similar actions, and how to say the same here. */
interface Elsewhere {
  /** Hyphens and underscores are the same. */
  readonly names: readonly string[]
  /** The input that does it here; an action without it has no such hint. */
  readonly input: string
  /** Says more than the input's name. */
  readonly hint?: string
  /** Whether people there keep a version from being sent by it. */
  readonly sendsNothing?: true
}

const NOTHING = 'to send nothing, set `mode: plan`'
const ELSEWHERE: readonly Elsewhere[] = [
  {
    names: [
      'dry-run',
      'test-mode',
      'sandbox',
      'simulate',
      'skip',
      'notify',
      'email',
      'publish',
      'release-publish',
      'post-update'
    ],
    input: 'mode',
    hint: NOTHING,
    sendsNothing: true
  },
  {
    names: ['status', 'draft', 'release-mode'],
    input: 'mode',
    hint: `every version goes to buyers at once; ${NOTHING}`,
    sendsNothing: true
  },
  {
    names: ['beta', 'channel'],
    input: 'mode',
    hint: `without \`benefit\`, every version goes to all buyers; ${NOTHING}`,
    sendsNothing: true
  },

  { names: ['version', 'version-number'], input: 'version-name' },
  { names: ['name'], input: 'title' },
  { names: ['files', 'path', 'file-path', 'filename'], input: 'file' },
  {
    names: ['asset-path'],
    input: 'file',
    hint: 'the input is `file`, or `asset` for a file that is attached to the release'
  },
  { names: ['body', 'notes', 'release-notes'], input: 'changelog' },
  { names: ['body-path', 'changelog-path'], input: 'changelog-file' },
  { names: ['product-id'], input: 'product' },
  { names: ['benefit-id'], input: 'benefit' },
  {
    names: ['option-id'],
    input: 'benefit',
    hint: 'the input is `benefit`, and takes the id of the benefit, not of the option'
  },
  { names: ['access-token', 'api-token', 'shop-token'], input: 'token' },
  { names: ['tag-name'], input: 'tag' },
  { names: ['url', 'api-url'], input: 'base-url' }
]

/** The row of an input of a similar action; undefined if the name is none. */
function elsewhereOf(name: string): Elsewhere | undefined {
  const word = name.replaceAll('_', '-')
  return ELSEWHERE.find(({ names }) => names.includes(word))
}

/**
 * Complains about every `INPUT_…` variable that is none of the `declared` inputs: someone who wrote `status: draft` did
 * not want to mail everybody. Where a wrapping action's inputs leak into its steps, only the known names count.
 */
export function findUndeclared(
  { inputNames, leaksInputs }: Pick<RunContext, 'inputNames' | 'leaksInputs'>,
  declared: readonly string[]
): Complaint[] {
  return inputNames.flatMap(name => {
    if (declared.includes(name)) return []

    const elsewhere = elsewhereOf(name)
    const isKnown = elsewhere !== undefined && declared.includes(elsewhere.input)
    if (!isKnown && leaksInputs) return []

    const hint = isKnown ? hintFrom(elsewhere) : hintAt(name, declared)
    const own = `If INPUT_${name.toUpperCase()} is a variable of your own, rename it`
    return [{ place: name, message: `is not an input of this action: ${hint}. ${own}` }]
  })
}

function hintFrom({ input, hint = `the input is \`${input}\`` }: Elsewhere): string {
  return hint
}

/** Whether an input of a similar action is given by which people there keep a version from being sent. */
export function asksToSendNothing(
  { inputNames }: Pick<RunContext, 'inputNames'>,
  declared: readonly string[]
): boolean {
  const foreign = inputNames.filter(name => !declared.includes(name))
  return foreign.some(name => elsewhereOf(name)?.sendsNothing)
}

/** The input that is misspelled, or all of them. */
function hintAt(name: string, declared: readonly string[]): string {
  const word = name.replaceAll('_', '-')
  const isMeant = (input: string) => input.replaceAll('-', '') === word.replaceAll('-', '')
  const meant = declared.find(isMeant) ?? findSimilar(word, declared)
  return meant === undefined ? `the inputs are ${declared.join(', ')}` : `the input is \`${meant}\``
}
