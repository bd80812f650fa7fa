// Judges `INPUT_…` variables that are no input of the action: the runner passes them on with a mere warning. Pure.
import type { Fault } from './values.ts'

/** Such as a misspelled input. `meant` is the input that was probably meant. */
export type Undeclared = Fault & { readonly meant: string }

/** Names of similar actions' inputs, by the input of ours that does the same. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  mode: ['dry-run', 'draft', 'test-run'],
  benefit: ['benefit-id', 'option', 'option-id'],
  'base-url': ['api-url', 'api-base-url', 'server-url', 'service-url', 'shop-url', 'url'],
  token: ['access-token', 'api-key', 'api-token', 'auth-token', 'personal-access-token', 'pat'],
  'api-key': ['access-token', 'api-token', 'auth-token', 'token', 'x-api-key'],
  'github-token': ['gh-token', 'repo-token'],
  product: ['product-id', 'project-id'],
  file: ['file-path', 'file-glob', 'files', 'zip-file', 'zip-path', 'path', 'release-file'],
  asset: ['artifact', 'artifacts', 'artifact-name', 'artifact-path', 'asset-name', 'asset-path'],
  tag: ['tag-name', 'git-tag', 'github-tag', 'release-tag', 'ref'],
  'tag-pattern': ['tag-prefix', 'tag-format', 'version-pattern'],
  'version-name': ['version', 'version-number', 'release-version'],
  title: ['name', 'release-name', 'release-title', 'version-title'],
  changelog: ['release-notes', 'release-body', 'body', 'notes', 'description'],
  'changelog-file': [
    'changelog-path',
    'body-file',
    'body-path',
    'notes-file',
    'release-notes-file'
  ],
  output: ['output-file', 'output-path', 'file-path', 'path'],
  format: ['output-format', 'type']
}
/** What is not sent because of these, or sent to fewer: to go on without them could mail the wrong people. */
const DECISIVE = ['mode', 'benefit']
/** In characters; no input has a longer name. */
const LONGEST_INPUT = 60

/**
 * Judges the names of the variables, in lower case and without `INPUT_`. `faults` are names that are surely meant
 * for `declared` inputs; `warnings` are about names that people also give to variables of their own.
 */
export function judgeUndeclared(names: readonly string[], declared: readonly string[]) {
  const faults: Undeclared[] = []
  const warnings: string[] = []
  const foreign = Object.entries(FOREIGN).filter(([input]) => declared.includes(input))
  for (const name of names) {
    if (declared.includes(name) || name.length > LONGEST_INPUT) continue
    const isSame = (other: string) => plain(other) === plain(name)
    const [alias] = foreign.find(([, aliases]) => aliases.some(isSame)) ?? []
    const meant = alias ?? declared.find(input => isNear(plain(name), plain(input)))
    if (meant === undefined) continue
    const right = meant === 'mode' && alias ? '`mode: plan`' : `\`${meant}\``
    const variable = `INPUT_${name.toUpperCase()}`
    if (alias === undefined || name.includes('-') || DECISIVE.includes(alias)) {
      const own = `If ${variable} is a variable of your own, from \`env:\`, rename it`
      const message = `is not an input of this action. Did you mean ${right}? ${own}`
      faults.push({ place: name, message, meant })
    } else {
      warnings.push(
        `"${name}" is not an input of this action, and is ignored. Did you mean ${right}? ` +
          `A variable ${variable} of your own may stay.`
      )
    }
  }
  return { faults, warnings }
}

/** All that is wrong: with `problems`, but for inputs that are missing because they were given under another name. */
export function addUndeclared(
  problems: readonly Fault[],
  faults: readonly Undeclared[],
  raw: (name: string) => string
): Fault[] {
  const isMeant = ({ place }: Fault) =>
    raw(place) === '' && faults.some(({ meant }) => meant === place)
  return [...faults, ...problems.filter(problem => !isMeant(problem))]
}

/** A name without what people write differently: `base-url`, `base_url` and `baseurl` are the same. */
function plain(name: string): string {
  return name.replace(/[-_]/g, '')
}

/** Whether a name may be a misspelled input: one letter differs, or two of nine or more. */
function isNear(name: string, input: string): boolean {
  const most = input.length < 9 ? 1 : 2
  return Math.abs(name.length - input.length) <= most && distance(name, input) <= most
}

/** How many letters to add, to leave out, to replace, or to swap with the next one, to get the other text. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const steps = [
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1
      ]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) steps.push((before[j - 2] ?? 0) + 1)
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
