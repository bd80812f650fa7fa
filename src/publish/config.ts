// The inputs of the publish action, read once: their parsers, the rules between them, and what the button says.

import { posix } from 'node:path'
import { isExclusion, splitPatterns, withSlashes } from '../files/patterns.ts'
import { parseTag, parseTagPattern, parseTitle, parseVersionName } from '../release/tag.ts'
import type { Asked } from '../report/asked.ts'
import { describeSecretRemedy } from '../report/guidance.ts'
import { MODE_NAMES, type Mode, rulesOf } from '../report/modes.ts'
import type { Complaint } from '../runner/action-error.ts'
import { explainComplaints, findUndeclared, readTable } from '../runner/inputs.ts'
import {
  enumOf,
  oneOf,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  parseServiceSecret,
  parseSwitch,
  required,
  withDefault
} from '../runner/parsers.ts'
import type { Runner } from '../runner/runner.ts'
import { type FileObjectTemplate, parseTemplate } from '../shop/body.ts'
import type { Route } from '../shop/request.ts'
import { chosenMode, describeWrongMode, describeWrongTag } from './read-asked.ts'

const PRODUCT = 'it is the number in the address of the product’s page in the admin dashboard'
const BENEFIT = 'it is the number `id` in the shop’s list of benefits, not the `option_id`'

const NO_BENEFIT =
  'Give the benefit’s id; write `none` only to publish to all buyers of the product'
const NO_DIGEST =
  'Pass the output `sha256` of the plan. GitHub drops a job’s output that contains the value of a secret, and a short number that is kept as one is enough for that'
const NO_VERSION_NAME = 'Leave the input out to name the version after the tag'

/** Every input, as action.yml declares them. Each parser throws an `Error` about a wrong text; times become milliseconds. */
const INPUTS = {
  'base-url': parseBaseUrl,
  token: parseToken,
  product: (text: string) => parseId(required(text), PRODUCT),
  benefit: orNone(text => parseId(text, BENEFIT), NO_BENEFIT),
  file: (text: string) => parsePatterns(withSlashes(text)),
  asset: parsePatterns,
  'asset-timeout': withDefault('60', text => parseSeconds(text, { mayBeZero: true })),
  sha256: orNone(parseDigest, NO_DIGEST),
  contents: parseContents,
  tag: parseTag,
  'tag-pattern': parseTagPattern,
  'version-name': (text: string) => parseVersionName(notEmpty(text, NO_VERSION_NAME)),
  title: withDefault('{name}', parseTitle),
  changelog: parseChangelog,
  'changelog-file': withSlashes,
  'changelog-format': enumOf('markdown', 'html'),
  'changelog-links': enumOf('auto', 'keep', 'strip'),
  prerelease: enumOf('skip', 'publish', 'only'),
  mode: optional(text => oneOf(text, MODE_NAMES)),
  'allow-lower': parseSwitch,
  'allow-other-version': parseSwitch,
  upload: enumOf('multipart', 'base64'),
  'base64-file': withDefault('{"name": "{file_name}", "content": "{base64}"}', parseTemplate),
  'stall-timeout': withDefault('60', parseSeconds),
  // A person may look into the shop 15 minutes after the `in_progress`: no run may wait for an answer for so long.
  'response-timeout': withDefault('600', text => parseSeconds(text, { most: 720 })),
  'github-token': parseSecret
}

/** The names of the inputs. */
export const INPUT_NAMES: readonly string[] = Object.keys(INPUTS)

/** The inputs of one step, parsed, with the mode. A text is empty if its input is not given. */
export interface PublishConfig {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
  /** Empty in a mode that does not ask the shop. */
  readonly token: string
  readonly route: Route
  readonly mode: Mode

  /** Patterns; none if it is not given. */
  readonly file: readonly string[]
  readonly asset: readonly string[]
  /** In milliseconds. */
  readonly assetTimeout: number
  /** The only file that may be sent, in lower case; undefined if any may. */
  readonly sha256: string | undefined
  readonly contents: readonly string[]

  /** From the step, or from the button. */
  readonly tag: string
  readonly tagPattern: string
  /** Templates for the names of the version. */
  readonly versionName: string
  readonly title: string

  readonly changelog: string
  /** A path, with placeholders. */
  readonly changelogFile: string
  readonly changelogFormat: 'markdown' | 'html'
  readonly changelogLinks: 'auto' | 'keep' | 'strip'

  readonly prerelease: 'skip' | 'publish' | 'only'
  readonly allowLower: boolean
  readonly allowOtherVersion: boolean

  readonly upload: 'multipart' | 'base64'
  readonly base64File: FileObjectTemplate
  /** In milliseconds. */
  readonly stallTimeout: number
  /** In milliseconds. */
  readonly responseTimeout: number
  readonly githubToken: string
}

/**
 * Reads every input.
 * @throws {ActionError} `bad-input`, with all that is wrong with the inputs and what was asked for.
 */
export function readConfig(
  { context, input: raw }: Pick<Runner, 'context' | 'input'>,
  asked: Asked
): PublishConfig {
  const mode = chosenMode(asked)
  const complaints = findUndeclared(context, INPUT_NAMES)

  // At a button, the job of the plan may be skipped, and its output be empty.
  const isIgnored = (name: string) => name === 'sha256' && !rulesOf(mode).needsFile
  const read = (name: string) => (isIgnored(name) ? 'none' : raw(name))
  const values = readTable(INPUTS, read, complaints)

  complaints.push(...contradictionsIn(raw, mode, asked))
  if (!values || complaints.length > 0) throw explainComplaints(complaints)

  const { product, benefit, ...others } = values
  return Object.freeze({
    ...others,
    mode,
    route: benefit === undefined ? { product } : { product, benefit },
    tag: values.tag || asked.button.tag
  })
}

