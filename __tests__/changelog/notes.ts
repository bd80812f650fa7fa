// What the tests of release notes share: the example repository, and the fixtures.
import { readdirSync, readFileSync } from 'node:fs'
import { type Notes, writeForBuyers } from '../../src/changelog/notes.ts'

const FIXTURES = new URL('../fixtures/notes/', import.meta.url)

export const REPOSITORY = { serverUrl: 'https://github.com', repository: 'acme/plugin' }

/** The names of the fixtures, by what wrote the notes. */
export const NOTES = readdirSync(FIXTURES).toSorted()

/** A file of a fixture, without its last line end. */
export function fixture(name: string, file: string): string {
  return readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8').replace(/\n$/, '')
}

/** Notes as buyers of the example read them. */
async function write(links: Notes['links'], source: string, rendering = ''): Promise<string> {
  const render = async () => rendering
  return (await writeForBuyers({ source, links, repository: REPOSITORY, render })).text
}

export const strip = (source: string): Promise<string> => write('strip', source)
export const keep = (source: string): Promise<string> => write('keep', source)
export const expand = (source: string, rendering: string): Promise<string> =>
  write('expand', source, rendering)
