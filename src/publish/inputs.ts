// The publish action's inputs: their names, their parsers, and the rules between them.
import { splitPatterns } from '../file/glob.ts'
import { parseTag, parseTagPattern, parseTemplateText } from '../release/tag.ts'
import { addUndeclared, judgeUndeclared } from '../runner/undeclared.ts'
import {
  enumOf,
  type Fault,
  oneOf,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  placeIn,
  readTable,
  required,
  type Values,
  withDefault
} from '../runner/values.ts'
import { parseTemplate } from '../shop/body.ts'
import type { Route } from '../shop/publish.ts'
import { parseApproval } from './approval.ts'
import type { TargetEntry } from './targets.ts'

const MODE_NAMES = ['publish', 'plan', 'check', 'settle', 'audit'] as const
/** The inputs of the step. Each parser throws an `Error` about a wrong text; times become milliseconds. */
const STEP = {
  'base-url': parseBaseUrl,
  token: parseSecret,
  tag: parseTag,
  'tag-pattern': parseTagPattern,
  prerelease: enumOf('skip', 'publish', 'only'),
  mode: enumOf(...MODE_NAMES),
  'settle-as': optional(text => oneOf(text, ['published', 'not-published'])),
  'audit-since': parseTag,
  order: enumOf('rising', 'any'),
  'file-version': enumOf('agree', 'any'),
  'asset-timeout': withDefault('60', text => parseSeconds(text, 'from 0')),
  'approved-plan': parseApproval,
  'base64-file': withDefault('{"name": "{file_name}", "content": "{base64}"}', parseTemplate),
  once: enumOf('require', 'auto', 'off'),
  'download-link': enumOf('auto', 'show', 'hide'),
  'stall-timeout': withDefault('60', parseSeconds),
  'response-timeout': optional(parseSeconds),
  'github-token': parseSecret
}

const PRODUCT = 'it is the number in the address of the product’s page in the admin dashboard'
const BENEFIT = 'it is the number `id` in the shop’s list of benefits, not the `option_id`'
const EMPTY_ID =
  'is empty, as a variable is that is not set: give the number, or leave the line out '
const TO_ALL = 'publish the product’s own file, for all its buyers'
const MOVE = 'Move `benefit` from the step into the entries that need it'
/** The inputs of a target, from its entry of `targets` or else from the step. */
const TARGET = {
  product: (text: string) => parseId(required(text), PRODUCT),
  benefit: optional(text => parseId(text, BENEFIT)),
  /** Glob patterns, templates not filled in yet. To publish or plan, one of `file` and `asset` has some. */
  file: parsePatterns,
  asset: parsePatterns,
  /** Patterns for what the archive must contain or, with `!`, must not. */
  contents: splitPatterns,
  'version-name': withDefault('{version}', parseTemplateText),
  title: withDefault('{name}', parseTemplateText),
  changelog: parseChangelog,
  'changelog-file': String,
  'changelog-section': enumOf('version', 'whole'),
  'changelog-fallback': parseTemplateText,
  'changelog-format': enumOf('markdown', 'html'),
  'changelog-links': enumOf('auto', 'keep', 'expand', 'strip'),
  upload: enumOf('multipart', 'base64')
}

const RIVALS: Readonly<Record<string, TargetInputName>> = {
  file: 'asset',
  asset: 'file',
  changelog: 'changelog-file',
  'changelog-file': 'changelog'
}
const NO_TOKEN =
  'is required, and empty. Is the name of the secret written as in the settings? A secret of an environment needs ' +
  '`environment:` in the job, a reusable workflow needs the secret passed under `secrets:` where it is called, and pull requests from ' +
  'forks get no secrets'
const AUDIT =
  'cannot be used with `mode: audit`, which compares releases with the record of what is published'
const ONLY = { 'approved-plan': 'publish', 'settle-as': 'settle', 'audit-since': 'audit' } as const

/** Every input, as action.yml declares them. */
export const INPUT_NAMES = [...Object.keys(STEP), ...Object.keys(TARGET), 'targets']
type TargetInputName = keyof typeof TARGET
export type InputName = keyof typeof STEP | TargetInputName | 'targets'
/** `place` is the entry, such as `entry 2`; empty for the step's only target. */
export type TargetInputs = Values<typeof TARGET> & Readonly<{ place: string; route: Route }>
export type PublishInputs = Values<typeof STEP> & Readonly<{ targets: readonly TargetInputs[] }>

