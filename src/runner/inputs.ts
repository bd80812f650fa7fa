// Reads the inputs of both actions by a table of parsers, and refuses `INPUT_…` variables that are none. Pure.
import { ActionError, type Complaint } from './action-error.ts'
import type { RunContext } from './runner.ts'
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

/**
 * Complains about every `INPUT_…` variable that is none of the `declared` inputs: someone who wrote `status: draft` did
 * not want to mail everybody.
 */
export function findUndeclared(
  { inputNames }: Pick<RunContext, 'inputNames'>,
  declared: readonly string[]
): Complaint[] {
  const variables = declared.map(input => input.toUpperCase())
  const foreign = inputNames.filter(name => !variables.includes(name))
  return foreign.map(name => {
    const own = `If INPUT_${name} is a variable of your own, rename it`
    const message = `is not an input of this action: ${describeMeant(name, declared)}. ${own}`
    return { place: name.toLowerCase(), message }
  })
}

/** The input that differs by case, `_` and `-` alone, or all of them. */
function describeMeant(name: string, declared: readonly string[]): string {
  const lettersOf = (input: string) => input.toLowerCase().replace(/[-_]/g, '')
  const meant = declared.find(input => lettersOf(input) === lettersOf(name))
  return meant === undefined ? `the inputs are ${declared.join(', ')}` : `the input is \`${meant}\``
}
