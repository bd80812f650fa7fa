// Removes from notes what leads into a repository or says who works there, and the lines that held only that.
import { END, HEADING, HEADING_END, markText, START } from './mark.ts'
import { parseMarkdown } from './markdown.ts'
import { addressesOf, type Repository } from './references.ts'
import { normalize, TextError } from './text.ts'

/** Strips notes without comments or `\r`. Throws a `TextError` if an address would remain outside of code. */
export function strip(source: string, repository: Repository) {
  const addresses = addressesOf(repository)
  const marked = markText(source, parseMarkdown(source), addresses)
  const tidied = tidy(marked.text)
  const read = (_: string, index: string) => marked.tokens[Number(index)] ?? ''
  const text = normalize(tidied.replace(regex(`${START}[a-z](\\d*)${END}`, 'gu'), read))
  // Where nothing led into the repository, nothing does now: this saves reading the text again.
  const left = marked.links > 0 ? markText(text, parseMarkdown(text), addresses).links : 0
  const message = `an address under ${repository.repository} would remain in the changelog, which \`changelog-links: strip\` does not allow: write it in another way, or leave it out`
  if (left > 0) throw new TextError(message)
  const count = (of: string, kinds: string) => of.match(regex(token(kinds), 'gu'))?.length ?? 0
  // Links may have become their text; names include mail addresses; images are those behind a login.
  const names = count(marked.text, 'pm') - count(tidied, 'pm')
  return { text, stripped: { links: marked.links, names, images: count(marked.text, 'g') } }
}

/** Stands for a line that is gone, until what consists of such lines alone is gone, too. */
const GONE = '\ufdd4'

const regex = (source: string, flags = 'iu') => new RegExp(source, flags)
/** The pattern of a token of one of these kinds, which `mark.ts` explains. */
const token = (kinds: string) => `${START}[${kinds}]\\d+${END}`
const list = (item: string) =>
  `${item}(?:(?:\\s*[,;&+/]\\s*(?:and\\s+)?|\\s+(?:and|or|with)\\s+|\\s+)${item})*`
/** Bare, or alone in emphasis. */
const held = (item: string) =>
  `(?:\\*\\*${item}\\*\\*|__${item}__|~~${item}~~|\\*${item}\\*|_${item}_|${item})`
const bracketed = (item: string) => `(?:\\\\?\\[${item}\\\\?\\]|\\(${item}\\)|${item})`

const NAME = "\\p{Lu}[\\p{L}\\d.'’-]*"
/** `@jane`, `**@bot**[bot]`, `@jane <jane@a.example>`: never without the mail address behind it. */
const PERSON = `@?${held(token('pm'))}(?:\\[bot\\])?(?:\\s+<?${token('m')}>?|(?!\\s+<?${token('m')}))`
const PEOPLE = list(PERSON)
/** Into the repository; a `REFERENCE` may also be another repository's issue. */
const LINK = held(bracketed(held(token('ihua'))))
const REFERENCE = bracketed(held(token('ihuao')))
const REFERENCES = list(REFERENCE)
const ITEM = '[\\s>]*(?:[-*+]|\\d+[.)])\\s+(?:\\[[ xX]\\]\\s+)?'
const START_OF_LINE = `^[\\s>]*(?:[-*+]\\s+)?`
const STOP = `[*_.!\\s]*$`
const VERB =
  '(?:clos(?:es?|ed|ing)|fix(?:es|ed)?|resolv(?:es?|ed)|refs?|references|related(?: to)?|part of|see(?: also)?|via|in|from|by|thanks(?: to)?|prs?|pull requests?|issues?|commits?|bugs?|discussions?|details|cc):?'
const WORD =
  '(?:see|also|and|or|for|more|the|full|details?|information|info|at|in|on|to|from|via|by|with|here|read|release|notes?|changelog|docs?|documentation|please|visit|view|all|available|is|are|of|this|find|can|be|found|changes?|commits?|compare|diff|links?|wiki)'
const THANK =
  '(?:(?:many|big|huge|massive|special|our|a|and|also)[ \\t]+){0,3}thank(?:s|[ \\t]+you)(?:[ \\t]+(?:goes?|again|also|due|so much|very much|a lot)){0,2}'
