// Owns `npm run play -- OLD NEW [PATTERN]`: plays the scenes of the tests against the dist/ of two folders, and shows how
// they differ. A scene is a test that runs dist/, or a row of the faults' matrix; PATTERN chooses scenes by their names.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv, stdout } from 'node:process'
import { diff } from 'node:util'
import type { Take } from '../__tests__/support/recording.ts'
import { ROOT } from './manifest.ts'
import { PROGRAMS, runProgram } from './programs.ts'

type Parts = Take['parts']
/** The takes of each scene by its name, in the order in which they began. */
export type Recordings = ReadonlyMap<string, readonly Parts[]>

/** What differs from run to run of the same code, and what stands in its place. */
const VOLATILE: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // As a colon stands in Markdown.
  [/&#58;<!-- -->/g, ':'],
  // Such as `127.0.0.1:40123`, also in a query.
  [/(127\.0\.0\.1|localhost|\[::1\])(:|%3A)\d+/g, '$1$2PORT'],
  [/-{4}publish-version-[\da-f]+/g, 'BOUNDARY'],
  // Of a connection that was lost, by when it was noticed.
  [/\b(ECONNRESET|EPIPE|UND_ERR_SOCKET)\b/g, 'RESET'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID'],
  // Such as `/tmp/step-x7Gd2k`.
  [new RegExp(`${RegExp.escape(tmpdir())}[\\\\/][\\w-]+`, 'g'), 'FOLDER'],
  // Such as `2026-01-31T10:20:30.000Z`, `Sat, 31 Jan 2026 10:20:30 GMT`, and `2026-01-31 10:20 UTC`.
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'TIME'],
  [/(\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/g, 'TIME'],
  // Such as `1.5 seconds`.
  [/\b\d+(\.\d+)? ?(ms|s|seconds?|minutes?)\b/g, 'DURATION']
]

/** Of a file, a commit or a text: whole, or cut short, as in `the commit ae85be0` and `23e93ede3158…`. */
const DIGEST = /\b(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{12}(?=…)|(?<=\bcommit )[\da-f]{7})\b/g

/** So many scenes that differ are played again. */
const MOST_ACCIDENTS = 50

/** The differences of each scene that has any: a text for each kind, such as `exit code` with the lines below it. */
export type Differences = ReadonlyMap<string, readonly string[]>

/** Compares the scenes. */
export function compareRecordings(old: Recordings, fresh: Recordings): Differences {
  const scenes = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  const compared = scenes.map(scene => {
    return [scene, compareTakes(old.get(scene) ?? [], fresh.get(scene) ?? [])] as const
  })
  return new Map(compared.filter(([, texts]) => texts.length > 0))
}

function compareTakes(old: readonly Parts[], fresh: readonly Parts[]): string[] {
  const places = [...Array(Math.max(old.length, fresh.length)).keys()]
  const kinds = new Set([...old, ...fresh].flatMap(parts => Object.keys(parts)))
  const readOld = steadyReader(fresh)
  const readFresh = steadyReader(old)

  return [...kinds].flatMap(kind => {
    const lines = places.flatMap(place =>
      compareLines(readOld(old[place]?.[kind]), readFresh(fresh[place]?.[kind]))
    )
    return lines.length === 0 ? [] : [[kind, ...lines].join('\n')]
  })
}

/** The lines that one text has and the other has not. */
function compareLines(old: readonly string[], fresh: readonly string[]): string[] {
  if (old.join('\n') === fresh.join('\n')) return []

  return diff(old, fresh).flatMap(([operation, line]) => {
    if (operation === 0) return []
    return [`${operation > 0 ? '-' : '+'} ${line}`]
  })
}

/** How many scenes are named that have the same difference. */
const SCENES_NAMED = 3

/** Each difference once, with the scenes that have it; first what most of them have. */
export function describeDifferences(differences: Differences): string {
  const scenes = new Map<string, string[]>()
  for (const [scene, texts] of differences) {
    for (const text of texts) scenes.set(text, [...(scenes.get(text) ?? []), scene])
  }

  const shown = [...scenes].sort(([, a], [, b]) => b.length - a.length)
  const described = shown.map(([text, names]) => {
    const more = names.length - SCENES_NAMED
    const first = names.slice(0, SCENES_NAMED).map(name => `  in ${name}`)
    return [text, ...first, ...(more > 0 ? [`  and in ${more} more`] : [])].join('\n')
  })
  return described.map(text => `${text}\n\n`).join('')
}

/** Reads the lines of the takes' texts; what differs from run to run of the same code is the same in all of them. */
function steadyReader(others: readonly Parts[]) {
  const known = new Set(JSON.stringify(others).match(DIGEST))
  const numbers = new Map<string, number>()

  // A digest that the others have, too, stays. Another one, of what was built in its run, is known by its first place.
  const numbered = (digest: string): string => {
    if (known.has(digest)) return digest
    const number = numbers.get(digest) ?? numbers.size + 1
    numbers.set(digest, number)
    return `DIGEST-${number}`
  }

  return (text: string | undefined): string[] => {
    if (text === undefined) return []
    const steady = VOLATILE.reduce((left, [pattern, to]) => left.replace(pattern, to), text)
    return steady.replace(DIGEST, numbered).split('\n')
  }
}

/** Plays the scenes whose names fit against the dist/ of a folder. */
async function play(folder: string, pattern: string): Promise<Recordings> {
  const records = mkdtempSync(path.join(tmpdir(), 'play-'))
  const args = [
    '__tests__/(e2e|faults)/',
    `--setupFilesAfterEnv=${path.join(ROOT, '__tests__/support/play-setup.ts')}`,
    '--ci',
    '--testTimeout=600000'
  ]

  try {
    await runProgram(PROGRAMS.jest, args, {
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      PLAY_ROOT: path.resolve(folder),
      PLAY_RECORDS: records,
      PLAY_PATTERN: pattern
    })
    return new Map(readdirSync(records).map(file => readScene(path.join(records, file))))
  } finally {
    rmSync(records, { recursive: true })
  }
}

/** The name of a scene, and its takes; none where its runs race, since who comes first is chance. */
function readScene(file: string): readonly [scene: string, takes: Parts[]] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const takes = lines.map((line): Take => JSON.parse(line)).sort((a, b) => a.place - b.place)

  const [{ scene } = { scene: file }] = takes
  const isRace = takes.some(({ races }) => races)
  return [scene, isRace ? [] : takes.map(({ parts }) => parts)]
}

if (import.meta.main) {
  const [old, fresh, pattern = ''] = argv.slice(2)
  if (old === undefined || fresh === undefined) throw new Error('npm run play -- OLD NEW [PATTERN]')

  const before = await play(old, pattern)
  const after = await play(fresh, pattern)
  const { size } = new Map([...before, ...after])
  if (size === 0) throw new Error('No scene was played.')
  let differences = compareRecordings(before, after)

  // On a busy machine, a time limit may end a run, once. More are no accident.
  if (differences.size > 0 && differences.size <= MOST_ACCIDENTS) {
    const names = [...differences.keys()].map(name => RegExp.escape(name))
    const again = `^(?:${names.join('|')})$`
    differences = compareRecordings(await play(old, again), await play(fresh, again))
  }

  stdout.write(describeDifferences(differences))
  stdout.write(`${size} scenes, ${differences.size} differ\n`)
  process.exitCode = differences.size > 0 ? 1 : 0
}
