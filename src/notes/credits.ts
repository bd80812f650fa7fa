// The rules for what is not for buyers, on notes of which the links to their repository are text already: why a piece went.
// In doubt words stay: a number that stays is a blemish, half a sentence is damage. Pure.

const { raw } = String

/**
 * The text with `_` for each letter and digit that is not ASCII, at the same positions: so `[a-z\d_]` is one of any script.
 * Written `[\p{L}\p{N}_]`, hundreds of times, it took a quarter of a run to compile the expressions.
 */
const withPlainLetters = (text: string) =>
  text.replace(/(?!\p{ASCII})[\p{L}\p{N}]/gu, letter => '_'.repeat(letter.length))

const any = (...patterns: readonly string[]) => `(?:${patterns.join('|')})`
const START = raw`(?<![a-z\d_-])`
const END = raw`(?![a-z\d_])`
/** Any of some words, whole. */
const word = (words: string) => `${START}${any(...words.split(' '))}${END}`
/** Several of one kind: `#12, #13 and #14`. */
const list = (pattern: string) => raw`${pattern}(?:(?:[\s,&]|(?:and|with)${END})*${pattern})*`

/** A commit: letters and digits take turns, as in `12ab34c` or `521205d`, but not in `bcf2000`, `face2face` and `1e10000`. */
const HASH = raw`(?<![a-z\d_./-])(?!\d+e\d+${END})(?=[\da-f]{7,40}${END})(?:[a-f]*\d+[a-f]+\d[\da-f]*|\d+[a-f]+)${END}`
/** A commit in code, or bare. */
const COMMIT = any(raw`\x60[\da-f]{5,40}\x60`, HASH)
/** An issue or a commit: `#12`, `GH-12`, `12ab34c`; six digits may be a color. */
const REFERENCE = any(raw`(?:#(?!\d{6}${END})|GH-)\d{1,9}${END}`, COMMIT)

const BOT = raw`\\?\[bot\\?\]`
/** A link to a profile: `[@mona](https://github.com/mona)`, `[renovate[bot]](https://github.com/apps/renovate)` */
const PROFILE = raw`\[[a-z\d_@[\]\\-]+\]\(https?://github\.com/(?:apps/)?[a-z\d_[\]-]+\)`
/** One that can only be a person: a profile, or `renovate[bot]`. */
const SURE_PERSON = raw`@?${any(PROFILE, raw`[a-z\d-]+(?=${BOT})`)}(?:${BOT})?`
/** A person: `@mona`; not `@acme/core`, `@date.now`, `a@b.example`. */
const PERSON = any(SURE_PERSON, raw`(?<![a-z\d_])@[a-z\d][a-z\d-]*(?![a-z\d_/-]|\.[a-z\d_])`)
/** Who did it: `by @mona and @hubot` */
const BY = raw`by\s+${list(PERSON)}`

/** Words that thank people. */
const THANKS = word('by thank thanks thx via props')
/** Words that join references and people in brackets: `(PR #12, fixes #13)`. */
const JOINTS = word(
  'in to with and see pull request requests pr prs issue issues bug ref refs fix fixes fixed close closes closed resolve resolves resolved'
)
const PIECE = any(REFERENCE, PERSON, THANKS, JOINTS, raw`[\s,&/:;!.\\]`)
/** References and people in parentheses or brackets: `(#12)`, `([#12], @mona)`, `[12ab34c]`, `(thanks @mona)` */
const GROUP = raw`\\?${any(raw`\((?:${PIECE}|[[\]])+\)`, raw`\[(?:${PIECE}|[()])+\]`)}`

/** Words that need what follows them: `Fixed in`. */
const NEEDY = word(
  'also as at between by for from in into is like number of on or per see siehe than through to under via voir with'
)
/** Verbs that need it, where they are no nouns as in `import fixes`: `Fixes`, `Update the library, which fixes`. */
const VERBS = word('addresses behebt closes fixes refs replaces resolves reverts supersedes')
const NEEDY_VERB = raw`(?:^|,|${word('which that this')})\s*${VERBS}`
/** Behind a word that does not need what follows. */
const FREE = raw`(?<=[^\s:=→&/(])(?<!(?:${NEEDY}|${NEEDY_VERB})\s*)`

