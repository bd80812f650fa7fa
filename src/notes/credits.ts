// The table of what generators append to an item, or put before it: whole phrases, each with its generator. Pure.
import { SURE } from './addresses.ts'

/** `12ab34c`, in which letters and digits take turns, unlike in `facade1`, `face2face` and `1e10000`. */
const HEX = '(?=[a-f]*\\d+[a-f]+\\d)(?!\\d+[a-f]\\d+(?!\\w))(?-i:[\\da-f]{7,40})(?!\\w)'

// References, of which a list may be long. No text may be read in two ways, or such a list would take years: so brackets
// come in pairs.

/** Text that was a link to an issue or a commit. */
const SURE_REF = `${SURE}[^\\s()[\\],/\\\\${SURE}]+`
/** `` `12ab34c` `` */
const CODE = '`[\\da-f]{7,40}`'
/** `#12` or `GH-12`; six digits may be a color. */
const ISSUE = '`?(?:#(?!\\d{6}(?!\\w))\\d+|GH-\\d+)`?'
const ANY = `(?:${SURE_REF}|${CODE}|${ISSUE}|${HEX})`
/** One reference, perhaps in brackets: `#12`, `[12ab34c]`. */
const REF = `(?:${ANY}|\\\\?\\[${ANY}\\\\?\\])`
/** Several: `#12, #13 and #14`, `[#1][#2]`. */
const REFS = `${REF}(?:(?:,?\\s+|,|,?\\s+and\\s+|/|(?<=\\])(?=\\\\?\\[))${REF})*`

// People.

const PAGE = '\\(https?:[^()\\s]*\\)'
const BOT = '(?:\\\\?\\[bot\\\\?\\])?'
/** `[@mona](https://github.com/mona)` */
const LINKED_PERSON = `(?:\\[@[\\w-]+${BOT}\\]${PAGE}|@\\[[\\w-]+${BOT}\\]${PAGE})${BOT}`
/** `@mona`, but not the start of `@acme/core`. */
const PERSON = `(?:${LINKED_PERSON}|@[\\w-]+${BOT})(?![\\w/(])`
/** `@mona, @hubot and @octocat` */
export const PEOPLE = `${PERSON}(?:(?:,? and | with |, | & | )${PERSON})*`
/** Only behind a commit that was a link: `(#12) - (experimental)` is no name. */
const COMMIT = `${SURE}\`?[\\da-f]{5,40}\`?`
/** A name as it is in commits: `Jane Doe`. */
const NAME = '[\\p{L}\\w. -]{1,40}'

/** A phrase that a generator writes around an item's title. */
interface Credit {
  /** The program whose phrase it is. */
  readonly by: string
  /** A line of its output. A link to an issue or a commit stands there as `<#12>`. */
  readonly example: string
  /** The same line for buyers. */
  readonly left: string
  readonly pattern: RegExp
}

function credit(by: string, example: string, left: string, pattern: string): Credit {
  return { by, example, left, pattern: new RegExp(pattern, 'iu') }
}

/** At the end of an item or a paragraph. The words in front of it stay whole (`PART`). */
export const ENDINGS: readonly Credit[] = [
  credit(
    'GitHub',
    'Sort albums by @mona in <#12>',
    'Sort albums',
    `,? by ${PEOPLE}\\s+in \\(?${REF}\\)?(?:,? (?:closes|fixes|resolves) ${REF})?\\.?$`
  ),
  credit(
    'changelogithub',
    'Sort albums &nbsp;-&nbsp; by @mona in <#12>',
    'Sort albums',
    '&nbsp;-&nbsp;\\s+by [^\\n`]{1,200}$'
  ),
  credit(
    'release-drafter',
    'Sort albums @mona (#12)',
    'Sort albums',
    ` ${PEOPLE}(?= \\(${REFS}\\)$)`
  ),
  credit(
    'conventional-changelog',
    'Sort albums (<12ab34c>), closes <#12> <#13>',
    'Sort albums',
    `(?:(?<=\\))|(?<=${REF})),? closes ${REF}(?:,? ${REF})*\\.?$`
  ),
  credit(
    'nearly all',
    'Sort albums (#12).',
    'Sort albums.',
    `(?: -)?(?:,?\\s*\\\\?[([]${REFS}\\\\?[)\\]])+(?=[.!?:]?$)`
  ),
  credit(
    'lerna-changelog, auto',
    'Sort albums ([@mona](https://github.com/mona))',
    'Sort albums',
    ` \\((?:thanks )?${LINKED_PERSON}(?:,? ${LINKED_PERSON})*\\)$`
  ),
  credit(
    'people who write by hand',
    'Sort albums, see #12 by @mona',
    'Sort albums, see #12',
    `(?<=#\\d{1,7}) (?:by ${PEOPLE}|\\((?:by )?${PEOPLE}\\))$`
  ),
  credit(
    'Cocogitto',
    'Sort albums - (<12ab34c>) - Jane Doe',
    'Sort albums',
    ` - \\(${COMMIT}\\) - (?:${NAME}|${PEOPLE})$`
  ),
  credit(
    'tj-actions',
    'Sort albums (<12ab34c>) - (Jane Doe)',
    'Sort albums',
    `(?<=\\(${COMMIT}\\))\\s+- \\(${NAME}${BOT}\\)$`
  )
]

