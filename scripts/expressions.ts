// Checks that no regular expression of the sources can take long. An exponential one is never allowed, nor one that is
// proven worse than quadratic; any other that is not linear needs a reason in `scripts/slow-expressions.ts`.
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { check, type Diagnostics, type Parameters } from 'recheck'
import { minify } from 'terser'
import { ROOT, readTexts } from './manifest.ts'
import { ALLOWED, type Allowed } from './slow-expressions.ts'

/** An expression, and where it is made, such as `src/notes/text.ts:12`. */
export interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** How long an expression may take: `slow` needs a reason, and none helps `tooSlow`. */
type Speed = 'fast' | 'slow' | 'tooSlow'

/** An expression with its speed. */
interface Judged extends Expression {
  readonly speed: Speed
  /** Such as `safe`, `2nd degree polynomial` or `exponential`, or why nobody knows. */
  readonly verdict: string
}

/** The result of the check. */
export interface Review {
  readonly judged: readonly Judged[]
  /** One line each. */
  readonly problems: readonly string[]
}

/** Judges expressions, and compares those that are slow with the list of the ones that are allowed. */
export async function reviewExpressions(
  expressions: readonly Expression[],
  allowed: readonly Allowed[]
): Promise<Review> {
  const judged = await Promise.all(expressions.map(judge))

  const isAllowed = (expression: Judged) => allowed.some(entry => isAbout(entry, expression))
  const bad = judged.filter(it => {
    return it.speed === 'tooSlow' || (it.speed === 'slow' && !isAllowed(it))
  })
  const complaints = bad.map(({ place, verdict, source, flags }) => {
    return `${place}: ${verdict}: /${source}/${flags}`
  })

  const stale = allowed.flatMap(entry => complainOf(entry, judged))
  return { judged, problems: [...complaints, ...stale] }
}

function isAbout({ file, start }: Allowed, { place, source }: Expression): boolean {
  return place.startsWith(`${file}:`) && source.startsWith(start)
}

/**
 * The mistakes of an entry of the list: it is about no expression that is there, or about several slow ones. A fuzzer may
 * find the same expression slow once and fast another time, so one that is fast now is no mistake.
 */
function complainOf(entry: Allowed, judged: readonly Judged[]): string[] {
  const found = judged.filter(it => isAbout(entry, it))
  const slow = found.filter(({ speed }) => speed !== 'fast')
  const sources = new Set(slow.map(({ source }) => source))
  const name = `${entry.file}: the list's entry "${entry.start}"`

  if (found.length === 0) return [`${name} is about no expression`]
  if (sources.size > 1) return [`${name} is about ${sources.size} expressions; make it longer`]
  return []
}

/**
 * No limits of time, so that the verdicts are the same on a busy machine; fewer steps in their place, so that an attack
 * is soon enough found to work.
 */
const PARAMETERS: Parameters = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 100_000_000
}

async function judge(expression: Expression): Promise<Judged> {
  const found = await check(simplify(expression.source), expression.flags, PARAMETERS)
  return {
    ...expression,
    speed: speedOf(found),
    verdict: verdictOn(found)
  }
}

function verdictOn(found: Diagnostics): string {
  if (found.status === 'unknown') return `unknown: ${JSON.stringify(found.error)}`
  return found.complexity.summary
}

function speedOf(found: Diagnostics): Speed {
  if (found.status === 'safe') return 'fast'
  if (found.status === 'unknown' || found.complexity.type !== 'polynomial') return 'tooSlow'

  // The degree that a fuzzer derives from a few lengths is often too high by one or two.
  const { degree, isFuzz } = found.complexity
  return degree === 2 || isFuzz ? 'slow' : 'tooSlow'
}

/**
 * Lowers the counts of repeats, such as `{1,40}` to `{1,4}`: they are only a factor, but take the analysis long, and are
 * read as powers. A modifier is not understood: without it, the expression matches more.
 */
function simplify(source: string): string {
  const short = source.replace(/(?<!\\u)\{(\d+)(,\d+)?\}/g, (_, least: string, most = '') => {
    const lowest = Math.min(Number(least), 3)
    if (most === '') return `{${lowest}}`
    const highest = Math.min(Number(most.slice(1)), 4)
    return `{${lowest},${highest}}`
  })
  return short.replaceAll('(?-i:', '(?:')
}

