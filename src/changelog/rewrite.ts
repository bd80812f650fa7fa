// Makes the edits that notes need for their buyers, round by round, until there is none to make.
import { type Addresses, addressesOf } from './addresses.ts'
import { type BuyerText, mayChange, type Notes, normalise } from './changelog.ts'
import { applyEdits, type Edit, inOrder } from './edits.ts'
import { firstReference, planExpand } from './expand.ts'
import { TextFault } from './fault.ts'
import { overlaps } from './ranges.ts'
import { readMarkdown } from './read-markdown.ts'
import type { Reading } from './reading.ts'
import { readRendering } from './rendering.ts'
import { planStrip } from './strip.ts'

/** A text, and what was changed in it. */
export interface Round {
  readonly before: string
  readonly edits: readonly Edit[]
}

export interface Rewriting extends BuyerText {
  readonly rounds: readonly Round[]
}

/** What is taken out may bring forth more: `<!<!-- -->-- -->`. Real notes need one round. */
const MOST_ROUNDS = 20

/** Rewrites notes whose line ends are `\n`. */
export async function rewrite(notes: Notes): Promise<Rewriting> {
  const { links, repository } = notes
  const rounds: Round[] = []
  const addresses = links === 'strip' ? addressesOf(repository) : undefined
  let text = notes.source
  let reading = await readMarkdown(text)
  for (let edits = takeOut(reading, addresses); edits.length > 0; ) {
    if (rounds.length === MOST_ROUNDS) {
      throw new TextFault(
        'HTML comments or links are nested in each other too deeply to be taken out'
      )
    }
    rounds.push({ before: text, edits })
    text = normalise(applyEdits(text, edits))
    if (!mayChange(text, links)) return { text, notices: [], rounds }
    reading = await readMarkdown(text)
    edits = takeOut(reading, addresses)
  }
  if (links !== 'expand') return { text, notices: [], rounds }
  const { edits, notices } = await expand(reading, notes)
  return { text: applyEdits(text, edits), notices, rounds: [...rounds, { before: text, edits }] }
}

function takeOut(reading: Reading, addresses: Addresses | undefined): Edit[] {
  return inOrder([...takeOutComments(reading), ...(addresses ? planStrip(reading, addresses) : [])])
}

/**
 * Comments, and not a byte around them. A blank line ends the HTML that a comment began in; what is
 * written after it was still not meant to be seen.
 */
function takeOutComments({ comments, source, code }: Reading): Edit[] {
  return comments.map(({ start, end, closed }) => {
    const close = closed ? -1 : source.indexOf('-->', end)
    const isSeen = close < 0 || overlaps(code, { start: end, end: close + 3 })
    return { start, end: isSeen ? end : close + 3, text: '' }
  })
}

async function expand(reading: Reading, { rendering, repository }: Notes) {
  const edits = rendering
    ? planExpand(reading, await readRendering(rendering), repository.serverUrl)
    : undefined
  if (edits) return { edits: inOrder(edits), notices: [] }
  const reference = firstReference(reading)
  if (reference === undefined) return { edits: [], notices: [] }
  const why = rendering
    ? 'GitHub’s rendering is not of these notes.'
    : 'GitHub’s own rendering of the release is not known.'
  const notice = `References such as “${reference}” stay as they are in the changelog: ${why}`
  return { edits: [], notices: [notice] }
}
