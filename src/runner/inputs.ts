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

/**
 * The error of inputs that are wrong: one sentence for one of them, a list for several. `advise` may have better advice
 * about a single one than to correct the workflow.
 */
export function explainComplaints(
  complaints: readonly Complaint[],
  advise: (complaint: Complaint) => string = () => ''
): ActionError {
  const [first, second] = complaints
  if (first && !second) {
    const message = `${first.place}: ${first.message}.`
    return new ActionError('bad-input', message, { advice: advise(first) })
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
  readonly hint: string
}

const NOTHING = 'to send nothing, set `mode: plan`'
const ELSEWHERE: readonly Elsewhere[] = [
  // Whoever wrote one of these did not want to mail everybody.
  {
    names: ['dry-run', 'test-mode', 'sandbox', 'simulate', 'skip', 'notify', 'email'],
    hint: NOTHING
  },
  { names: ['publish', 'release-publish', 'post-update'], hint: NOTHING },
  {
    names: ['status', 'draft', 'release-mode'],
    hint: `every version goes to buyers at once; ${NOTHING}`
  },
  {
    names: ['beta', 'channel'],
    hint: `without \`benefit\`, every version goes to all buyers; ${NOTHING}`
  },

  { names: ['version', 'version-number'], hint: 'the input is `version-name`' },
  { names: ['name'], hint: 'the input is `title`' },
  { names: ['files', 'path', 'file-path', 'filename'], hint: 'the input is `file`' },
  {
    names: ['asset-path'],
    hint: 'the input is `file`, or `asset` for a file that is attached to the release'
  },
  { names: ['body', 'notes', 'release-notes'], hint: 'the input is `changelog`' },
  { names: ['body-path', 'changelog-path'], hint: 'the input is `changelog-file`' },
  { names: ['product-id'], hint: 'the input is `product`' },
  { names: ['benefit-id'], hint: 'the input is `benefit`' },
  {
    names: ['option-id'],
    hint: 'the input is `benefit`, and takes the id of the benefit, not of the option'
  },
  { names: ['access-token', 'api-token', 'shop-token'], hint: 'the input is `token`' },
  { names: ['tag-name'], hint: 'the input is `tag`' },
  { names: ['url', 'api-url'], hint: 'the input is `base-url`' }
]

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
    const { hint: hinted = '' } = ELSEWHERE.find(({ names }) => names.includes(word)) ?? {}
    const known = declared.some(input => hinted.includes(`\`${input}`)) ? hinted : undefined
    if (known === undefined && leaksInputs) return []

    const hint = known ?? hintAt(word, declared)
    const own = `If INPUT_${name.toUpperCase()} is a variable of your own, rename it`
    return [{ place: name, message: `is not an input of this action: ${hint}. ${own}` }]
  })
}

/** Whether an input of a similar action is given by which people there keep a version from being sent. */
export function asksToSendNothing(
  { inputNames }: Pick<RunContext, 'inputNames'>,
  declared: readonly string[]
): boolean {
  const foreign = inputNames.filter(name => !declared.includes(name))
  const words = foreign.map(name => name.replaceAll('_', '-'))
  const cautious = ELSEWHERE.filter(({ hint }) => hint.includes(NOTHING))
  return cautious.some(({ names }) => names.some(name => words.includes(name)))
}

/** The input that is misspelled, or all of them. */
function hintAt(word: string, declared: readonly string[]): string {
  const isMeant = (input: string) => input.replaceAll('-', '') === word.replaceAll('-', '')
  const meant = declared.find(isMeant) ?? findSimilar(word, declared)
  return meant === undefined ? `the inputs are ${declared.join(', ')}` : `the input is \`${meant}\``
}
