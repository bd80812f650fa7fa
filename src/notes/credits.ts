// The table of what generators append to an item, or put before it: whole phrases, each with its generator. Pure.
import { SURE } from './addresses.ts'

/** `12ab34c`, in which letters and digits take turns, unlike in `facade1`, `face2face` and `1e10000`. */
const HEX = '(?=[a-f]*\\d+[a-f]+\\d)(?!\\d+[a-f]\\d+(?!\\w))(?-i:[\\da-f]{7,40})(?!\\w)'
const LINKED = `${SURE}[^\\s()[\\],]+|[\\\\[]*\`[\\da-f]{7,40}\`\\]?`
const REF = `(?:${LINKED}|[\\\\[\`]*(?:#(?!\\d{6}(?!\\w))\\d+|GH-\\d+|${HEX})[\\]\`]*)`
const REFS = `\\[?${REF}\\]?(?:(?:,?\\s+|,|,?\\s+and\\s+|/)\\[?${REF}\\]?)*`
const PAGE = '\\(https?:[^()\\s]*\\)'
const BOT = '(?:\\\\?\\[bot\\\\?\\])?'
const LINKED_PERSON = `(?:\\[@[\\w-]+${BOT}\\]${PAGE}|@\\[[\\w-]+${BOT}\\]${PAGE})${BOT}`
const PERSON = `(?:${LINKED_PERSON}|@[\\w-]+${BOT})(?![\\w/(])`
export const PEOPLE = `${PERSON}(?:(?:, and |,? and | with |, | & | )${PERSON})*`
/** Only behind a commit that was a link: `(#12) - (experimental)` is no name. */
const COMMIT = `${SURE}\`?[\\da-f]{5,40}\`?`
const NAME = '[\\p{L}\\w. -]{1,40}'

/** What stands at the end of an item or paragraph. The words in front of it stay whole (`PART`). */
const ENDINGS = [
  `,? by ${PEOPLE}\\s+in \\(?${REF}\\)?(?:,? (?:closes|fixes|resolves) ${REF})?\\.?$`, // GitHub
  '\\s*&nbsp;-&nbsp;\\s+by [^\\n]{1,200}$', // changelogithub
  ` ${PEOPLE}(?= \\(${REFS}\\)$)`, // release-drafter
  `(?:(?<=\\))|(?<=${REF})),? closes ${REF}(?:,? ${REF})*\\.?$`, // conventional-changelog
  `(?: -)?(?:,?\\s*\\\\?[([]${REFS}\\\\?[)\\]])+(?=[.!?:]?$)`, // nearly all
  ` \\((?:thanks )?${LINKED_PERSON}(?:,? ${LINKED_PERSON})*\\)$`, // lerna-changelog, auto
  `(?<=#\\d{1,7}) (?:by ${PEOPLE}|\\((?:by )?${PEOPLE}\\))$`, // by hand
  ` - \\(${COMMIT}\\) - (?:${NAME}|${PEOPLE})$`, // Cocogitto
  `(?<=\\(${COMMIT}\\))\\s+- \\(${NAME}${BOT}\\)$` // tj-actions
].map(pattern => new RegExp(pattern, 'iu'))
/** What stands at the start of an item, before the title. */
const LEADS = [
  `^(?:${REF} ){0,3}Thanks ${PEOPLE}! - (?=\\S)`, // changesets
  `^(?:${SURE}?#\\d+ )?\\[?(?!${SURE}?#)(?:${LINKED}|${HEX})\\]?(?:: | - |\\s+)(?=\\S)`
].map(pattern => new RegExp(pattern, 'iu'))
/** A paragraph of nothing but a comparison, by changelogen: `[compare changes](…)`. */
const COMPARISON = new RegExp(`^${SURE}{2}[^${SURE}]*${SURE}$`)
/** Lines that go, wherever they are. */
const LINES = [
  `^[\\s>]*[*_]*full changelog[*_]*:[*_]*\\s*\\S*[\\d./]\\S*(?:\\s*\\.{2,3}\\s*\\S+)?$`,
  `^[\\s>]*[*-]?\\s*${PERSON} made their first contribution(?: in ${REF})?[.!]?$`,
  `^[\\s>]*(?:co-authored|signed-off)-by: [^\\n]{1,80}<[^<>\\s]+@[^<>\\s]+>$`
].map(pattern => new RegExp(pattern, 'iu'))
/** Headings of lists of people. */
export const HEADING =
  /^[^\p{L}]*(?:(?:new )?contributors?|(?:authors|committers): \d+|thank you)[^\p{L}]*$/iu
/** Words that a name or a reference behind them belongs to: `Sort by @date`, `Fixed in (#12)`. */
const PART =
  /(?:^|[\s(*_])(?:about|after|and|as|at|before|between|by|for|from|in|into|is|like|as number|of|on|or|per|see|than|thanks|the|through|to|under|via|with|without)[,:]?$|^(?:closes|fixes|refs|resolves|reverts)$|[:;=→&/(]$|^$/i

/** The text of an item or a paragraph without what generators wrote around it; empty if nothing else is in it. */
export function clean(text: string, isItem: boolean): string {
  if (COMPARISON.test(text)) return ''
  const isKept = (line: string) => !LINES.some(it => it.test(line))
  let rest = text.split('\n').filter(isKept).join('\n')
  for (let last = ''; last !== rest; ) {
    last = rest
    for (const ending of ENDINGS) {
      const from = Math.max(0, rest.length - 400)
      const { 0: found, index } = ending.exec(rest.slice(from)) ?? { 0: '', index: 0 }
      const before = rest.slice(0, from + index).trimEnd()
      const after = rest.slice(from + index + found.length)
      // After `Done. (#12).`, one stop is enough.
      const stop = /[.!?]$/.test(before) ? after.replace(/^[.!?]/, '') : after
      if (found !== '' && !PART.test(before.slice(-30))) rest = before + stop
    }
    if (isItem) for (const lead of LEADS) rest = rest.replace(lead, '')
  }
  return rest
}
