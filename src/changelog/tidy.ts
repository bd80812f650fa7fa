// Owns the endings, lines and sections that go with the tokens in them. Pure.
import { END, HEADING, HEADING_END, START } from './tokens.ts'

/** Stands for a line that is gone, until what was made of such lines alone is gone, too. */
export const GONE = '\ufdd4'

const token = (kinds: string) => `${START}[${kinds}]\\d+${END}`
const list = (item: string) =>
  `${item}(?:(?:\\s*[,;&+/]\\s*(?:and\\s+)?|\\s+(?:and|or|with)\\s+|\\s+)${item})*`

/** Alone in emphasis, or bare. */
const held = (item: string) =>
  `(?:\\*\\*${item}\\*\\*|__${item}__|~~${item}~~|\\*${item}\\*|_${item}_|${item})`
/** Alone in brackets, or bare. */
const bracketed = (item: string) => `(?:\\\\?\\[${item}\\\\?\\]|\\(${item}\\)|${item})`
const PERSON = `${held(token('pm'))}(?:\\[bot\\])?(?:\\s+<?${token('m')}>?)?`
const PEOPLE = list(PERSON)
const LINK = held(bracketed(held(token('ihua'))))
const REFERENCE = bracketed(held(token('ihuao')))
const REFERENCES = list(REFERENCE)
const ITEM = '[\\s>]*(?:[-*+]|\\d+[.)])\\s+(?:\\[[ xX]\\]\\s+)?'
const STOP = `[*_.!\\s]*$`
const VERB =
  '(?:clos(?:es?|ed|ing)|fix(?:es|ed)?|resolv(?:es?|ed)|refs?|references|related(?: to)?|part of|see(?: also)?|via|in|from|by|thanks(?: to)?|prs?|pull requests?|issues?|commits?|bugs?|discussions?|details|cc):?'

const regex = (source: string, flags = 'iu') => new RegExp(source, flags)

/** Lines that say who worked on it, or lead to a comparison. */
const WHOLE_LINES = [
  /^[\s>*-]*(?:co-authored|signed-off|reviewed|acked|tested)-by:.*$/iu,
  regex(
    `^[\\s>]*(?:[-*+]\\s+)?${PEOPLE} made (?:their|his|her|its) first contribution(?:\\s+(?:in|with|to)\\s+${REFERENCES})?${STOP}`
  ),
  regex(
    `^[\\s>]*(?:[-*+]\\s+)?[*_\\s]*full changelog[*_:\\s]*(?:[[(]?${token('uhao')}[\\])]?|\\S+\\.{2,3}\\S+)${STOP}`
  ),
  // A label, and references alone.
  regex(`^[\\s>]*(?:[-*+]\\s+)?[*_]*[\\p{L}\\p{S} ]{1,40}[*_]*:[*_]*\\s*${list(LINK)}${STOP}`),
  regex(
    `^[\\s>]*(?:[-*+]\\s+)?[*_]*(?:contributors|authors|committers|credits|thanks(?: to)?|by)[*_]*:?[*_]*\\s*${PEOPLE}${STOP}`
  )
]

