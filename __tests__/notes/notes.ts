// What the tests of notes share: an example repository, and notes as its buyers read them.
import { type Notes, writeNotes } from '../../src/notes/notes.ts'

export const HOME = 'https://github.com/acme/plugin'
export const never: AbortSignal = new AbortController().signal

/** Notes as buyers of the example read them, and what was removed; `HOME` in the text is the repository's address. */
export function write(links: Notes['links'], source: string) {
  const repository = { serverUrl: 'https://github.com', repository: 'acme/plugin' }
  return writeNotes({ source: withHome(source), links, repository }, never)
}

export const withHome = (text: string): string => text.replaceAll('HOME', HOME)
export const strip = async (source: string): Promise<string> => (await write('strip', source)).text
export const keep = async (source: string): Promise<string> => (await write('keep', source)).text
