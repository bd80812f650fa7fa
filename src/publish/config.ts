// The inputs of the publish action, read once: their parsers, the rules between them, and what the button says.
import { isExclusion, splitPatterns } from '../files/find.ts'
import { parseTag, parseTagPattern, parseTemplateText } from '../release/tag.ts'
import type { Complaint } from '../runner/action-error.ts'
import { explainComplaints, findUndeclared, readTable, type Values } from '../runner/inputs.ts'
import type { Runner } from '../runner/runner.ts'
import {
  at,
  enumOf,
  oneOf,
  optional,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  parseSwitch,
  required,
  withDefault
} from '../runner/values.ts'
import { parseTemplate } from '../shop/body.ts'
import type { Route } from '../shop/publish.ts'

const MODES = ['publish', 'plan', 'check', 'audit', 'mark-published', 'mark-not-published'] as const
type Mode = (typeof MODES)[number]

const PRODUCT = 'it is the number in the address of the product’s page in the admin dashboard'
const BENEFIT = 'it is the number `id` in the shop’s list of benefits, not the `option_id`'

/** Every input, as action.yml declares them. Each parser throws an `Error` about a wrong text; times become milliseconds. */
const INPUTS = {
  'base-url': parseBaseUrl,
  token: parseToken,
  product: (text: string) => parseId(required(text), PRODUCT),
  benefit: orNone(text => parseId(text, BENEFIT)),
  file: parsePatterns,
  asset: parsePatterns,
  'asset-timeout': withDefault('60', text => parseSeconds(text, { from: 0 })),
  contents: splitPatterns,
  tag: parseTag,
  'tag-pattern': parseTagPattern,
  'version-name': withDefault('{version}', parseTemplateText),
  title: withDefault('{name}', parseTemplateText),
  changelog: parseChangelog,
  'changelog-file': String,
  'changelog-fallback': parseTemplateText,
  'changelog-format': enumOf('markdown', 'html'),
  'changelog-links': enumOf('auto', 'keep', 'strip'),
  prerelease: enumOf('skip', 'publish', 'only'),
  mode: optional(text => oneOf(text, MODES)),
  'audit-since': parseTag,
  'approved-plan': orNone(parseDigest),
  'allow-lower': parseSwitch(false),
  'allow-other-version': parseSwitch(false),
  upload: enumOf('multipart', 'base64'),
  'base64-file': withDefault('{"name": "{file_name}", "content": "{base64}"}', parseTemplate),
  record: parseSwitch(true),
  'stall-timeout': withDefault('60', parseSeconds),
  // The record takes a request for dead 15 minutes after its last bytes may have gone: no answer may take so long.
  'response-timeout': withDefault('600', text => parseSeconds(text, { most: 720 })),
  'github-token': parseSecret
}
/** What one step is to do, and with what: the inputs, parsed. */
export type PublishConfig = Readonly<
  Omit<Values<typeof INPUTS>, 'mode'> & { mode: Mode; route: Route }
>

/** Reads every input, and the button of a run by hand. Throws an `ActionError` with all that is wrong. */
export async function readConfig(runner: Runner): Promise<PublishConfig> {
  const { context } = runner
  const raw = (name: string) => runner.input(name).trim()
  const complaints = findUndeclared(context, Object.keys(INPUTS))
  const button = buttonOf(context.eventName, await runner.payload())
  const values = readTable(INPUTS, raw, complaints)
  const mode = modeOf(raw('mode'), button.mode, context.eventName, complaints)
  complaints.push(...contradictionsIn(raw, mode))
  if (!values || mode === undefined || complaints.length > 0) throw explainComplaints(complaints)
  const { product, benefit } = values
  const route = benefit === undefined ? { product } : { product, benefit }
  return Object.freeze({ ...values, mode, route, tag: values.tag || parseTag(button.tag ?? '') })
}

/** What was chosen at *Run workflow*; undefined for an input that the workflow does not have. */
function buttonOf(eventName: string, payload: unknown) {
  const inputs = eventName === 'workflow_dispatch' ? at(payload, 'inputs') : undefined
  const textOf = (name: string) => {
    const value = at(inputs, name)
    return value === undefined || value === null ? undefined : String(value).trim()
  }
  return { mode: textOf('mode'), tag: textOf('tag') }
}

/**
 * The mode: the input, or else the button's, so that neither a missing line in the workflow nor a slip in it makes
 * a `check` publish. Undefined for one that is wrong.
 */
