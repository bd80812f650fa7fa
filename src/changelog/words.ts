// Splits visible text into the words by which notes and their rendering are laid side by side. Pure.
import type { Range } from './ranges.ts'

/** A word of the visible text. */
export interface Word extends Range {
  /** What stays the same when GitHub shortens or decorates it. */
  readonly key: string
  /** Whether GitHub may make a link of it. */
  readonly isReference: boolean
}

// Underscores around a word may be emphasis. Names are bounded, lest a long line costs its square.
const EMOJI = ':[a-z\\d+_-]{1,60}:'
const URL = '(?<url>https?:\\/\\/[^\\s<>"]+)'
const NAME = '[a-z\\d][\\w.-]{0,99}'
const START = '(?<![a-z\\d.-])'
const END = '(?![a-z\\d])'
const ISSUE = `${START}(?<issue>(?:${NAME}(?:\\/[\\w.-]{1,100})?#|#|GH-)\\d{1,20})${END}`
const USER =
  '(?<![a-z\\d])(?<user>@[a-z\\d](?:[a-z\\d]|[-_](?=[a-z\\d])){0,99}(?:\\/[\\w.-]{0,99}[a-z\\d])?)'
const COMMIT = `${START}(?:${NAME}(?:\\/[\\w.-]{1,100})?@)?(?<commit>[\\da-f]{7,40}(?:\\.{2,3}[\\da-f]{7,40})?)${END}`
const OTHER = '[\\p{L}\\p{N}]+'
const WORD = new RegExp([EMOJI, URL, ISSUE, USER, COMMIT, OTHER].join('|'), 'giu')

/** The words of a text, in their order. Shortcodes of emojis are none: GitHub shows pictures there. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const { index: start, 0: word, groups = {} } of text.matchAll(WORD)) {
    if (word.startsWith(':')) continue
    const { url, issue, user, commit } = groups
    const end = start + word.length
    const isReference = (issue ?? user ?? commit) !== undefined
    words.push({ start, end, isReference, key: url ? keyOfUrl(url) : keyOf(word, issue, commit) })
  }
  return words
}

/** GitHub leaves out a repository that is understood, and shortens the ids of commits. */
function keyOf(word: string, issue: string | undefined, commit: string | undefined): string {
  if (issue !== undefined) return issue.slice(issue.search(/#|GH-/i)).toLowerCase()
  if (commit !== undefined) return commit.slice(0, 7).toLowerCase()
  return word.toLowerCase()
}

/** GitHub shows some addresses as what they lead to. */
function keyOfUrl(url: string): string {
  const [, number] = /\/(?:issues|pull|discussions)\/(\d+)(?![\w-])/.exec(url) ?? []
  if (number !== undefined) return `#${number}`
  const [, commit] = /\/commits?\/([\da-f]{7,40})(?!\w)/i.exec(url) ?? []
  return (commit?.slice(0, 7) ?? url.replace(/[?!.,:;*_~'")]+$/, '')).toLowerCase()
}