const PRAISE = '(?:special[ \\t]+)?(?:kudos|props|credits?|shout-?outs?|h/t)'
const WHOM = `(?:[ \\t]+to)?(?:[ \\t]+(?:our|the|all|new|everyone|community|contributors?|who|contributed|helped)){0,6}[:,]?\\s+(?:${PEOPLE}|\\(${PEOPLE}\\))`
const NEW_BLOCK = '\\s*(?:\\n\\s*\\n|\\n[\\s>]*(?:[-*+#|\ufdd2]|\\d+[.)])|\ufdd3|$)'
/** The rest of a sentence, which may continue on the next line. */
const WORDS = `(?:[^.!?\\n\ufdd3]|[.!?](?=[^\\s*_)])|\\n(?![\\s>]*(?:[-*+#>|\\n\ufdd2]|\\d+[.)])))*`
// Not in `Thanks @user! - Title`, which Changesets writes: the sentence goes on.
const MARK = '[.!]+(?![ \\t]+-[ \\t])(?=[*_)]*(?:\\s|$))'
const SENTENCE_END = `(?:${MARK}|(?=${NEW_BLOCK}))(?:[ \\t]*(?:\\p{Extended_Pictographic}\ufe0f?|:[a-z_]+:))*`
const SENTENCE_START = '(?<=(?:^|\\n)[\\s>*_#+\ufdd21-6-]*|[.!?][)*_]*\\s+)'
/** Replaces a credit: a token that becomes '', as no text of a million characters has so many tokens. */
const CREDIT = `${START}a9999999${END}`
const WHY = `(?:(?:,?\\s+(?:for|who)\\b|\\s+(?:as|with|in|on|from|at)\\b|\\s+[–—])${WORDS}|,?\\s+and\\b(?!\\s+${PERSON})[^,.!?\\n]*|(?:\\s+-)?\\s+${REFERENCES})?`
const WORKED =
  '(?:contributed|reported|implemented|fixed|suggested|requested|discovered|found|added|written)'
/** `Thanks to @jane for the report.`, `Reported by @jane.`: sentences, or the ends of some. */
const CREDITS = [
  `${SENTENCE_START}(?:${THANK}|${PRAISE})${WHOM}${WHY}${SENTENCE_END}`,
  `${SENTENCE_START}${WORKED}\\s+by\\s+(?:${NAME}\\s+){0,4}\\(?${PEOPLE}\\)?(?:\\s+in\\s+${REFERENCES})?${SENTENCE_END}`,
  `\\s*\\((?:with\\s+)?(?:${THANK}${WHOM}|${PRAISE}${WHOM}|by\\s+${PEOPLE})(?:\\s+(?:for|who)\\s[^()]*)?[.!]*\\)`,
  `(?<=[\\p{L}\\p{N}${END}\`"')\\]])(?:[ \\t]*[,;:–—-][ \\t]*(?:\\n[ \\t]*)?(?:${THANK}|${PRAISE})|[ \\t]+${THANK})${WHOM}${WHY}(?=${MARK}|${NEW_BLOCK})`
].map(source => regex(source, 'giu'))

