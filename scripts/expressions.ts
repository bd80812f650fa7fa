// Owns the check that no regular expression of the sources can take long: none is exponential or worse than quadratic,
// and a quadratic one has its reason here.
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { check } from 'recheck'
import { minify } from 'terser'
import { ROOT, readTexts } from './manifest.ts'

const OWN = 'reads what the workflow says'
const NAME = 'reads a name of an archive, 4,096 characters at most'
const END = 'reads the last 400 characters of an item, in a worker'
const ONCE = 'begins once in a run of characters'

/** Why an expression stays that is not linear, by where it is and how it begins. Those without a reason must go. */
const KEPT: readonly (readonly [file: string, start: string, reason: string])[] = [
  ['src/files/contents.ts', '(?:^|\\/)\\.env', NAME],
  ['src/files/contents.ts', '^[^#;', 'reads 64 KiB of a file; only the start of a line begins it'],
  ['src/files/contents.ts', '\\/+$', OWN],
  ['src/files/find.ts', '', OWN],
  ['src/files/versions.ts', '(?<![0-9A-Za-z]|', 'reads a name, or 255 characters of a manifest'],
  ['src/files/versions.ts', '^\\d+', 'reads the version of this release'],
  ['src/http/errors.ts', '\\((.*)\\)$', 'reads a message of the HTTP client'],
  ['src/licenses/file.ts', '(^|[,;', 'begins at a separator, and passes none'],
  ['src/notes/addresses.ts', '(?<![?!.,:;*_~', ONCE],
  ['src/notes/addresses.ts', '<(\\/?)', 'begins at a `<`, and passes none'],
  ['src/notes/addresses.ts', '(?:[a-z+]{2,9}:)?', 'what stands before the host is bounded'],
  ['src/notes/html.ts', '(?<![ \\t])', ONCE],
  ['src/notes/credits.ts', '^', 'begins once in a line or item, in a worker'],
  ['src/notes/credits.ts', '', END],
  ['src/notes/strip.ts', '^', 'begins once in a paragraph, in a worker'],
  ['src/publish/changelog.ts', '\\{(?:version|tag)', OWN],
  ['src/release/tag.ts', '(?<!\\d|', 'reads a tag, which Git lets have 255 characters'],
  ['src/report/summary.ts', '(<[^>', 'reads HTML that is cleaned: each `<` begins a tag that ends'],
  ['src/runner/text.ts', '^[-+=]|', 'begins once in a text'],
  ['src/runner/values.ts', '', OWN]
]

/** An expression, and where it is made, such as `src/notes/text.ts:12`. */
export interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** An expression with what was found about it: `safe`, `2nd degree polynomial`, `exponential`, or why nobody knows. */
export interface Verdict extends Expression {
  readonly verdict: string
  readonly isFine: boolean
}

/** Finds out how long expressions may take. */
export function judgeExpressions(expressions: readonly Expression[]): Promise<Verdict[]> {
  return Promise.all(expressions.map(judge))
}

function keptBy({ place, source }: Expression) {
  return KEPT.find(([file, start]) => place.startsWith(`${file}:`) && source.startsWith(start))
}

/** In milliseconds: none takes a tenth of it. */
const LIMIT = 120_000

async function judge(expression: Expression): Promise<Verdict> {
  const { source, flags } = expression
  const found = await check(simplify(source), flags, { timeout: LIMIT })
  if (found.status === 'safe') return { ...expression, verdict: 'safe', isFine: true }
  if (found.status === 'unknown') {
    return { ...expression, verdict: `unknown: ${JSON.stringify(found.error)}`, isFine: false }
  }
  const { complexity } = found
  // A guess, made by a few lengths, is often too high by one or two.
  const isBounded =
    complexity.type === 'polynomial' && (complexity.degree === 2 || complexity.isFuzz)
  const isFine = isBounded && keptBy(expression) !== undefined
  return { ...expression, verdict: complexity.summary, isFine }
}

/** Repeats of a fixed count are only a factor, and read as powers. A modifier is not understood; without, more matches. */
function simplify(source: string): string {
  const short = source.replace(/(?<!\\u)\{(\d+)(,\d+)?\}/g, (_, least: string, most = '') => {
    return `{${Math.min(Number(least), 3)}${most && `,${Math.min(Number(most.slice(1)), 4)}`}}`
  })
  return short.replaceAll('(?-i:', '(?:')
}