/** References alone, which may end a sentence that began on the line before. */
const REFERENCES_ALONE = regex(
  `^[\\s>]*(?:[-*+]\\s+)?[*_]*${list(`(?:${VERB}\\s+)*${LINK}`)}${STOP}`
)
/** A line that goes on with the paragraph of the line before. */
const GOES_ON = /^[\s>]*[^\s>*+#\ufdd2-]/u
/** Where lists of people stand, and how they are listed. */
const PEOPLE_TITLE =
  /^[^\p{L}]*(?:new |all |code )*(?:contributors?|committers?|authors?|credits)\b[^.]*$/iu
const NAME = "\\p{Lu}[\\p{L}\\d.'’-]*"
const LISTED = [
  regex(`^(?:${ITEM}|[\\s>]*)(?:${NAME}\\s+){0,4}[-–—]?\\s*[(<]?${PEOPLE}[)>]?${STOP}`, 'u'),
  regex(`^${ITEM}(?:${NAME}\\s+){0,3}${NAME}\\s*$`, 'u')
]

const GROUPED = `(?:${VERB}\\s+)*(?:${PERSON}|${REFERENCE})`
const GROUPS = list(GROUPED)
const GROUP = `\\\\?[([]{1,2}(?=[^()]*${token('ihua')})${GROUPS}[.]?[)\\]]{1,2}`

/** What goes in a line, and what stays of it. */
const ENDINGS: readonly (readonly [pattern: RegExp, stays: string])[] = [
  // git-cliff: `Title - (1234abc) - author`
  [regex(`(?<=^${ITEM}.*\\S)\\s+-\\s+\\(${token('h')}\\)\\s+-\\s+[\\p{L}\\d][\\p{L}\\d .-]*$`), ''],
  // changesets: `#12 1234abc Thanks @user! - Title`, `1234abc: Title`
  [regex(`^(${ITEM})(?:${REFERENCE}[\\s,]+)*thanks ${PEOPLE}!\\s+-\\s+`), '$1'],
  [regex(`^(${ITEM})(?:${REFERENCE}\\s+)*${bracketed(token('h'))}(?::|\\s+-)?\\s+(?=\\S)`), '$1'],
  // GitHub's generator, git-cliff: `Title by @user in #12`
  [
    regex(
      `(?:\\s|&nbsp;)+(?:-(?:\\s|&nbsp;)*)?by\\s+(?:${PEOPLE}|\\*\\*[^*]+\\*\\*)\\s+in\\s+${REFERENCES}(?=${STOP})`
    ),
    ''
  ],
  [
    regex(
      `(?<=^${ITEM}.*\\S)(?:\\s|&nbsp;)+(?:-(?:\\s|&nbsp;)*)?by\\s+${PEOPLE}(?=(?:\\s+${REFERENCES})?${STOP})`
    ),
    ''
  ],
  [regex(`(?<=^${ITEM}.*${token('ihua')}.*\\S)\\s+${PEOPLE}(?=${STOP})`), ''],
  // release-drafter: `Title @user (#12)`; lerna: `Title ([@user](…))`
  [
    regex(
      `(?<=^${ITEM}.*\\S)\\s+(?:(?:by|from)\\s+)?${PEOPLE}(?=\\s*\\((?:${VERB}\\s+)*${REFERENCES}\\)${STOP})`
    ),
    ''
  ],
  [
    regex(
      `(?<=^${ITEM}.*\\S)\\s*\\((?:(?:${VERB}\\s+)+)?${PEOPLE}[!.]?\\)(?=(?:\\s+${REFERENCES})?${STOP})`
    ),
    ''
  ],
  [
    regex(
      `(?<=^${ITEM}.*\\S)\\s*[,;]?\\s*\\(?(?:(?:many|big|special)\\s+)?thanks(?: to)? ${PEOPLE}(?: and ${PEOPLE})?[!.]*\\)?$`
    ),
    ''
  ],
  [regex(`(?<=\\S)\\s+[-–—:](?=\\s*${GROUP}${STOP})`), ''],
  [regex(`(?<=\\S)\\s*${held(GROUP)}`, 'giu'), ''],
  [regex(`(?<=[.!?])\\s+${list(LINK)}[.]?$`), ''],
  // conventional-changelog: `Title (1234abc), closes #12`
  [
    regex(
      `(?:\\s*[,;]|(?<=[.!?)\\]]))\\s+(?:clos(?:es|ed)|fix(?:es|ed)|resolv(?:es|ed)|refs|references):?\\s+${list(LINK)}(?:\\s+${token('o')})*(?=${STOP})`
    ),
    ''
  ]
]

const UNTOUCHED = regex(`${START}[^c]`)
/** What remains of a line that held nothing else. */
const EMPTY = /^[\s>]*(?:(?:[-*+]|\d+[.)])(?:\s+\[[ xX]\])?)?(?:&nbsp;|[\s#*_~.,;:!()[\]&-])*$/u

/** The marked text without what was made of tokens alone; tokens that are left stay. */
export function tidy(text: string): string {
  const before = text.split('\n')
  let isOfPeople = false
  const lines = before.map((line, index) => {
    const [, open = '', content = '', close = ''] =
      /^(\ufdd2\d)?([\s\S]*?)(\ufdd3)?$/u.exec(line) ?? []
    if (open !== '' || /^[*_]{2}/.test(line)) isOfPeople = PEOPLE_TITLE.test(content)
    else if (isOfPeople && LISTED.some(pattern => pattern.test(content))) return GONE
    const startsAnew = /^[\s>]*$|[.!?:\ufdd3]$|^\s*> ?\[!\w+\]$/u.test(before[index - 1] ?? '')
    const starts = startsAnew || regex(`^${ITEM}`).test(content)
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
  if (!UNTOUCHED.test(line)) return line
  let cleaned = line
  for (let last = ''; last !== cleaned; ) {
    last = cleaned
    for (const [pattern, stays] of ENDINGS) cleaned = cleaned.replace(pattern, stays)
    cleaned = dropAddresses(cleaned)
  }
  if (cleaned === line) return line
  if (EMPTY.test(cleaned) || WHOLE_LINES.some(pattern => pattern.test(cleaned))) return GONE
  return /\s$/.test(line) ? cleaned : cleaned.trimEnd()
}

const WORD =
  '(?:see|also|and|or|for|more|the|full|details?|information|info|at|in|on|to|from|via|by|with|here|read|release|notes?|changelog|docs?|documentation|please|visit|view|all|available|is|are|of|this|find|can|be|found|changes?|commits?|compare|diff|links?|wiki)'
const ADDRESS = `${held(token('uag'))}`
/** A sentence made of nothing else. */
const SENTENCE = regex(
  `(?<=^[\\s>]*(?:(?:[-*+]|\\d+[.)])\\s+)?|[.!?:]\\s+)(?:${WORD}[\\s,:]+)*${ADDRESS}(?:[\\s,]*(?:${WORD}|${ADDRESS}))*[.!]*(?:\\s+|$)`
)
/** In brackets, with words that lead to it. */
const BRACKETS = regex(`\\s*\\((?:[^()]*[\\s,:])?${ADDRESS}(?:[\\s,][^()]*)?\\)`)
/** Behind a word that leads to it an address shows its name; elsewhere the text can do without. */
const LOOSE: readonly RegExp[] = [
  regex(
    `(?<=^[\\s>]*(?:(?:[-*+]|\\d+[.)])\\s+)?[*_~([]*|[\\s([][*_~([]+)${ADDRESS}[ \\t]*(?=\\S|$)`,
    'giu'
  ),
  regex(`(?:\\s+[–—-]|:)\\s+${ADDRESS}(?=${STOP})`),
  regex(`(?<!(?:^|[^\\p{L}])${WORD}[,:]?\\s*)[ \\t]*${ADDRESS}(?=[\\s.,;:!?)\\]*_]|$)`, 'giu'),
  regex(`(?<!(?:^|[^\\p{L}])${WORD}[,:]?\\s*)${ADDRESS}`, 'giu')
]

/** Addresses that show no text of their own, and images. */
function dropAddresses(line: string): string {
  const short = line.replace(BRACKETS, '').replace(SENTENCE, '')
  return LOOSE.reduce((text, pattern) => text.replace(pattern, ''), short)
}

const INDENT = /^[\s>]*/u

/** An item that goes leaves its mark and its number behind when lines that stay belong to it. */
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

/** Takes out headings, labels and alerts all of whose lines are gone; the last ones first. */
function dropEmptied(lines: string[]): void {
  for (let index = lines.length - 1; index >= 0; index--) {
    const end = endOfTitle(lines, index)
    if (end === undefined) continue
    let next = end + 1
    while (next < lines.length && (lines[next] === GONE || isBlank(lines[next] ?? ''))) next++
    const isOver = isEndOf(lines[index] ?? '', lines[next])
    if (isOver && lines.slice(end + 1, next).includes(GONE)) lines.fill(GONE, index, end + 1)
  }
}

/** Where a heading, a label or an alert that begins on this line ends. */
function endOfTitle(lines: readonly string[], index: number): number | undefined {
  const line = lines[index] ?? ''
  if (line.startsWith(HEADING)) {
    return lines.findIndex((it, at) => at >= index && it.endsWith(HEADING_END))
  }
  const isTitle = /^\s*> ?\[!\w+\]\s*$|^\s*(?:[*_]{2}[^*_:]+:?[*_]{2}:?|[\p{L} ]{1,30}:)\s*$/u
  return isTitle.test(line) ? index : undefined
}

/** Whether what a title holds ends before this line. */
function isEndOf(title: string, next: string | undefined): boolean {
  if (next === undefined) return true
  if (title.startsWith(HEADING))
    return next.startsWith(HEADING) && next.charAt(1) <= title.charAt(1)
  if (/^\s*>/.test(title)) return !next.startsWith('>')
  return next.startsWith(HEADING) || /^[*_]{2}/.test(next)
}
