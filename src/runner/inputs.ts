// What both actions do with their inputs: read a table of them, and refuse `INPUT_…` variables that are none. Pure.
import { ActionError, type Complaint } from './action-error.ts'
import { textAt } from './json.ts'
import type { RunContext } from './runner.ts'
import { findSimilar } from './similar.ts'

type Parsers = Readonly<Record<string, (text: string) => unknown>>
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
/** What the parsers of a table return, by name in camel case. */
export type Values<T extends Parsers> = {
  readonly [Name in keyof T as Camel<Name>]: ReturnType<T[Name]>
}

/** Parses the inputs of a table, trimmed. If any is wrong, adds to `complaints` and returns undefined. */
export function readTable<T extends Parsers>(
  table: T,
  raw: (name: string) => string,
  complaints: Complaint[]
): Values<T> | undefined {
  const values: Record<string, unknown> = {}
  for (const [name, parse] of Object.entries(table)) {
    try {
      values[camelCase(name)] = parse(raw(name).trim())
    } catch (error) {
      complaints.push({ place: name, message: textAt(error, 'message') })
    }
  }
  return isComplete(values, table) ? values : undefined
}

/** The error of inputs that are wrong: one sentence for one of them, a list for several. */
export function explainComplaints(complaints: readonly Complaint[]): ActionError {
  const [first, second] = complaints
  if (first && !second) return new ActionError('bad-input', `${first.place}: ${first.message}.`)
  return new ActionError('bad-input', `${complaints.length} inputs are wrong.`, { complaints })
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Whether every input of the table was parsed: a wrong one leaves no value. */
function isComplete<T extends Parsers>(values: object, table: T): values is Values<T> {
  return Object.keys(table).every(name => camelCase(name) in values)
}

const NOTHING = 'to send nothing, set `mode: plan`'
/** What similar actions call differently, and what it is called here. Hyphens and underscores are the same. */
const ELSEWHERE = [
  ['dry-run test-mode sandbox simulate skip notify email', NOTHING],
  ['publish release-publish post-update', NOTHING],
  ['status draft release-mode', `every version goes to buyers at once; ${NOTHING}`],
  ['beta channel', `without \`benefit\`, every version goes to all buyers; ${NOTHING}`],
  ['version version-number', 'the input is `version-name`'],
  ['name', 'the input is `title`'],
  ['files path file-path filename', 'the input is `file`'],
  ['asset-path', 'the input is `file`, or `asset` for a file that is attached to the release'],
  ['body notes release-notes', 'the input is `changelog`'],
  ['body-path changelog-path', 'the input is `changelog-file`'],
  ['product-id', 'the input is `product`'],
  ['benefit-id', 'the input is `benefit`'],
  ['option-id', 'the input is `benefit`, and takes the id of the benefit, not of the option'],
  ['access-token api-token shop-token', 'the input is `token`'],
  ['tag-name', 'the input is `tag`'],
  ['url api-url', 'the input is `base-url`']
] as const

/**
 * Complains about every `INPUT_…` variable that is none of the `declared` inputs: who wrote `status: draft` did not
 * want to mail everybody. Where a wrapping action's inputs leak into its steps, only the known names count.
 */
export function findUndeclared(
  { inputNames, leaksInputs }: Pick<RunContext, 'inputNames' | 'leaksInputs'>,
  declared: readonly string[]
): Complaint[] {
  return inputNames.flatMap(name => {
    if (declared.includes(name)) return []
    const word = name.replaceAll('_', '-')
    const [, hinted = ''] = ELSEWHERE.find(([names]) => names.split(' ').includes(word)) ?? []
    const known = declared.some(input => hinted.includes(`\`${input}`)) ? hinted : undefined
    if (known === undefined && leaksInputs) return []
    const hint = known ?? hintAt(word, declared)
    const own = `If INPUT_${name.toUpperCase()} is a variable of your own, rename it`
    return [{ place: name, message: `is not an input of this action: ${hint}. ${own}` }]
  })
}

/** The input that is misspelled, or all of them. */
function hintAt(word: string, declared: readonly string[]): string {
  const isMeant = (input: string) => input.replaceAll('-', '') === word.replaceAll('-', '')
  const meant = declared.find(isMeant) ?? findSimilar(word, declared)
  return meant === undefined ? `the inputs are ${declared.join(', ')}` : `the input is \`${meant}\``
}
