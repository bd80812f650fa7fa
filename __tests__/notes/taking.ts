// Takes sections for the tests of changelog files: the section of a version, or the refusal.
import { takeSection } from '../../src/notes/notes.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { reader } from './notes.ts'

/** The section of that version. */
export function take(text: string, version = '1.2.3', tag = `v${version}`): Promise<string> {
  const file = {
    text,
    path: 'CHANGELOG.md',
    version,
    tag
  }
  return takeSection(file, reader)
}

/** The message with which a file is refused. */
export async function refusal(file: string, version?: string, tag?: string): Promise<string> {
  const answer = await take(file, version, tag).then(JSON.stringify, (error: unknown) => error)
  if (answer instanceof ActionError) return answer.message
  throw new Error(`Not refused: ${answer}`)
}