/** The expressions in a source. */
export interface Found {
  /** Those that stand in it as literals. */
  readonly literals: readonly Expression[]
  /** The places where others are built. */
  readonly built: readonly string[]
}

type Node = Readonly<Record<string, unknown>>

/** Finds the expressions in a TypeScript source. */
export async function expressionsIn(file: string, text: string): Promise<Found> {
  // Terser's types do not know that it gives its tree.
  const format: object = {
    ast: true,
    code: false,
    spidermonkey: true
  }
  const parsed: object = await minify(stripTypeScriptTypes(text), {
    module: true,
    compress: false,
    mangle: false,
    format
  })

  const literals: Expression[] = []
  const built: string[] = []
  for (const node of nodesIn(parsed)) {
    const place = `${file}:${lineOf(node)}`
    const { regex, type, callee } = node
    if (isNode(regex)) {
      literals.push({
        place,
        source: String(regex.pattern),
        flags: String(regex.flags)
      })
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

/** Every expression that the sources build from parts: the code that builds them is run. */
async function watchBuilding(): Promise<Expression[]> {
  const seen: Expression[] = []

  const note = ({ source, flags }: RegExp) => {
    // The first line of the stack in a source, such as `at parse (/home/me/src/notes/text.ts:12:5)`.
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
  const serverUrl = 'https://git.example'
  const repository = 'a-b/c.d'
  await buildNotes(serverUrl, repository)

  const { states } = await import('../src/files/stated-version.ts')
  states('1.2', ['beta'])

  const { openSecrets } = await import('../src/runner/secrets.ts')
  openSecrets().add('an|example+of=a "secret"')

  const { contextOf } = await import('../src/runner/runner.ts')
  const { resultOf } = await import('../src/report/result.ts')
  const { summaryOf } = await import('../src/report/summary.ts')
  const env = { GITHUB_SERVER_URL: serverUrl, GITHUB_REPOSITORY: repository }
  const facts = {
    context: contextOf(env, ROOT),
    mode: 'plan' as const,
    hasModeField: true,
    tag: '',
    baseUrl: serverUrl
  }
  summaryOf(resultOf('failed', 'a'), facts)

  // Those that are built when a file is loaded.
  for (const file of readTexts(['src/**/*.ts']).keys()) {
    await import(path.join(ROOT, file))
  }
}

async function buildNotes(serverUrl: string, repository: string): Promise<void> {
  const { strip } = await import('../src/notes/strip.ts')
  strip('## Contributors\n\n@a', { serverUrl, repository })

  const { findSection } = await import('../src/notes/sections.ts')
  const file = {
    path: 'c.md',
    version: '1.2.3',
    tag: 'a@1.2.3'
  }
  findSection({ ...file, text: '## a@1.2.3\n\nb' })
  // A refusal, and the advice in it.
  try {
    findSection({ ...file, text: '## 1.2.2' })
  } catch {}

  const { findEscapedLine } = await import('../src/notes/unfinished.ts')
  findEscapedLine('- a%0A- b')
}

/** A complaint for each place where a source builds an expression, but built none while `watchBuilding` watched. */
function complainOfUnseen(built: readonly string[], seen: readonly Expression[]): string[] {
  const places = new Set(seen.map(({ place }) => place))
  const unseen = built.filter(place => !places.has(place))
  return unseen.map(place => `${place}: nothing builds this expression; add it to this script`)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { all: { type: 'boolean' } } })
  const files = [...readTexts(['src/**/*.ts'])]
  const found = await Promise.all(files.map(([file, text]) => expressionsIn(file, text)))
  const seen = await watchBuilding()

  const literals = found.flatMap(it => it.literals)
  const review = await reviewExpressions([...literals, ...seen], ALLOWED)
  if (values.all) {
    for (const { place, verdict, source, flags } of review.judged) {
      process.stdout.write(`${place}: ${verdict}: /${source}/${flags}\n`)
    }
  }

  const built = found.flatMap(it => it.built)
  const problems = [...review.problems, ...complainOfUnseen(built, seen)]
  for (const problem of problems) {
    process.stdout.write(`${problem}\n`)
  }
  if (problems.length > 0) process.exitCode = 1
}
