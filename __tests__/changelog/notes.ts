// What the tests of release notes share: the example repository, and the fixtures.
import { readdirSync, readFileSync } from 'node:fs'
import { writeForBuyers } from '../../src/changelog/notes.ts'

const FIXTURES = new URL('../fixtures/notes/', import.meta.url)

export const REPOSITORY = { serverUrl: 'https://github.com', repository: 'acme/plugin' }

/** The names of the fixtures, by what wrote the notes. */
export const NOTES = readdirSync(FIXTURES).toSorted()

/** A file of a fixture, without its last line end. */
export function fixture(name: string, file: string): string {
  return readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8').replace(/\n$/, '')
}

export async function strip(source: string): Promise<string> {
  const { text } = await writeForBuyers({ source, links: 'strip', repository: REPOSITORY })
  return text
}

export async function keep(source: string): Promise<string> {
  const { text } = await writeForBuyers({ source, links: 'keep', repository: REPOSITORY })
  return text
}

export async function expand(source: string, rendering: string): Promise<string> {
  const links = 'expand'
  const { text } = await writeForBuyers({
    source,
    links,
    repository: REPOSITORY,
    render: async () => rendering
  })
  return text
}
