// What `npm run play` compares: the runs of each scene, and what its servers saw. Any other command records nothing.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import type { Deployment } from '../../sandbox/deployments.ts'
import type { GitHubRequest } from '../../sandbox/github.ts'
import type { ReceivedRequest } from '../../sandbox/reception.ts'
import { type Manifest, ROOT, readManifest } from '../../scripts/manifest.ts'

const { PLAY_ROOT = ROOT, PLAY_RECORDS, PLAY_PATTERN = '' } = env

/** Whether this is a play: then the actions are those of another folder, and what they do is recorded. */
export const IS_PLAY: boolean = PLAY_RECORDS !== undefined

/** A run or the servers of a scene, as they stand in its file: one line of JSON each. */
export interface Take {
  readonly scene: string
  /** In the order in which they began. */
  readonly place: number
  /** Whether another run of the scene went on when this one began: then who comes first is chance. */
  readonly races: boolean
  /** What was seen, by its kind, such as `exit code`. */
  readonly parts: Readonly<Record<string, string>>
}

/** Only the scenes whose names fit are played. */
const CHOSEN = new RegExp(PLAY_PATTERN)
const scenes = new AsyncLocalStorage<string>()
/** How many takes of each scene have begun. */
const counts = new Map<string, number>()
/** The scenes of the runs that go on. */
const running: string[] = []
let test = 'outside of any test'

/** From now on, takes belong to this test. */
export function beginTest(name: string): void {
  test = name
}

/** Calls `play`, whose takes belong to a scene of its own, of several that a test plays at the same time. */
export function playScene<T>(name: string, play: () => Promise<T>): Promise<T> {
  return scenes.run(name, play)
}

/** Begins a take, of a run or of servers; call what it returns with all that was seen. Throws in scenes not chosen. */
export function beginTake(of: 'run' | 'servers'): (parts: Take['parts']) => void {
  const row = scenes.getStore()
  const scene = row === undefined ? test : `${test} > ${row}`
  if (!CHOSEN.test(scene)) throw new Error(`Not chosen: ${scene}`)

  const place = (counts.get(scene) ?? 0) + 1
  counts.set(scene, place)
  const races = of === 'run' && running.includes(scene)
  if (of === 'run') running.push(scene)

  return parts => {
    if (of === 'run') running.splice(running.indexOf(scene), 1)
    if (PLAY_RECORDS === undefined) return

    const take: Take = {
      scene,
      place,
      races,
      parts
    }
    const file = createHash('sha256').update(scene).digest('hex')
    appendFileSync(path.join(PLAY_RECORDS, file), `${JSON.stringify(take)}\n`)
  }
}

/** Reads an action.yml of the project, in a play of the other folder; if that has none, ours with its dist/. */
export function readPlayed(file: string): Manifest {
  const own = path.relative(ROOT, file)
  if (own.startsWith('..')) return readManifest(file)

  const other = path.join(PLAY_ROOT, own)
  if (existsSync(other)) return readManifest(other)

  const manifest = readManifest(file)
  return { ...manifest, main: path.join(PLAY_ROOT, path.relative(ROOT, manifest.main)) }
}

/** The script of an action in dist/, in a play the other folder's. */
export function scriptOf(action: string): string {
  return path.join(PLAY_ROOT, 'dist', action, 'index.js')
}

/** The requests that a shop has seen, with their bodies; of a file, its digest. */
export function describeShop(requests: readonly ReceivedRequest[]): string {
  return requests
    .map(({ method, path, headers, body, completed }) => {
      const boundary = /boundary=(.+)/.exec(headers['content-type'] ?? '')?.[1]
      const text = body.toString('latin1')
      const parts = boundary === undefined ? [text] : text.split(`--${boundary}`)
      const shown = completed ? parts.map(describePart) : ['(not whole)']
      return [`${method} ${path}`, describeHeaders(headers), ...shown].join('\n')
    })
    .join('\n')
}

/** The requests that GitHub has seen, with their bodies; one that is repeated at once is shown once. */
export function describeGitHub(requests: readonly GitHubRequest[]): string {
  const texts = requests.map(({ method, path, headers, body }) => {
    const shown = body === undefined ? [] : [JSON.stringify(body, undefined, 1)]
    return [`${method} ${path}`, describeHeaders(headers), ...shown].join('\n')
  })
  return sortHistories(texts)
    .filter((text, index, all) => text !== all[index - 1])
    .join('\n')
}

/** Histories are read several at a time: which request comes first is chance. */
function sortHistories(texts: readonly string[]): string[] {
  const sorted: string[] = []
  let histories: string[] = []

  for (const text of texts) {
    if (/^GET \S+\/statuses\?/.test(text)) {
      histories.push(text)
      continue
    }
    sorted.push(...histories.sort(), text)
    histories = []
  }
  return [...sorted, ...histories.sort()]
}

/** Each deployment, with its statuses. */
export function describeHistories(deployments: readonly Deployment[]): string {
  return deployments
    .map(({ ref, environment, payload, statuses }) => {
      const states = statuses.map(({ state, description }) => `  ${state}: ${description}`)
      return [`${ref} ${environment} ${JSON.stringify(payload)}`, ...states].join('\n')
    })
    .join('\n')
}

/** These say nothing about an action. */
const USUAL = ['host', 'connection', 'date']

function describeHeaders(headers: ReceivedRequest['headers']): string {
  return Object.entries(headers)
    .filter(([name]) => !USUAL.includes(name))
    .map(([name, value]) => `  ${name}: ${value}`)
    .sort()
    .join('\n')
}

/** In characters: what is longer is shown by its digest. */
const LONGEST_PART = 4000

function describePart(part: string): string {
  const bytes = Buffer.from(part, 'latin1')
  const [head = '', ...content] = part.split('\r\n\r\n')
  if (part.length < LONGEST_PART && !part.includes('\0')) return bytes.toString()

  const digest = createHash('sha256')
    .update(content.join('\r\n\r\n') || head)
    .digest('hex')
  return `${content.length > 0 ? head.trim() : ''}\n(${part.length} bytes, ${digest})`
}
