// Hostile texts: how long a plan takes with each of them, however it ends.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PUBLISH, runWhole } from './action.ts'
import { compare, type Figure, type Options } from './measure.ts'

/** In characters: as many as GitHub takes for the notes of a release. */
const NOTES = 125_000
const fill = (part: string, end = '') => part.repeat(Math.floor(NOTES / part.length)) + end

const TEXTS: Readonly<Record<string, string>> = {
  'a usual text of that length': fill('- Albums can be sorted by @octocat in #12\n'),
  'references that are closed': fill(', closes #1'),
  'strikes without an end': fill('~~a'),
  'strong words without an end': fill('**a'),
  'a long run of spaces': `a${fill(' ', 'b')}`,
  'parentheses after an address': `https://github.com/acme/gallery/pull/1${fill(')')}`,
  'comments that never end': fill('<!-- '),
  'nested quotes': '> '.repeat(3000).concat('a'),
  'nested lists': Array.from({ length: 480 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')
}

export async function* hostile({ folder, wants }: Options): AsyncGenerator<Figure> {
  const given = { 'base-url': 'http://127.0.0.1:1', product: '1', mode: 'plan', record: 'false' }
  const inputs = { ...given, file: 'fine.bin' }
  await writeFile(path.join(folder, 'fine.bin'), 'x')
  for (const [figure, notes] of Object.entries(TEXTS)) {
    const ours = () => runWhole(PUBLISH, { folder, notes, inputs })
    const aim = figure.startsWith('a usual') ? 1000 : 20_000
    yield* compare({ wants, runs: 1 }, { figure, unit: 'ms', aim }, { ours })
  }
}