/** How long the shop may take to answer, in milliseconds: by default 5 minutes, and a second for each MiB. */
export function answerTimeout(inputs: PublishInputs, bytes: number): number {
  return inputs.responseTimeout ?? 300_000 + 1000 * Math.ceil(bytes / 1024 ** 2)
}

/** An input's text; empty when it is not given. */
type Raw = (name: string) => string

/** What the inputs say. */
export interface ParsedInputs {
  /** The step's inputs, with the targets that are right; undefined if none is, or the step is not. */
  readonly inputs: PublishInputs | undefined
  /** At most one for each place. */
  readonly problems: Fault[]
  /** About variables that are no input. */
  readonly warnings: readonly string[]
  /** Such as `12, benefit 34`, whatever else is wrong. */
  readonly products: readonly string[]
}

/** Reads every input. `names` are those of all `INPUT_…` variables, as `RunContext` has them. */
export async function parsePublishInputs(
  input: Raw,
  names: readonly string[] = []
): Promise<ParsedInputs> {
  const raw = (name: string) => input(name).trim()
  const problems: Fault[] = []
  const step = readTable(STEP, raw, problems)
  problems.push(...problemsBetween(raw))
  const isRight = problems.length === 0
  const alone = { place: '', value: raw, hasUnknown: false }
  const list = raw('targets')
  const entries =
    list === ''
      ? [alone]
      : (await import('./targets.ts')).readTargets(list, Object.keys(TARGET), problems)
  const targets = entries.flatMap(entry => readTarget(raw, entry, problems) ?? [])
  const products = (entries.length > 0 ? entries : [alone]).map(({ value }) => {
    const ids = ['product', 'benefit'].map(name => value(name) ?? raw(name))
    return ids.join(', benefit ').replace(/, benefit $/, '')
  })
  const { faults, warnings } = judgeUndeclared(names, INPUT_NAMES)
  return {
    inputs: step && isRight && targets.length > 0 ? { ...step, targets } : undefined,
    problems: firstOfEachPlace(addUndeclared(problems, faults, raw)),
    warnings,
    products: products.filter(text => /^\d+(, benefit \d+)?$/.test(text))
  }
}

function firstOfEachPlace(problems: readonly Fault[]): Fault[] {
  const first = new Map<string, Fault>()
  for (const problem of problems) {
    if (!first.has(problem.place)) first.set(problem.place, problem)
  }
  return [...first.values()]
}

/** The mode; undefined for a wrong one, which must not hide what else is wrong for publishing. */
function modeOf(raw: Raw) {
  return MODE_NAMES.find(mode => mode === (raw('mode') || 'publish'))
}

function problemsBetween(raw: Raw): Fault[] {
  const problems: Fault[] = []
  const refuse = (isWrong: boolean, place: InputName, message: string) => {
    if (isWrong) problems.push({ place, message })
  }
  const lacks = (name: InputName) => raw(name) === ''
  const given = modeOf(raw)
  const [mode, once] = [given ?? 'publish', raw('once') || 'require']
  const isAudit = mode === 'audit'
  const keeps = mode === 'settle' || isAudit
  const sends = mode === 'publish' || mode === 'check'
  refuse(sends && lacks('token'), 'token', NO_TOKEN)
  const memory = `"off" contradicts \`mode: ${mode}\`, which needs the record of what is published`
  refuse(keeps && once === 'off', 'once', memory)
  const remembers = keeps || (mode === 'publish' && once === 'require')
  const own = 'is empty; leave it out to use the job’s own token'
  refuse(remembers && lacks('github-token'), 'github-token', own)
  const settling = 'is required with `mode: settle`: "published" or "not-published"'
  refuse(mode === 'settle' && lacks('settle-as'), 'settle-as', settling)
  for (const name of ['approved-plan', 'settle-as', 'audit-since'] as const) {
    const isMisplaced = given !== undefined && given !== ONLY[name] && !lacks(name)
    refuse(isMisplaced, name, `works only with \`mode: ${ONLY[name]}\``)
  }
  for (const name of ['file', 'asset', 'tag'] as const) refuse(isAudit && !lacks(name), name, AUDIT)
  const attached = !lacks('asset') || /\basset\b/.test(raw('targets'))
  const waiting = 'works only with `asset`: a `file` in the workspace is not waited for'
  refuse(!lacks('asset-timeout') && !attached, 'asset-timeout', waiting)
  return problems
}

