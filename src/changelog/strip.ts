// Takes out of notes what leads into a repository, or says who works there.

import { markText } from './mark.ts'
import { normalize, parseMarkdown, TextError } from './markdown.ts'
import type { ReadHtml } from './read-html.ts'
import { addressesOf, type Repository } from './repository.ts'
import { tidy } from './tidy.ts'
import { END, START, type Token } from './tokens.ts'

/** What was taken out. */
export interface Stripped {
  /** Links and addresses into the repository that went, or became their text. */
  readonly links: number
  /** Names of people, and mail addresses. */
  readonly names: number
  /** Images that only people who are logged in can see. */
  readonly images: number
}

/**
 * Strips notes whose line ends are `\n` and which hold no comments.
 * @throws TextError when an address under the repository would remain outside of code.
 */
export async function strip(
  source: string,
  repository: Repository,
  read: ReadHtml
): Promise<{ readonly text: string; readonly stripped: Stripped }> {
  const addresses = addressesOf(repository)
  const marked = markText(source, await parseMarkdown(source), addresses, read)
  const tidied = tidy(marked.text)
  const text = normalize(restore(tidied, marked.tokens))
  // Where nothing led there, nothing does now.
  const rest =
    marked.links > 0 ? markText(text, await parseMarkdown(text), addresses, read) : marked
  if (rest.links > 0) {
    throw new TextError(
      `an address under ${repository.repository} would remain in the changelog, which \`changelog-links: strip\` does not allow: write it in another way, or leave it out`
    )
  }
  const count = (text: string, kinds: string) =>
    text.match(new RegExp(`${START}[${kinds}]`, 'g'))?.length ?? 0
  return {
    text,
    stripped: {
      links: marked.links,
      names: count(marked.text, 'pm') - count(tidied, 'pm'),
      images: count(marked.text, 'g')
    }
  }
}

/** Puts the tokens' texts back. */
function restore(text: string, tokens: readonly Token[]): string {
  return text.replace(new RegExp(`${START}[a-z](\\d+)${END}`, 'g'), (_, index: string) => {
    return tokens[Number(index)]?.text ?? ''
  })
}
