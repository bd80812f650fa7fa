// Hostile texts and files: how long a plan takes with each of them, however it ends.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zipSync } from 'fflate'
import { rawZip } from '../__tests__/files/raw-zip.ts'
import { PUBLISH, runWhole } from './action.ts'
import { compare, type Figure, type Options } from './measure.ts'

/** In characters: as many as GitHub takes for the notes of a release. */
const NOTES = 125_000
const fill = (part: string, end = '') => part.repeat(Math.floor(NOTES / part.length)) + end

const TEXTS: Readonly<Record<string, string>> = {
  'references that are closed': fill(', closes #1'),
  'strikes without an end': fill('~~a'),
  'strong words without an end': fill('**a'),
  'a long run of spaces': `a${fill(' ', 'b')}`,
  'parentheses behind an address': `https://github.com/acme/gallery/pull/1${fill(')')}`,
  'comments that never end': fill('<!-- '),
  'nested quotes': '> '.repeat(3000).concat('a'),
  'nested lists': Array.from({ length: 480 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')
}

const spaces = Buffer.from(`version ${' '.repeat(1_000_000)}x`)
const long = Array.from({ length: 2500 }, (_, at) => ({ name: `${at}/${'a/'.repeat(1990)}` }))
/** A hundred files of one character each, in folders of their own. */
const fillAll = (name: string, character: string, length: number) => {
  const content = Buffer.alloc(length, character)
  return zipSync(Object.fromEntries(long.slice(0, 100).map((_, at) => [`${at}/${name}`, content])))
}
const ARCHIVES: Readonly<Record<string, () => Uint8Array>> = {
  'a manifest of spaces': () => zipSync({ 'fxmanifest.lua': spaces }),
  'manifests of line ends': () => fillAll('plugin.yml', '\n', 1_000_000),
  'settings of line ends': () => fillAll('.npmrc', '\r', 65_536),
  'one very long name': () => rawZip([{ name: 'a'.repeat(65_000) }]),
  'many long names': () => rawZip(long)
}

export async function* hostile({ folder, wants }: Options): AsyncGenerator<Figure> {
  const options = { wants, runs: 1 }
  const plan = (file: string, notes = '- Faster.', contents = '') => {
    const given = { 'base-url': 'http://127.0.0.1:1', product: '1', mode: 'plan', once: 'off' }
    return () => runWhole(PUBLISH, { folder, notes, inputs: { ...given, file, contents } })
  }
  await writeFile(path.join(folder, 'fine.bin'), 'x')
  for (const [figure, text] of Object.entries(TEXTS)) {
    yield* compare(options, { figure, unit: 'ms', aim: 20_000 }, { ours: plan('fine.bin', text) })
  }
  for (const [figure, pack] of Object.entries(ARCHIVES)) {
    await writeFile(path.join(folder, 'hostile.zip'), pack())
    const ours = plan('hostile.zip', '- Faster.', '!*.map')
    yield* compare(options, { figure, unit: 'ms', aim: 5000 }, { ours })
  }
  const names = Array.from({ length: 8 }, (_, index) => `folder-${index}`)
  for (const name of names) {
    await mkdir(path.join(folder, 'links', name), { recursive: true })
    for (const other of names) await symlink(`../${other}`, path.join(folder, 'links', name, other))
  }
  const ours = plan('links/**/*.bin')
  yield* compare(options, { figure: 'folders full of links', unit: 'ms', aim: 5000 }, { ours })
}
