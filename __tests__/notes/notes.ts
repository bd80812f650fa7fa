// An example repository, and notes as its buyers read them, for the tests of notes.
import { type Notes, writeNotes } from '../../src/notes/notes.ts'

export const HOME = 'https://github.com/acme/plugin'

export const REPOSITORY = {
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
  repository: 'acme/plugin'
}

/** Notes as buyers of the example read them, and what was removed; `HOME` in the text is the repository's address. */
export function write(links: Notes['links'], source: string) {
  return writeNotes({ source: withHome(source), links, repository: REPOSITORY })
}

export const withHome = (text: string): string => text.replaceAll('HOME', HOME)
export const strip = async (source: string): Promise<string> => (await write('strip', source)).text
export const keep = async (source: string): Promise<string> => (await write('keep', source)).text
