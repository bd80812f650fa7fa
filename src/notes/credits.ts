// The table of what generators append to an item, or put before it: whole phrases, each with its generator. Pure.
import { SURE } from './addresses.ts'

/** `12ab34c`, in which letters and digits take turns, unlike in `facade1`, `face2face` and `1e10000`. */
const HEX = '(?=[a-f]*\\d+[a-f]+\\d)(?!\\d+[a-f]\\d+(?!\\w))(?-i:[\\da-f]{7,40})(?!\\w)'
// No text may be read as references in two ways: a line of many would take years. So brackets come in pairs.
const SURE_REF = `${SURE}[^\\s()[\\],/\\\\${SURE}]+`
const CODE = '`[\\da-f]{7,40}`'
const ISSUE = '`?(?:#(?!\\d{6}(?!\\w))\\d+|GH-\\d+)`?'
const ANY = `(?:${SURE_REF}|${CODE}|${ISSUE}|${HEX})`
const REF = `(?:${ANY}|\\\\?\\[${ANY}\\\\?\\])`
const REFS = `${REF}(?:(?:,?\\s+|,|,?\\s+and\\s+|/|(?<=\\])(?=\\\\?\\[))${REF})*`
const PAGE = '\\(https?:[^()\\s]*\\)'
const BOT = '(?:\\\\?\\[bot\\\\?\\])?'
const LINKED_PERSON = `(?:\\[@[\\w-]+${BOT}\\]${PAGE}|@\\[[\\w-]+${BOT}\\]${PAGE})${BOT}`
const PERSON = `(?:${LINKED_PERSON}|@[\\w-]+${BOT})(?![\\w/(])`
export const PEOPLE = `${PERSON}(?:(?:,? and | with |, | & | )${PERSON})*`
/** Only behind a commit that was a link: `(#12) - (experimental)` is no name. */
const COMMIT = `${SURE}\`?[\\da-f]{5,40}\`?`
const NAME = '[\\p{L}\\w. -]{1,40}'

/** What stands at the end of an item or paragraph. The words in front of it stay whole (`PART`). */
const ENDINGS = [
  `,? by ${PEOPLE}\\s+in \\(?${REF}\\)?(?:,? (?:closes|fixes|resolves) ${REF})?\\.?$`, // GitHub
  '&nbsp;-&nbsp;\\s+by [^\\n]{1,200}$', // changelogithub
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
  `^(?:${SURE}?#\\d+ )?(?!\\[?${SURE}?#)(?:\\\\?\\[)?(?:${SURE_REF}|${CODE}|${HEX})(?:\\\\?\\])?(?:: | - |\\s+)(?=\\S)`
].map(pattern => new RegExp(pattern, 'iu'))
/** A paragraph of nothing but a comparison, by changelogen: `[compare changes](…)`. */
const COMPARISON = new RegExp(`^${SURE}{2}[^${SURE}]*${SURE}$`)
/** Lines that go, wherever they are. */
const LINES = [
  `^[\\s>]*[*_]*full changelog[*_]*:[*_]*(?![*_])\\s*(?=\\S*[\\d./])\\S+(?:\\s+\\.{2,3}\\s*\\S+|(?<=\\.\\.)\\s+\\S+)?$`,
  `^[\\s>]*(?:[*-]\\s*)?${PERSON} made their first contribution(?: in ${REF})?[.!]?$`,
  `^[\\s>]*(?:co-authored|signed-off)-by: [^\\n]{1,80}<[^<>\\s@]+@[^<>\\s]+>$`
].map(pattern => new RegExp(pattern, 'iu'))
/** Headings of lists of people. */
export const HEADING =
  /^[^\p{L}]*(?:(?:new )?contributors?|(?:authors|committers): \d+(?!\d)|thank you)[^\p{L}]*$/iu
/** Words that a name or a reference behind them belongs to: `Sort by @date`, `Fixed in (#12)`, `…, which fixes (#12)`. */
const PART =
  /(?:^|[\s(*_])(?:addresses|behebt|closes|fixes|refs|replaces|resolves|reverts|siehe|supersedes|voir|about|after|and|as|at|before|between|by|for|from|in|into|is|like|as number|of|on|or|per|see|than|thanks|the|through|to|under|via|with|without)[,:]?$|[:;=→&/(]$|^$/i

/** What is left of an item or a paragraph without what generators wrote around it, and each piece of that. */
export function clean(text: string, isItem: boolean): { left: string; cut: string[] } {
  if (COMPARISON.test(text)) return { left: '', cut: [text] }
  const lines = text.split('\n')
  const cut = lines.filter(line => LINES.some(it => it.test(line)))
  let left = lines.filter(line => !cut.includes(line)).join('\n')
  for (let last = ''; last !== left; ) {
    last = left
    for (const ending of ENDINGS) {
      const from = Math.max(0, left.length - 400)
      const { 0: found, index } = ending.exec(left.slice(from)) ?? { 0: '', index: 0 }
      const before = left.slice(0, from + index).trimEnd()
      const after = left.slice(from + index + found.length)
      // After `Done. (#12).`, one stop is enough.
      const stop = /[.!?]$/.test(before) ? after.replace(/^[.!?]/, '') : after
      if (found === '' || PART.test(before.slice(-30))) continue
      cut.push(found)
      left = before + stop
    }
    for (const lead of isItem ? LEADS : []) {
      const [found = ''] = lead.exec(left) ?? []
      if (found !== '') cut.push(found)
      left = left.slice(found.length)
    }
  }
  return { left, cut }
}
