// Checks that no regular expression that the main thread runs can take long: each has to be linear, whatever text it reads.
// Texts for buyers are read in a worker, which is ended.
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { check, type Diagnostics, type Parameters } from 'recheck'
import { minify } from 'terser'
import { ROOT, readTexts } from './manifest.ts'

/** An expression, and where it is made, such as `src/notes/text.ts:12`. */
export interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** An expression with the library's verdict. */
interface Judged extends Expression {
  readonly isLinear: boolean
  /** Such as `safe`, `2nd degree polynomial` or `exponential`, or why nobody knows. */
  readonly verdict: string
}

/** The verdict on each expression. */
export async function judgeExpressions(expressions: readonly Expression[]): Promise<Judged[]> {
  return Promise.all(expressions.map(judge))
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
    isLinear: found.status === 'safe',
    verdict: verdictOn(found)
  }
}

function verdictOn(found: Diagnostics): string {
  if (found.status === 'unknown') return `unknown: ${JSON.stringify(found.error)}`
  return found.complexity.summary
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
  const { states } = await import('../src/files/stated-version.ts')
  states('1.2', ['beta'])

  const { openSecrets } = await import('../src/runner/secrets.ts')
  openSecrets().add('an|example+of=a "secret"')

  const { contextOf } = await import('../src/runner/runner.ts')
  const { resultOf } = await import('../src/report/result.ts')
  const { summaryOf } = await import('../src/report/summary.ts')
  const serverUrl = 'https://git.example'
  const env = { GITHUB_SERVER_URL: serverUrl, GITHUB_REPOSITORY: 'a-b/c.d' }
  const facts = {
    context: contextOf(env, ROOT),
    mode: 'plan' as const,
    hasModeField: true,
    tag: '',
    baseUrl: serverUrl
  }
  summaryOf(resultOf('failed', 'a'), facts)

  // Those that are built when a file is loaded.
  for (const file of mainThreadFiles().keys()) {
    await import(path.join(ROOT, file))
  }
}

/** The sources that the main thread runs: of `src/notes`, only what asks the worker. */
function mainThreadFiles(): ReadonlyMap<string, string> {
  const asking = ['notes.ts', 'text.ts', 'text-reader.ts'].map(name => `src/notes/${name}`)
  const isRun = (file: string) => !file.startsWith('src/notes/') || asking.includes(file)
  return new Map([...readTexts(['src/**/*.ts'])].filter(([file]) => isRun(file)))
}

/** A complaint for each place where a source builds an expression, but built none while `watchBuilding` watched. */
function complainOfUnseen(built: readonly string[], seen: readonly Expression[]): string[] {
  const places = new Set(seen.map(({ place }) => place))
  const unseen = built.filter(place => !places.has(place))
  return unseen.map(place => `${place}: nothing builds this expression; add it to this script`)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { all: { type: 'boolean' } } })
  const files = [...mainThreadFiles()]
  const found = await Promise.all(files.map(([file, text]) => expressionsIn(file, text)))
  const seen = await watchBuilding()

  const literals = found.flatMap(it => it.literals)
  const own = seen.filter(({ place }) => files.some(([file]) => place.startsWith(`${file}:`)))
  const judged = await judgeExpressions([...literals, ...own])
  const shown = judged.filter(({ isLinear }) => values.all || !isLinear)
  for (const { place, verdict, source, flags } of shown) {
    process.stdout.write(`${place}: ${verdict}: /${source}/${flags}\n`)
  }

  const unseen = complainOfUnseen(
    found.flatMap(it => it.built),
    seen
  )
  for (const problem of unseen) {
    process.stdout.write(`${problem}\n`)
  }
  if (unseen.length > 0 || judged.some(({ isLinear }) => !isLinear)) process.exitCode = 1
}