function readTarget(step: Raw, entry: TargetEntry, problems: Fault[]): TargetInputs | undefined {
  const own: Fault[] = []
  /** The entry's own value, or else the step's; an entry's `asset` hides the step's `file`, and so on. */
  const raw: Raw = name => {
    const isHidden = entry.value(RIVALS[name] ?? '')
    return entry.value(name)?.trim() ?? (isHidden ? '' : step(name))
  }
  // A wrong value that comes from the step is reported at the step's input.
  const placeOf: Raw = name =>
    entry.value(name) !== undefined || raw(name) === '' ? placeIn(entry, name) : name
  const refuse = (isWrong: boolean, name: TargetInputName, message: string) => {
    if (isWrong) own.push({ place: placeOf(name), message })
  }
  for (const name of ['file', 'changelog'] as const) {
    const rival = RIVALS[name] ?? ''
    const both = raw(name) !== '' && raw(rival) !== ''
    refuse(both, name, `contradicts \`${rival}\`: give one of the two`)
  }
  // Hardly meant: without its benefit, an entry's file would go to all buyers of the product.
  const isEmpty = (name: string) => entry.place !== '' && entry.value(name)?.trim() === ''
  refuse(isEmpty('product'), 'product', `${EMPTY_ID}if the step has \`product\``)
  const taken = step('benefit') && `to take the step’s ${step('benefit')}. ${MOVE}, `
  refuse(isEmpty('benefit'), 'benefit', `${EMPTY_ID}${taken}to ${TO_ALL}`)
  const isWhole = entry.value('changelog-section')?.trim() === 'whole'
  const fileless = '"whole" works only with `changelog-file`'
  refuse(isWhole && raw('changelog-file') === '', 'changelog-section', fileless)
  const mode = modeOf(step) ?? 'publish'
  for (const name of ['file', 'asset'] as const) {
    refuse(mode === 'audit' && entry.place !== '' && !!entry.value(name), name, AUDIT)
  }
  const values = readTable(TARGET, raw, own, placeOf)
  const needsFile = mode === 'publish' || mode === 'plan'
  const none = 'is required; give it, or `asset` for a file that is attached to the release'
  refuse(needsFile && raw('file') + raw('asset') === '', 'file', none)
  const base64 = '"base64" cannot be used with a `benefit`: the shop documents it for products only'
  refuse(values?.upload === 'base64' && values.benefit !== undefined, 'upload', base64)
  const empty = Object.keys(TARGET).filter(name => raw(name) === '')
  const isMissing = ({ place }: Fault) => empty.some(name => placeOf(name) === place)
  problems.push(...own.filter(fault => !entry.hasUnknown || !isMissing(fault)))
  if (!values || own.length > 0) return undefined
  const { product, benefit } = values
  const route = benefit === undefined ? { product } : { product, benefit }
  return { ...values, place: entry.place, route }
}

/** A single line was typed by hand, so `{version}` there is a mistake. A longer text may hold anything. */
function parseChangelog(text: string): string {
  const isPath = /^[\w./-]+\.(?:md|markdown|txt|html?)$/i.test(text)
  if (isPath) throw new Error(`"${text}" names a file: use \`changelog-file\``)
  const [name] = text.includes('\n') ? [] : (/\{(?:tag|version|name)\}/.exec(text) ?? [])
  if (name) {
    const way = 'If that is meant, use `changelog-file`'
    throw new Error(`"${text}" would be sent as it is: ${name} is not filled in here. ${way}`)
  }
  return text
}

/** The first pattern must select files: `!` only takes files away from those that were selected before. */
function parsePatterns(text: string): string[] {
  const patterns = splitPatterns(text)
  const [first] = patterns
  if (text === '' || (first && !first.startsWith('!'))) return patterns
  throw new Error(
    `"${first ?? text}" selects no file: add a line above it with a pattern that does`
  )
}
