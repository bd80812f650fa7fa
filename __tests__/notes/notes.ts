// An example repository, and notes as its buyers read them, for the tests of notes.
import { afterAll } from '@jest/globals'
import type { Notes } from '../../src/notes/notes.ts'
import { normalize } from '../../src/notes/text.ts'
import { answerTask, TextReader } from '../../src/notes/text-reader.ts'
import { ActionError } from '../../src/runner/action-error.ts'

export const HOME = 'https://github.com/acme/plugin'

/** Reads the texts of one file of tests, as it reads those of a run. */
export const reader = new TextReader(new AbortController().signal)
afterAll(() => reader.close())

/** Notes as buyers of the example read them, and what was removed; `HOME` in the text is the repository's address. */
export async function write(links: Notes['links'], source: string) {
  const repository = { serverUrl: 'https://github.com', repository: 'acme/plugin' }
  const text = normalize(withHome(source))
  // Without the worker that a run has: its start takes longer than most texts.
  const answer = await answerTask({
    kind: 'write',
    text,
    links,
    repository
  })
  if ('text' in answer) return answer
  throw new ActionError('no-changelog', answer.refusal, { advice: answer.advice })
}

export const withHome = (text: string): string => text.replaceAll('HOME', HOME)
export const strip = async (source: string): Promise<string> => (await write('strip', source)).text
export const keep = async (source: string): Promise<string> => (await write('keep', source)).text
