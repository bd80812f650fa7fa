// Reads the inputs of both actions by a table of parsers, and refuses `INPUT_…` variables that are none. Pure.
import { ActionError, type Complaint } from './action-error.ts'
import type { RunContext } from './runner.ts'
import { findSimilar } from './similar.ts'
import { messageOf } from './words.ts'

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
      complaints.push({ place: name, message: messageOf(error) })
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

/** Inputs of similar actions, and the input that does it here. By those of `mode`, people there keep a version back. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'dry-run': 'mode',
  'test-mode': 'mode',
  sandbox: 'mode',
  simulate: 'mode',
  skip: 'mode',
  notify: 'mode',
  email: 'mode',
  publish: 'mode',
  'release-publish': 'mode',
  'post-update': 'mode',
  status: 'mode',
  draft: 'mode',
  'release-mode': 'mode',
  beta: 'mode',
  channel: 'mode',
  version: 'version-name',
  'version-number': 'version-name',
  name: 'title',
  files: 'file',
  path: 'file',
  'file-path': 'file',
  filename: 'file',
  'asset-path': 'file',
  body: 'changelog',
  notes: 'changelog',
  'release-notes': 'changelog',
  'body-path': 'changelog-file',
  'changelog-path': 'changelog-file',
  'product-id': 'product',
  'benefit-id': 'benefit',
  'option-id': 'benefit',
  'access-token': 'token',
  'api-token': 'token',
  'shop-token': 'token',
  'tag-name': 'tag',
  url: 'base-url',
  'api-url': 'base-url'
}

/** The input that a name of a similar action stands for; undefined if it stands for none. */
function inputElsewhere(name: string): string | undefined {
  const word = name.replaceAll('_', '-')
  return Object.hasOwn(ELSEWHERE, word) ? ELSEWHERE[word] : undefined
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

    const input = inputElsewhere(name)
    const known = input !== undefined && declared.includes(input) ? input : undefined
    if (known === undefined && leaksInputs) return []

    const hint = known === undefined ? hintAt(name, declared) : hintFrom(known)
    const own = `If INPUT_${name.toUpperCase()} is a variable of your own, rename it`
    return [{ place: name, message: `is not an input of this action: ${hint}. ${own}` }]
  })
}

function hintFrom(input: string): string {
  return input === 'mode'
    ? 'every version goes to buyers at once; to send nothing, set `mode: plan`'
    : `the input is \`${input}\``
}

/** Whether an input of a similar action is given by which people there keep a version from being sent. */
export function holdsBack(
  { inputNames }: Pick<RunContext, 'inputNames'>,
  declared: readonly string[]
): boolean {
  const foreign = inputNames.filter(name => !declared.includes(name))
  return foreign.some(name => inputElsewhere(name) === 'mode')
}

/** The input that is misspelled, or all of them. */
function hintAt(name: string, declared: readonly string[]): string {
  const word = name.replaceAll('_', '-')
  const isMeant = (input: string) => input.replaceAll('-', '') === word.replaceAll('-', '')
  const meant = declared.find(isMeant) ?? findSimilar(word, declared)
  return meant === undefined ? `the inputs are ${declared.join(', ')}` : `the input is \`${meant}\``
}