/** At the start of an item, before its title. */
export const LEADS: readonly Credit[] = [
  credit(
    'changesets',
    '#12 12ab34c Thanks @mona! - Sort albums',
    'Sort albums',
    `^(?:${REF} ){0,3}Thanks ${PEOPLE}! - (?=\\S)`
  ),
  credit(
    'changesets, git-cliff',
    '12ab34c: Sort albums',
    'Sort albums',
    `^(?:${SURE}?#\\d+ )?(?!\\[?${SURE}?#)(?:\\\\?\\[)?(?:${SURE_REF}|${CODE}|${HEX})(?:\\\\?\\])?(?:: | - |\\s+)(?=\\S)`
  )
]

/** Lines that go, wherever they are. */
export const LINES: readonly Credit[] = [
  credit(
    'GitHub',
    '**Full Changelog**: v1.4.1...v1.4.2',
    '',
    `^[\\s>]*[*_]*full changelog[*_]*:[*_]*(?![*_])\\s*(?=\\S*[\\d./])\\S+(?:\\s+\\.{2,3}\\s*\\S+|(?<=\\.\\.)\\s+\\S+)?$`
  ),
  credit(
    'GitHub',
    '* @mona made their first contribution in <#12>',
    '',
    `^[\\s>]*(?:[*-]\\s*)?${PERSON} made their first contribution(?: in ${REF})?[.!]?$`
  ),
  credit(
    'git',
    'Co-authored-by: Mona <mona@example.com>',
    '',
    `^[\\s>]*(?:co-authored|signed-off)-by: [^\\n]{1,80}<[^<>\\s@]+@[^<>\\s]+>$`
  )
]

/** A paragraph of nothing but a comparison, by changelogen: `[compare changes](…)`. */
const COMPARISON = new RegExp(`^${SURE}{2}[^${SURE}]*${SURE}$`)

/** Headings of lists of people: `New Contributors`, `Committers: 3`, `❤️ Thank You`. */
export const HEADING =
  /^[^\p{L}]*(?:(?:new )?contributors?|(?:authors|committers): \d+(?!\d)|thank you)[^\p{L}]*$/iu

/** Words that a name or a reference behind them belongs to: `Sort by @date`, `Fixed in (#12)`. */
const PREPOSITIONS =
  'about|after|and|as|at|before|between|by|for|from|in|into|is|like|as number|of|on|or|per|see|than|thanks|the|through|to|under|via|with|without'
/** The same: `Update the library, which fixes (#12)`, `behebt (#12)`. */
const VERBS = 'addresses|behebt|closes|fixes|refs|replaces|resolves|reverts|siehe|supersedes|voir'
/** The end of a text whose last word needs what follows it. */
const PART = new RegExp(`(?:^|[\\s(*_])(?:${VERBS}|${PREPOSITIONS})[,:]?$|[:;=→&/(]$|^$`, 'i')

/** A text without what generators wrote around it. */
export interface Cleaned {
  readonly left: string
  /** Each piece that was taken away. */
  readonly cut: readonly string[]
}

/** Takes from an item or a paragraph what generators wrote around it. */
export function clean(text: string, isItem: boolean): Cleaned {
  if (COMPARISON.test(text)) return { left: '', cut: [text] }

  const lines = text.split('\n')
  const cut = lines.filter(line => LINES.some(({ pattern }) => pattern.test(line)))
  let left = lines.filter(line => !cut.includes(line)).join('\n')

  // One phrase may stand before another.
  for (let last = ''; last !== left; ) {
    last = left
    for (const { pattern } of ENDINGS) {
      left = cutEnding(left, pattern, cut)
    }
    for (const { pattern } of isItem ? LEADS : []) {
      const [found = ''] = pattern.exec(left) ?? []
      if (found !== '') cut.push(found)
      left = left.slice(found.length)
    }
  }
  return { left, cut }
}

/** In characters: no phrase of a generator is longer. */
const LONGEST_ENDING = 400

/** The text without a phrase at its end, unless its words would end in a part of a sentence. */
function cutEnding(text: string, pattern: RegExp, cut: string[]): string {
  const from = Math.max(0, text.length - LONGEST_ENDING)
  const match = pattern.exec(text.slice(from))
  if (!match || match[0] === '') return text

  const [found] = match
  const before = text.slice(0, from + match.index).trimEnd()
  if (PART.test(before.slice(-30))) return text

  cut.push(found)
  const after = text.slice(from + match.index + found.length)
  // After `Done. (#12).`, one stop is enough.
  return before + (/[.!?]$/.test(before) ? after.replace(/^[.!?]/, '') : after)
}