/** Lines that go completely: they say who worked on it, or lead to a comparison. */
const WHOLE_LINES = [
  /^[\s>*-]*(?:co-authored|signed-off|reviewed|acked|tested)-by:.*$/iu,
  ...[
    `${PEOPLE} made (?:their|his|her|its) first contribution(?:\\s+(?:in|with|to)\\s+${REFERENCES})?`,
    `[*_\\s]*full changelog[*_:\\s]*(?:[[(]?${token('uhao')}[\\])]?|\\S+\\.{2,3}\\S+)`,
    // A label, and references alone; `Fixed the crash: #12` says more.
    `[*_]*[\\p{S} ]*(?:${WORD}\\s+)*\\p{L}+\\s*[*_]*:[*_]*\\s*${list(bracketed(token('hua')))}`,
    `[*_]*[\\p{S} ]*(?:${VERB}\\s*)+[*_]*:?[*_]*(?<=:[*_]*)\\s*${list(LINK)}`,
    `[*_]*(?:contributors|authors|committers|credits|thanks(?: to)?|by)[*_]*:?[*_]*\\s*${PEOPLE}`
  ].map(source => regex(`${START_OF_LINE}${source}${STOP}`))
]
/** A line of references alone; it stays if it may end a sentence that began on the line before. */
const REFERENCES_ALONE = regex(`${START_OF_LINE}[*_]*${list(`(?:${VERB}\\s+)*${LINK}`)}${STOP}`)
/** A line that continues the paragraph of the line before. */
const GOES_ON = /^[\s>]*[^\s>*+#\ufdd2-]/u
/** `New Contributors`, `Thanks to everyone`; not `Thank you for your patience`. */
const PEOPLE_TITLE =
  /^[^\p{L}]*(?:new |all |code )*(?:contributors?|committers?|authors?|credits|thank(?:s| you)(?=\W*$|[^\p{L}]*to\b(?!.*\byour?\b)(?:\W*$|.*\b(?:contributors?|authors?|people|everyone|all|following|team|community|testers?|translators?|reporters?|sponsors?|supporters?)\b)))(?:\W*|[^\p{L}]*(?:to|in|on|of|for|and|who|this|release|version|list|sponsors|thank\w*|\d)\b[^.]*)$/iu
const LISTED = [
  `^(?:${ITEM}|[\\s>]*)(?:[\\p{L}\\d.'’_-]+\\s+){0,4}[-–—]?\\s*[(<]?${PEOPLE}[)>]?(?:\\s*(?:\\(${PERSON}\\)|${token('m')}))?${STOP}`,
  `^${ITEM}(?:${NAME}\\s+){0,3}${NAME}\\s*$`
].map(source => regex(source, 'u'))

const GROUPS = list(`(?:${VERB}\\s+)*(?:${PERSON}|${REFERENCE})`)
const GROUP = `\\\\?[([]{1,2}(?=[^()]*${token('ihua')})${GROUPS}[.]?[)\\]]{1,2}`
const CLOSES = `(?:clos(?:es|ed)|fix(?:es|ed)|resolv(?:es|ed)|refs|references):?\\s+${list(LINK)}(?:\\s+${token('o')})*`
const BY = `,?(?:\\s|&nbsp;)+(?:-(?:\\s|&nbsp;)*)?(?:${WORKED}\\s+)?by\\s+`
/** What goes in a list's items. Names begin with a capital, so their patterns heed the case. */
const IN_ITEM = [
  // git-cliff: `Title - (1234abc) - author`
  `(?<=\\S)\\s+-\\s+\\(${token('h')}\\)\\s+-\\s+[\\p{L}\\d@${START}][^()\\s]*(?:\\s[^()\\s]+){0,4}$`,
  // changesets: `#12 1234abc Thanks @user! - Title`, `1234abc: Title`
  `^(?:${REFERENCE}[\\s,]+)*thanks ${PEOPLE}!\\s+-\\s+`,
  `^(?:${REFERENCE}\\s+)*${bracketed(token('h'))}(?::|\\s+-)?\\s+(?=\\S)`,
  `(?<=\\S)${BY}(?:${PEOPLE}|\\*\\*[^*]+\\*\\*)\\s+${bracketed(token('h'))}(?=${STOP})`,
  `(?<=[.!?])${BY}${PEOPLE}(?:\\s+(?:in\\s+)?${REFERENCES})?[.!]+(?=[*_]*$)`,
  `(?<=\\S)(?<!\\bby)\\s+([*_]{1,2})(?:\\(?by\\s+${PEOPLE}\\)?|\\(${PEOPLE}\\))\\1(?=(?:\\s+(?:in\\s+)?${REFERENCES})?${STOP})`,
  `(?<=\\S)${BY}${PEOPLE}(?=(?:\\s+${REFERENCES})?${STOP})`,
  `(?<=\\S)\\s+[-–—]\\s+(?!(?:Our|The|My|Your)\\s|\\S+\\s+(?:Team|Support|Desk|Care|Cent(?:er|re))\\s)(?:${NAME}\\s+){2}[<(]?${token('m')}[>)]?(?=${STOP})`,
  `(?<=${token('ihua')}(?:.*\\S)?)\\s+(?:[-–—]\\s+)?${PEOPLE}(?=${STOP})`,
  // release-drafter: `Title @user (#12)`; lerna: `Title ([@user](…))`
  `(?<=\\S)\\s+(?:(?:by|from)\\s+)?${PEOPLE}(?=\\s*\\((?:${VERB}\\s+)*${REFERENCES}\\)${STOP})`,
  `(?<=\\S)\\s*\\((?:${VERB}\\s+)*${PEOPLE}[!.]?\\)(?=(?:\\s+${REFERENCES})?${STOP})`,
  // git: `Title by Jane Doe <jane@a.example>`
  `(?<=\\S)(?:${BY}|\\s+\\((?:by\\s+)?)(?:${NAME}\\s+){1,4}[<(]?${token('m')}[>)]?\\)?(?=${STOP})`
].map(source => regex(source, source.includes(NAME) ? 'gu' : 'giu'))
/** What goes in every line. */
const ENDINGS = [
  // GitHub's generator, git-cliff: `Title by @user in #12`
  `${BY}(?:${PEOPLE}|\\*\\*[^*]+\\*\\*)\\s+in\\s+${REFERENCES}(?=${STOP})`,
  `(?<=\\S)\\s+[-–—:](?=\\s*${GROUP}${STOP})`,
  `(?<=[.!?])\\s*${held(GROUP)}[.!]`,
  `(?<=\\S)\\s*${held(GROUP)}(?:,\\s*${held(GROUP)})*`,
  `(?<=[.!?])\\s+${list(LINK)}[.]?$`,
  // conventional-changelog: `Title (1234abc), closes #12`
  `(?<=[.!?])\\s+${CLOSES}[.!]+(?=\\s|[*_]*$)`,
  `(?:\\s*[,;]|(?<=[.!?)\\]]))\\s+${CLOSES}(?=${STOP})`
].map(source => regex(source, 'giu'))

const ADDRESS = held(token('uag'))
/** Not after a word such as `see`, which would be left hanging: there, the last part of the address stays. */
const UNLED = `(?<!(?:^|[^\\p{L}])${WORD}[,:]?\\s*)`
const BEGINS = `^[\\s>]*(?:(?:[-*+]|\\d+[.)])\\s+)?`
/** Addresses, with the words that lead to them, where the text can do without: in brackets, as a sentence. */
const LEADS = [
  `(?:\\s+[–—-]|:)\\s+${ADDRESS}(?=${STOP})`,
  `\\s*\\((?:[^()]*[\\s,:])?${ADDRESS}(?:[\\s,][^()]*)?\\)`,
  `(?<=${BEGINS}|[.!?:]\\s+)(?:${WORD}[\\s,:]+)*${ADDRESS}(?:[\\s,]*(?:${WORD}|${ADDRESS}))*[.!]*(?:\\s+|$)`,
  `(?<=${BEGINS}[*_~([]*|[\\s([][*_~([]+)${ADDRESS}[ \\t]*(?=\\S|$)`,
  `${UNLED}[ \\t]*${ADDRESS}(?=[\\s.,;:!?)\\]*_]|$)`,
  `${UNLED}${ADDRESS}`
].map(source => regex(source, 'giu'))

const IS_ITEM = regex(`^${ITEM}`)
/** Any token but `c`: a line without one stays as it is. */
const HAS_TOKEN = regex(`${START}[^c]`)
const EMPTY = /^[\s>]*(?:(?:[-*+]|\d+[.)])(?:\s+\[[ xX]\])?)?(?:&nbsp;|[\s#*_~.,;:!()[\]&-])*$/u

/** Drops credits, then lines or parts of them, then headings left without lines; other tokens stay marked. */
function tidy(text: string): string {
  const credited = CREDITS.reduce((it, pattern) => it.replace(pattern, CREDIT), text)
  const before = credited.split('\n')
  let isOfPeople = false
  const lines = before.map((line, index) => {
    const [, open = '', content = '', close = ''] =
      /^(\ufdd2\d)?([\s\S]*?)(\ufdd3)?$/u.exec(line) ?? []
    if (open !== '' || /^[*_]{2}/.test(line)) isOfPeople = PEOPLE_TITLE.test(content)
    else if (isOfPeople && LISTED.some(pattern => pattern.test(content))) return GONE
    const startsAnew = /^[\s>]*$|[.!?:\ufdd3]$|^\s*> ?\[!\w+\]$/u.test(before[index - 1] ?? '')
    const starts = startsAnew || IS_ITEM.test(content)
    const isAlone =
      starts && !GOES_ON.test(before[index + 1] ?? '') && REFERENCES_ALONE.test(content)
    const cleaned = isAlone ? GONE : cleanLine(content)
    return cleaned === GONE ? GONE : open + cleaned + close
  })
  keepParents(lines, before)
  dropEmptied(lines)
  const kept = lines.join('\n').replace(/\n\n(?:\ufdd4\n+)+/gu, '\n\n')
  return kept.replace(/^\ufdd4\n|\n?\ufdd4(?=\n|$)/gmu, '').replace(/\ufdd2\d|\ufdd3/gu, '')
}

function cleanLine(line: string): string {
  if (WHOLE_LINES.some(pattern => pattern.test(line))) return GONE
  if (!HAS_TOKEN.test(line)) return line
  const drop = (patterns: readonly RegExp[], text: string) =>
    patterns.reduce((it, pattern) => it.replace(pattern, ''), text)
  const [item = ''] = IS_ITEM.exec(line) ?? []
  let cleaned = line
  for (let last = ''; last !== cleaned; ) {
    last = cleaned
    if (item !== '') cleaned = item + drop(IN_ITEM, cleaned.slice(item.length))
    cleaned = drop([...ENDINGS, ...LEADS], cleaned)
  }
  if (cleaned === line) return line
  if (EMPTY.test(cleaned) || WHOLE_LINES.some(pattern => pattern.test(cleaned))) return GONE
  return /\s$/.test(line) ? cleaned : cleaned.trimEnd()
}

const INDENT = /^[\s>]*/u
/** An item that went gets back its bullet and its issue's number if lines under it stay. */
function keepParents(lines: string[], before: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    const [item] = /^[\s>]*(?:[-*+]|\d+[.)])(?=\s)/u.exec(before[index] ?? '') ?? []
    if (line !== GONE || item === undefined) continue
    const next = lines.slice(index + 1).find(it => it !== GONE && !isBlank(it)) ?? ''
    const depth = INDENT.exec(item)?.[0].length ?? 0
    const [number] = regex(` ${token('i')}`).exec(before[index] ?? '') ?? ['']
    if ((INDENT.exec(next)?.[0].length ?? 0) > depth) lines[index] = item + number
  }
}