const SPACE = raw`(?:\s|&nbsp;)`
const SEPARATOR = raw`(?:${SPACE}|[,;–—-])*`
/** The issues that a change closes: `, closes #12 #13` */
const CLOSING = raw`,?\s+(?:closes|fixes|resolves)\s+${list(REFERENCE)}`
const CREDIT = any(
  // A group and what it closes, `(#12), closes #13`; and GitHub's ` by @mona in #12`
  raw`(?:${FREE}${SEPARATOR}(?=\\?[[(])|${SEPARATOR}(?<=${SPACE})${BY}\s+in\s+)${any(list(REFERENCE), GROUP)}(?:${CLOSING})?`,
  // A person behind a reference: `#12 by @mona`, `(#12) - @mona`
  raw`(?<=${REFERENCE}[)\]]?)\s+(?:${BY}|-\s+${SURE_PERSON})`,
  // changelogithub's ` &nbsp;-&nbsp; by **Mona** in #12`
  raw`\s+&nbsp;-&nbsp;\s+by\s[^.!?:]+`
)
/** Those at the end, with stops between them; empty without any. With a `+`, it would be compiled twice. */
const ENDING = new RegExp(raw`(?!\.)(?:\.?${CREDIT})*(?=[.!?:]?$)`, 'iu')
/** One of these makes it a credit; without one, as in `(@param, @returns)`, it may be news. */
const SURE = new RegExp(any(REFERENCE, SURE_PERSON, THANKS), 'iu')
const BEHIND_REFERENCE = new RegExp(`${REFERENCE}$`, 'iu')
/** Only numbers: `(#12, #13 and #14)`. */
const ONLY_NUMBERS = /^(?:[\s,;&()[\]–—-]|#\d+|and)+$/
/** No credit is longer. */
const CREDIT_MAX_CHARACTERS = 1000

/** Where the credits at the end of a text are. */
export interface Ending {
  readonly from: number
  readonly to: number
  /** Whether they are nothing but plain numbers, which may be meant: `We are ranked (#1)`. */
  readonly isPlain: boolean
}

/**
 * Finds the credits at the end of an item or a paragraph, several in a row, too.
 * @param linked The numbers that were links: `#12`.
 */
export function findEnding(text: string, linked: ReadonlySet<string>): Ending | undefined {
  const offset = Math.max(0, text.length - CREDIT_MAX_CHARACTERS)
  const end = withPlainLetters(text.slice(offset))
  const match = ENDING.exec(end)
  if (!match?.[0]) return undefined

  const [ending] = match
  const from = offset + match.index
  const before = end.slice(0, match.index)
  if (!SURE.test(ending) && !BEHIND_REFERENCE.test(before)) return undefined

  const numbers = ending.match(/#\d+/g) ?? []
  const isPlain = ONLY_NUMBERS.test(ending) && !numbers.some(it => linked.has(it))
  // After `Done. (#12).`, one stop is enough.
  const to = /[.!?]$/.test(before) ? text.length : from + ending.length
  return { from, to, isPlain }
}

/** A reference, perhaps in brackets: `12ab34c`, `[#12]` */
const BRACKETED = raw`\\?\[?${REFERENCE}\\?\]?`
/** The references at the start, but for the last part: the `#12 ` of `#12 12ab34c: ` */
const REFERENCES_BEFORE = raw`(?:${BRACKETED}\s+)*`
/** The last part of a lead: `12ab34c:`, `-`, `Thanks @mona! -` */
const LEAD_END = any(`${BRACKETED}:?`, '-', `Thanks ${list(PERSON)}! -`)
const LEAD = new RegExp(
  raw`^(?=${REFERENCES_BEFORE}(?:\\?\[?${COMMIT}|Thanks))${REFERENCES_BEFORE}${LEAD_END}\s+(?=\S)`,
  'iu'
)

/** How much of an item's start is a credit: `12ab34c: `, `#12 12ab34c Thanks @mona! - `. */
export function findLead(text: string): number {
  return LEAD.exec(withPlainLetters(text.slice(0, CREDIT_MAX_CHARACTERS)))?.[0].length ?? 0
}

/** The last line of GitHub’s generated notes: `**Full Changelog**: v1...v2` */
const FULL_CHANGELOG =
  /^[*_]*full changelog[*_]*:[*_]*(?![*_])\s*(?=\S*[\d./#])\S+(?:\s+\.{2,3}\s*\S+)?$/i
/** A trailer of a commit that names a person: `Co-authored-by: Mona <mona@example.com>` */
const TRAILER = /^[a-z]+(?:-[a-z]+)*-by: (?:@\S+|[^\n]{1,80}<[^<>\s@]+@[^<>\s]+>)$/i

/** Whether a line is for GitHub's readers. */
export function isForGitHub(line: string): boolean {
  const own = line.replace(/^[\s>]+/, '').trimEnd()
  return FULL_CHANGELOG.test(own) || TRAILER.test(own)
}

/** A heading over people: `New Contributors`, `Committers: 3`, `❤️ Thank You` */
const PEOPLE_HEADING =
  /^[^\p{L}]*(?:(?:new )?contributors?|(?:authors|committers): \d+|thank you)[^\p{L}]*$/iu
const NAMED = new RegExp(any(PERSON, raw`\S@\S`), 'iu')

/** Whether a heading and the items under it have nothing but people. */
export function arePeople(heading: string, items: readonly string[]): boolean {
  if (!PEOPLE_HEADING.test(heading) || !items.some(it => NAMED.test(withPlainLetters(it))))
    return false
  return !items.some(it => /[.!?:](?:\s|$)/.test(it))
}
