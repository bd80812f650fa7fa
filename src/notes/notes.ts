// Turns release notes and other Markdown into the text that buyers read. The parser loads only where it is needed.
import { ActionError } from '../runner/action-error.ts'
import type { RepositoryName } from './addresses.ts'
import type { StrippedNotes } from './strip.ts'
import { normalize } from './text.ts'

/** Notes, what becomes of links in them, and the repository that they are of. */
export interface Notes {
  readonly source: string
  readonly links: 'keep' | 'strip'
  readonly repository: RepositoryName
}

/** How a comment may begin: `<!--`, or what may be the `[//]: #` of Markdown. */
const MAY_HAVE_COMMENTS = /<!--|\]:/

/** Takes comments out, and what is for GitHub's readers if asked for. Throws an `ActionError`. */
export async function writeNotes({ source, links, repository }: Notes): Promise<StrippedNotes> {
  const text = normalize(source)
  const mayHaveComments = MAY_HAVE_COMMENTS.test(text)
  if (links === 'keep' && !mayHaveComments) return { text, removed: [] }

  const { removeComments } = await import('./markdown.ts')
  const { strip } = await import('./strip.ts')
  try {
    const shown = mayHaveComments ? normalize(removeComments(text)) : text
    if (links === 'keep') return { text: shown, removed: [] }

    const stripped = strip(shown, repository)
    return { text: normalize(stripped.text), removed: stripped.removed }
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error
    throw new ActionError(
      'no-changelog',
      'Quotes or lists in the changelog are nested too deeply to be read.',
      { advice: 'Simplify it.' }
    )
  }
}

/** The fault of HTML with an address of the repository. */
export async function faultInHtmlLinks(
  html: string,
  repository: RepositoryName
): Promise<ActionError | undefined> {
  const { faultInLinks } = await import('./strip.ts')
  return faultInLinks(html, repository)
}