function modeOf(
  given: string,
  chosen: string | undefined,
  eventName: string,
  complaints: Complaint[]
): Mode | undefined {
  // A wrong input has its complaint already.
  if (given !== '') return MODES.find(mode => mode === given)
  if (chosen === undefined) return eventName.startsWith('pull_request') ? 'plan' : 'publish'
  const mode = MODES.find(one => one === chosen)
  const list = `Let it offer ${MODES.map(one => `"${one}"`).join(', ')}, or set \`mode\` in the step`
  const is = chosen === '' ? 'is empty' : `is "${chosen}", which is no mode of this action`
  if (!mode) complaints.push({ place: 'mode', message: `the workflow's own input ${is}. ${list}` })
  return mode
}

const NO_TOKEN =
  'is required, and empty. Is the name of the secret written as in the settings? A secret of an environment needs ' +
  '`environment:` in the job, a reusable workflow needs the secret passed to it, and pull requests from forks get none'

function contradictionsIn(raw: (name: string) => string, mode: Mode | undefined): Complaint[] {
  const complaints: Complaint[] = []
  const refuse = (isWrong: boolean, place: keyof typeof INPUTS, message: string) => {
    if (isWrong) complaints.push({ place, message })
  }
  const has = (name: keyof typeof INPUTS) => raw(name) !== ''
  const asksShop = mode === 'publish' || mode === 'check'
  refuse(asksShop && !has('token'), 'token', NO_TOKEN)
  const isGitHubs = has('token') && raw('token') === raw('github-token')
  refuse(isGitHubs, 'token', 'is GitHub’s own token: give the one from the shop’s admin dashboard')
  const needsFile = mode === 'publish' || mode === 'plan'
  const noFile = 'is required; give it, or `asset` for a file that is attached to the release'
  refuse(needsFile && !has('file') && !has('asset'), 'file', noFile)
  refuse(has('file') && has('asset'), 'file', 'contradicts `asset`: give one of the two')
  const twoTexts = has('changelog') && has('changelog-file')
  refuse(twoTexts, 'changelog', 'contradicts `changelog-file`: give one of the two')
  const hasBenefit = has('benefit') && raw('benefit') !== 'none'
  const base64 = '"base64" cannot be used with `benefit`: the shop documents it for products only'
  refuse(raw('upload') === 'base64' && hasBenefit, 'upload', base64)
  const needsRecord = mode === 'audit' || mode?.startsWith('mark-') === true
  const noRecord = `"false" contradicts \`mode: ${mode}\`, which needs the record`
  refuse(needsRecord && raw('record') === 'false', 'record', noRecord)
  const usesRecord = needsRecord || (mode === 'publish' && raw('record') !== 'false')
  const noGitHub = 'is empty; leave it out to use the job’s own token'
  refuse(usesRecord && !has('github-token'), 'github-token', noGitHub)
  return complaints
}

/** Makes a parser that returns undefined for `none`. The runner gives that by default: an empty text is a slip. */
function orNone<Value>(parse: (text: string) => Value) {
  return (text: string): Value | undefined => {
    if (text === '') throw new Error('is empty (is a variable not set?). Write `none` if it is')
    return text === 'none' ? undefined : parse(text)
  }
}

/** The patterns of what to publish. An exclusion counts for what the lines above it match. */
function parsePatterns(text: string): string[] {
  const patterns = splitPatterns(text)
  const [first = '!'] = patterns
  if (text === '' || !isExclusion(first)) return patterns
  throw new Error(`"${text}" excludes before it names anything: begin with what to publish`)
}

function parseToken(text: string): string {
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  if (/^(?:gh[pousr]_|github_pat_)/.test(text)) {
    throw new Error('is a token of GitHub: give the one from the shop’s admin dashboard')
  }
  return parseSecret(text)
}

function parseDigest(text: string): string {
  const [, digest] = /^(?:sha256:)?([\da-f]{64})$/i.exec(text) ?? []
  if (digest !== undefined) return digest.toLowerCase()
  throw new Error(
    `"${text.slice(0, 80)}" is not the output \`plan_digest\` of a plan (64 hexadecimal digits)`
  )
}

/** A single line was typed by hand, so `{version}` there is a mistake. A longer text may hold anything. */
function parseChangelog(text: string): string {
  const isPath = /^[\w./-]+\.(?:md|markdown|txt|html?)$/i.test(text)
  if (isPath) throw new Error(`"${text}" names a file: use \`changelog-file\``)
  const [name] = text.includes('\n') ? [] : (/\{(?:tag|version|name)\}/.exec(text) ?? [])
  if (name) throw new Error(`"${text}" would be sent as it is: ${name} is not filled in here`)
  return text
}