const isBlank = (line: string) => /^[\s>]*(?:[-*_]{3,}\s*)?$/u.test(line)

/** Titles about people or links; any other names a change, and stays even without its lines. */
const ASIDE = /contribut|author|credit|thank|link|refer|compar|commit|pull|issue|chang|more/iu

/** Drops such headings and labels, and alerts, if all of their lines are gone; from the last one up. */
function dropEmptied(lines: string[]): void {
  for (const [index, line] of [...lines.entries()].toReversed()) {
    const rank = rankOf(line)
    if (rank === undefined || (rank !== ALERT && !ASIDE.test(line))) continue
    const closes = (it: string, at: number) => at >= index && it.endsWith(HEADING_END)
    const end = line.startsWith(HEADING) ? lines.findIndex(closes) : index
    const next = lines.findIndex((it, at) => at > end && it !== GONE && !isBlank(it))
    const below = lines.slice(end + 1, next < 0 ? undefined : next)
    // The end of the text ends whatever is open, like a top heading.
    const following = lines[next] ?? HEADING
    const isOver = rank === ALERT ? !following.startsWith('>') : (rankOf(following) ?? 9) <= rank
    if (isOver && below.includes(GONE)) lines.fill(GONE, index, end + 1)
  }
}

const [LABEL, ALERT] = [7, 8]

/** The level of a heading; a label on a line of its own is below all of them, and so is an alert. */
function rankOf(line: string): number | undefined {
  if (line.startsWith(HEADING)) return Number(line.charAt(1))
  if (/^\s*> ?\[!\w+\]\s*$/.test(line)) return ALERT
  const isLabel = /^\s*(?:[*_]{2}[^*_:]+:?[*_]{2}:?|[\p{L} ]{1,30}:)\s*$/u.test(line)
  return isLabel ? LABEL : undefined
}
