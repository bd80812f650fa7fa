// `npm run demo`: releases of a small plugin, published by the sources to the sandbox, as a runner would.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Run } from '../__tests__/support/runner.ts'
import { buildPlugin, openShop, type PublishOptions, type Shop } from '../__tests__/support/shop.ts'

interface Scene {
  readonly title: string
  /** The outcomes of its runs. */
  readonly expected: readonly string[]
  /** Shown at the end of its line; the number of emails when left out. */
  readonly detail?: string
  readonly play: (shop: Shop) => Promise<readonly Run[]>
}

// The bundle in `dist/` may be older than the sources. The runner's last argument, its script, is not read.
const MAIN = pathToFileURL(path.join(import.meta.dirname, '..', 'src', 'main.ts'))
const SOURCES = `import { publish } from '${MAIN}'; await publish()`

const SCENES: readonly Scene[] = [
  {
    title: 'A release is published',
    expected: ['published'],
    play: async shop => [await publish(shop, '1.4.2')]
  },
  {
    title: 'The same job runs again',
    expected: ['skipped'],
    play: async shop => [await publish(shop, '1.4.2', { attempt: 2 })]
  },
  {
    title: 'Two jobs run at the same time',
    expected: ['published', 'skipped'],
    async play(shop) {
      const runs = await Promise.all(
        ['1001', '1002'].map(runId => publish(shop, '1.4.3', { runId }))
      )
      return runs.sort((a, b) => outcomeOf(a).localeCompare(outcomeOf(b)))
    }
  },
  {
    title: 'The shop’s answer is lost',
    expected: ['unknown', 'unknown', 'marked', 'published'],
    detail: 'published once, after a person looked',
    play: loseAnswer
  },
  {
    title: 'The file’s pattern is wrong',
    expected: ['failed'],
    detail: 'as it should: nothing sent',
    play: async shop => [await publish(shop, '1.4.5', { inputs: { file: 'build/*.zip' } })]
  }
]

/** The version is lost with the answer; a person looks in the shop and says so; the next run publishes. */
async function loseAnswer(shop: Shop): Promise<readonly Run[]> {
  shop.service.misbehave({ kind: 'reset-after-body', stored: false })
  const lost = await publish(shop, '1.4.4')
  const again = await publish(shop, '1.4.4', { attempt: 2 })

  // A slow shop may still finish: until then the mark is refused.
  shop.github.clock.advance(20 * 60_000)
  const inputs = { mode: 'mark-not-published' }
  const marked = await publish(shop, '1.4.4', { runId: '1003', inputs })

  const last = await publish(shop, '1.4.4', { attempt: 3 })
  return [lost, again, marked, last]
}

/** Releases that version if need be, and runs the step on the event. */
async function publish(shop: Shop, version: string, options: PublishOptions = {}): Promise<Run> {
  const parts = { tag: `v${version}`, name: `Gallery ${version}` }
  shop.addRelease(parts)
  await shop.write(`dist/gallery-${version}.zip`, buildPlugin(version))

  const inputs = { file: 'dist/gallery-{version}.zip', ...options.inputs }
  const run = await shop.publish({
    event: shop.event(parts),
    nodeArguments: ['--input-type=module', '--eval', SOURCES],
    ...options,
    inputs
  })
  if (verbose) show(run, shop.inputs(inputs))
  return run
}

function outcomeOf({ outputs }: Run): string {
  return outputs.outcome ?? ''
}

/** Shows a step as its user sees it: in the workflow, in the log, in later steps, on the run's page. */
function show(run: Run, inputs: Readonly<Record<string, string>>): void {
  section('The step’s inputs', list({ ...inputs, token: `\${{ secrets.SHOP_TOKEN }}` }))
  section('Its log', run.log)
  section('Its outputs, without the empty ones', list(run.outputs))
  section('Its job summary', readable(run.summary))
}

function list(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${shorten(text.replaceAll('\n', '⏎'))}\n`)
    .join('')
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 100)}… (${text.length} characters)` : text
}

/** A summary without its tags, and with its entities as the characters that a browser shows. */
function readable(markdown: string): string {
  const shown = markdown.replaceAll('</th><td>', ': ').replaceAll(/<[^>]*>/g, '')
  return shown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}

function section(title: string, text: string): void {
  say(`\n  ${title}\n${text.trimEnd().replace(/^/gm, '  │ ')}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Plays a scene, prints a line about it, and returns whether it went as it should. */
async function perform(scene: Scene, shop: Shop): Promise<boolean> {
  const { versions, notifications } = shop.service
  const { title, expected, detail } = scene
  if (verbose) say(`── ${title} ${'─'.repeat(60 - title.length)}`)

  const before = versions.length
  const runs = await scene.play(shop)
  const outcomes = runs.map(outcomeOf).join(', ')
  const arrived = versions.length - before
  const wanted = expected.filter(outcome => outcome === 'published').length
  const isRight = outcomes === expected.join(', ') && arrived === wanted

  const mails =
    arrived === 0 ? 'no emails' : `${notifications.at(-1)?.mails} simulated emails, once`
  say(`${isRight ? '✓' : '✗'} ${title.padEnd(31)}${outcomes.padEnd(38)}${detail ?? mails}`)
  if (verbose) say('')
  if (isRight) return true

  for (const { log } of runs) section('The log', log)
  say(`\nThis should have been: ${expected.join(', ')}, with ${wanted} versions arrived`)
  return false
}

const { verbose } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } }).values

await using shop = await openShop()
say('Publishes a small plugin to a simulated shop and a simulated GitHub on this machine.\n')
for (const scene of SCENES) {
  if (!(await perform(scene, shop))) process.exitCode = 1
}
if (!verbose) say('\n`npm run demo -- --verbose` shows each step’s log, outputs and summary.')
