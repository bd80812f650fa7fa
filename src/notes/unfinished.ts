// Owns texts that nobody finished: line breaks that some step escaped, conflict markers, and what was not filled in. Pure.
import { readLines } from './changelog-file.ts'

const { raw } = String

/** A few escaped line breaks: `%0A`, `%0D%0A`, `%250A`, `\n`, `\r\n`, `\\n`; not those of `C:\new`, and not in quotes. */
const BREAKS = raw`(?<=[^\s"'(])(?:%(?:25)?0[ad]|\\{1,3}[nr](?![a-z])){1,6}[ \t]{0,9}`
/** The mark of a list item or a heading, with something of a text behind it: `- `, `1. `, `## ` */
const MARK = raw`(?:[-*+•]|\d{1,3}[.)]|#{1,6}) +(?=\S)`

/** The kinds of unfinished lines. */
const FAULTS = {
  // Breaks between two list marks or headings: a break alone may be what the text is about.
  escaped: new RegExp(raw`(?:^[\s>"']{0,9}|${BREAKS})${MARK}.*${BREAKS}${MARK}`, 'iu'),
  // Git’s marks of a conflict: `<<<<<<< HEAD`, `>>>>>>> feature`; `=======` alone may underline a title.
  conflict: /^(?:<{7}|>{7})(?: .*)?$/,
  // A line with an expression of a workflow, `${{ … }}`, and nothing else but marks.
  unfilled: /^[^\p{L}\p{N}$]*\$\{\{[^{}]*\}\}[^\p{L}\p{N}]*$/u
}

/** Why a text is not finished, and the first line that shows it. */
export interface UnfinishedText {
  readonly kind: keyof typeof FAULTS
  readonly line: string
}

/** Finds the first line, outside code and comments, that is not finished. */
export function findUnfinished(text: string): UnfinishedText | undefined {
  for (const { text: line, shown } of readLines(text)) {
    const words = shown.trim() === '' ? '' : line.replace(/`[^`]*`/g, '``')
    for (const kind of ['conflict', 'unfilled', 'escaped'] as const) {
      if (FAULTS[kind].test(words)) return { kind, line }
    }
  }
  return undefined
}