const NO_TOKEN =
  'is empty. Most often, the secret has another name in the settings; or it is one of an environment that the job does ' +
  'not name with `environment:`, of an organization that does not share it, or of a workflow that does not pass it on'

/** Whether a path names a file of one version alone, which is sent whole. */
export function isOfOneVersion(changelogFile: string): boolean {
  return /\{(?:version|tag)\}/.test(posix.basename(withSlashes(changelogFile)))
}

/**
 * Complains about inputs that are right by themselves, but not together. It reads them as they are written, since all
 * complaints are collected, and an input that is wrong by itself has no value.
 */
function contradictionsIn(raw: (name: string) => string, mode: Mode, asked: Asked): Complaint[] {
  const complaints: Complaint[] = []
  const complain = (place: keyof typeof INPUTS, message: string, advice = '') => {
    complaints.push({ place, message, advice })
  }
  const has = (name: keyof typeof INPUTS) => raw(name) !== ''
  const rules = rulesOf(mode)

  const modeProblem = describeWrongMode(asked)
  if (modeProblem !== '') complain('mode', modeProblem)

  const tagProblem = describeWrongTag(asked)
  if (tagProblem !== '') complain('tag', tagProblem)

  if (rules.asksShop && !has('token')) complain('token', NO_TOKEN, describeSecretRemedy(asked))
  if (has('token') && raw('token') === raw('github-token')) {
    complain('token', 'is GitHub’s own token: give the one from the shop’s admin dashboard')
  }

  if (rules.needsFile && !has('file') && !has('asset')) {
    complain('file', 'is required; give it, or `asset` for a file that is attached to the release')
  }
  if (has('file') && has('asset')) {
    complain('file', 'contradicts `asset`: give one of the two')
  }
  if (has('changelog') && has('changelog-file')) {
    complain('changelog', 'contradicts `changelog-file`: give one of the two')
  }
  const isOwnText = has('changelog') || isOfOneVersion(raw('changelog-file'))
  if (raw('changelog-format') === 'html' && !isOwnText) {
    complain(
      'changelog-format',
      '"html" is for a text of your own, in `changelog` or a file of this version alone: the shop takes release notes and sections as Markdown'
    )
  }

  const hasBenefit = has('benefit') && raw('benefit') !== 'none'
  if (raw('upload') === 'base64' && hasBenefit) {
    complain(
      'upload',
      '"base64" cannot be used with `benefit`: the shop documents it for products only'
    )
  }

  if (rules.needsRecord && !has('github-token')) {
    complain('github-token', 'is empty; leave it out to use the job’s own token')
  }
  return complaints
}

/** Makes a parser that returns undefined for `none`. */
function orNone<Value>(parse: (text: string) => Value, advice: string) {
  return (text: string): Value | undefined =>
    notEmpty(text, advice) === 'none' ? undefined : parse(text)
}

/** Returns a text that has a default, which the runner gives where the input is left out: an empty one is a slip. */
function notEmpty(text: string, advice: string): string {
  if (text !== '') return text
  throw new Error(`is empty, so perhaps a variable is not set, or a job was skipped. ${advice}`)
}

/** Patterns, one a line. Throws an `Error` about a line in quotes, which YAML or a shell would have taken off. */
function parseLines(text: string): string[] {
  const patterns = splitPatterns(text)
  const quoted = patterns.find(it => /^!?\s*(?:".*"|'.*'|`.*`|“.*”|‘.*’|«.*»)$/.test(it))
  if (quoted === undefined) return patterns
  throw new Error(`${quoted} has quotes around it, and no name has them: leave them out`)
}

/** Patterns of paths that an archive must have, or with `!` must not have. Throws an `Error` for `!gallery\tests\**`, which would exclude nothing. */
function parseContents(text: string): string[] {
  const patterns = parseLines(text)
  const windows = patterns.find(it => it.includes('\\'))
  if (windows === undefined) return patterns
  throw new Error(`"${windows}" has backslashes: write "${withSlashes(windows)}"`)
}

/** The patterns of what to publish. An exclusion counts for what the lines above it match. */
function parsePatterns(text: string): string[] {
  const patterns = parseLines(text)
  if (text === '') return patterns
  const [first] = patterns
  if (first === undefined) {
    const start = text.split('\n', 1)[0]
    throw new Error(`"${start}" is a comment: write "./${start}" for a name that begins with "#"`)
  }
  if (!isExclusion(first)) return patterns
  throw new Error(`"${text}" excludes before it names anything: begin with what to publish`)
}

function parseToken(text: string): string {
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  if (/^(?:gh[pousr]_|github_pat_)/.test(text)) {
    throw new Error('is a GitHub token: give the one from the shop’s admin dashboard')
  }
  return parseServiceSecret(text, 'token')
}

function parseDigest(text: string): string {
  if (/^[\da-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new Error(`"${text.slice(0, 80)}" is not a SHA-256 (64 hexadecimal digits)`)
}

/** A single line was typed by hand, so `{version}` there is a mistake. A longer text may hold anything. */
function parseChangelog(text: string): string {
  const [name] = text.includes('\n') ? [] : (/\{(?:tag|version|name)\}/.exec(text) ?? [])
  if (name) throw new Error(`"${text}" would be sent as it is: ${name} is not filled in here`)
  return text
}