type Node = Readonly<Record<string, unknown>>

/** The expressions that stand in a TypeScript source as literals, and the places where others are built. */
export async function expressionsIn(file: string, text: string) {
  // Terser's types do not know that it gives its tree.
  const tree: object = { ast: true, code: false, spidermonkey: true }
  const parsed: object = await minify(stripTypeScriptTypes(text), {
    module: true,
    compress: false,
    mangle: false,
    format: tree
  })
  const literals: Expression[] = []
  const built: string[] = []
  for (const node of nodesIn(parsed)) {
    const place = `${file}:${lineOf(node)}`
    const { regex, type, callee } = node
    if (isNode(regex)) {
      literals.push({ place, source: String(regex.pattern), flags: String(regex.flags) })
    }
    if (type === 'NewExpression' && isNode(callee) && callee.name === 'RegExp') built.push(place)
  }
  return { literals, built }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function* nodesIn(value: unknown): Generator<Node> {
  if (!isNode(value)) return
  yield value
  for (const inner of Object.values(value)) yield* nodesIn(inner)
}

function lineOf({ loc }: Node): unknown {
  const start = isNode(loc) ? loc.start : undefined
  return isNode(start) ? start.line : undefined
}

/** Every expression that the sources build from parts, by running what builds them. */
async function watchBuilding(): Promise<Expression[]> {
  const seen: Expression[] = []
  const note = ({ source, flags }: RegExp) => {
    const [, file = '', line = ''] = /\/(src\/[^\s:]+):(\d+)/.exec(new Error().stack ?? '') ?? []
    if (file !== '') seen.push({ place: `${file}:${line}`, source, flags })
  }
  const Plain = RegExp
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, parts: [string, string]) {
      const made = new target(...parts)
      note(made)
      return made
    }
  })
  try {
    await buildAll()
  } finally {
    globalThis.RegExp = Plain
  }
  return seen
}

async function buildAll(): Promise<void> {
  const { serverUrl, repository } = { serverUrl: 'https://git.example', repository: 'a-b/c.d' }
  const { strip } = await import('../src/notes/strip.ts')
  strip('## Contributors\n\n@a', { serverUrl, repository })

  const { findSection } = await import('../src/notes/sections.ts')
  findSection({ text: '## a@1.2.3\n\nb', path: 'c.md', version: '1.2.3', tag: 'a@1.2.3' })

  const { states } = await import('../src/files/stated-version.ts')
  states('1.2', ['beta'])

  const { openSecrets } = await import('../src/runner/secrets.ts')
  openSecrets().add('an|example+of=a "secret"')

  const { contextOf } = await import('../src/runner/runner.ts')
  const { resultOf } = await import('../src/report/result.ts')
  const { summaryOf } = await import('../src/report/summary.ts')
  const env = { GITHUB_SERVER_URL: serverUrl, GITHUB_REPOSITORY: repository }
  const facts = { context: contextOf(env, ROOT), mode: 'plan', tag: '', baseUrl: serverUrl }
  summaryOf(resultOf('failed', 'a'), facts)

  // Those that are built when a file is loaded.
  for (const file of readTexts(['src/**/*.ts']).keys()) await import(path.join(ROOT, file))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { all: { type: 'boolean' } } })
  const files = [...readTexts(['src/**/*.ts'])]
  const found = await Promise.all(files.map(([file, text]) => expressionsIn(file, text)))
  const seen = await watchBuilding()
  const verdicts = await judgeExpressions([...found.flatMap(({ literals }) => literals), ...seen])
  for (const { place, source, flags, verdict, isFine } of verdicts) {
    if (isFine && !values.all) continue
    process.stdout.write(`${place}: ${verdict}: /${source}/${flags}\n`)
    if (!isFine) process.exitCode = 1
  }

  const places = new Set(seen.map(({ place }) => place))
  for (const place of found.flatMap(({ built }) => built)) {
    if (places.has(place)) continue
    process.stdout.write(`${place}: nothing builds this expression; add it to this script\n`)
    process.exitCode = 1
  }

  // Verdicts of a fuzzer differ from run to run, so those that it takes for safe count, too.
  const used = new Set(verdicts.map(keptBy))
  for (const row of KEPT) {
    if (used.has(row)) continue
    process.stdout.write(
      `${row[0]}: the list of those that stay has one that is gone: /${row[1]}\n`
    )
    process.exitCode = 1
  }
}
