// What the tests of release notes share: the example repository, and the fixtures.
import { readdirSync, readFileSync } from 'node:fs'
import { type BuyerNotes, type Notes, writeForBuyers } from '../../src/changelog/notes.ts'

const FIXTURES = new URL('../fixtures/notes/', import.meta.url)

export const REPOSITORY = { serverUrl: 'https://github.com', repository: 'acme/plugin' }

/** The names of the fixtures, by what wrote the notes. */
export const NOTES = readdirSync(FIXTURES).toSorted()

/** A file of a fixture, without its last line end. */
export function fixture(name: string, file: string): string {
  return readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8').replace(/\n$/, '')
}

/** Notes as buyers of the example read them, with what is said of them. */
export function write(links: Notes['links'], source: string, bodyHtml = ''): Promise<BuyerNotes> {
  return writeForBuyers({ source, links, repository: REPOSITORY, bodyHtml })
}

export const strip = async (source: string): Promise<string> => (await write('strip', source)).text
export const keep = async (source: string): Promise<string> => (await write('keep', source)).text
export const expand = async (source: string, rendering: string): Promise<string> =>
  (await write('expand', source, rendering)).text
