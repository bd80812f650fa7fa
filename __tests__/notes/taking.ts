// Takes sections for the tests of changelog files: the section of a version, or the refusal.
import { findSection } from '../../src/notes/sections.ts'
import { ActionError } from '../../src/runner/action-error.ts'

/** The section of that version. */
export async function take(text: string, version = '1.2.3', tag = `v${version}`): Promise<string> {
  return findSection({
    text,
    path: 'CHANGELOG.md',
    version,
    tag
  })
}

/** The message with which a file is refused. */
export async function refusal(file: string, version?: string, tag?: string): Promise<string> {
  const answer = await take(file, version, tag).then(JSON.stringify, (error: unknown) => error)
  if (answer instanceof ActionError) return answer.message
  throw new Error(`Not refused: ${answer}`)
}
