// Takes out of the marked text of a block what only leads to the repository, or says who worked on it.
import { type Kind, type Pass, put, token } from './mark.ts'

/** Where a text stands: elsewhere, in an item of a list, in a list of people, or in a table. */
export type Place = 'text' | 'item' | 'people' | 'cell'

const regex = (source: string, flags = 'giu') => new RegExp(source, flags)

const NAME = `(?<![\\p{L}\\d.'’-])(?-i:[\\p{Lu}\\p{Lo}])[\\p{L}\\d.'’-]*`
const MAIL = `(?:<${token('m')}>|\\(${token('m')}\\)|${token('m')})`
const BETWEEN = '\\s*[,;&+/]\\s*(?:and\\s+)?|\\s+and\\s+'
const several = (item: string, between: string) => `${item}(?:(?:${between})${item})+`
/** Alone in emphasis, or bare. */
const held = (item: string) => `([*_~]{0,2})${item}\\1`

/** What becomes one token: people, references, and addresses, in emphasis or one after another. */
const COLLAPSED = (
  [
    [`${NAME}(?:\\s+${NAME}){0,3}\\s+${MAIL}`, 'p'],
    [`${held(token('nmp'))}(?:\\[bot\\])?(?:\\s+${MAIL})?`, 'p'],
    [several(token('p'), `${BETWEEN}|\\s+(?:or|with)\\s+|\\s+`), 'p'],
    ...(['i', 'h', 'o'] as const).map(kind => [held(token(kind)), kind] as const),
    [several(token('ih'), BETWEEN), 'i'],
    [several(token('o'), BETWEEN), 'o'],
    [held(token('uag')), 'a']
  ] as const
).map(([source, kind]): [RegExp, Kind] => [regex(source), kind])

const PEOPLE = token('p')
const ADDRESS = token('a')
/** In brackets, or bare. */
const reference = (kinds: string) => `[[(\\\\]{0,2}${token(kinds)}[\\])\\\\]{0,2}`
const REFERENCE = reference('ihoa')
/** The end of a line, but for its marks and tags. */
const STOP = `[*_.!\\s]*(?:${token('t')}\\s*)*$`
const VERB =
  '(?:clos(?:es?|ed|ing)|fix(?:es|ed)?|resolv(?:es?|ed)|refs?|references|related(?: to)?|part of|see(?: also)?|via|in|from|by|thanks(?: to)?|prs?|pull requests?|issues?|commits?|bugs?|discussions?|details|cc):?'
const WORD =
  '(?:see|also|and|or|for|more|the|full|details?|information|info|at|in|on|to|from|via|by|with|here|read|release|notes?|changelog|docs?|documentation|please|visit|view|all|available|is|are|of|this|find|can|be|found|changes?|commits?|compare|diff|links?|wiki)'
/** Not after a word that leads to what follows. */
const UNLED = `(?<!(?:^|[^\\p{L}])${WORD}[,:]?\\s*)`
/** Brackets that hold nothing but tokens, one of them of these kinds. */
const group = (kinds: string) => {
  const item = `(?:${VERB}\\s+)*\\[?${token('pihao')}\\]?`
  const items = `${item}(?:(?:${BETWEEN}|\\s+)${item})*[.!]?`
  return `\\\\?[([]{1,2}(?=[^()]*${token(kinds)})${items}\\\\?[)\\]]{1,2}`
}
const GROUP = group('iha')

const THANK =
  '(?:(?:many|big|huge|massive|special|our|a|and|also)[ \\t]+){0,3}thank(?:s|[ \\t]+you)(?:[ \\t]+(?:goes?|again|also|due|so much|very much|a lot)){0,2}'
const PRAISE = '(?:special[ \\t]+)?(?:kudos|props|credits?|shout-?outs?|h/t)'
const WHOM = `(?:[ \\t]+to)?(?:[ \\t]+(?:our|the|all|new|everyone|community|contributors?|who|contributed|helped)){0,6}[:,]?\\s+(?:${PEOPLE}|\\(${PEOPLE}\\))`
/** The rest of a sentence, which may go on in the next line. */
const REST = '(?:[^.!?\\n]|[.!?](?=[^\\s*_)])|\\n(?=[\\s>]*(?-i:\\p{Ll})))*'
const WHY = `(?:(?:,?\\s+(?:for|who)\\b|\\s+(?:as|with|in|on|from|at)\\b|\\s+[–—])${REST}|,?\\s+and\\b[^,.!?\\n]*|(?:\\s+-)?\\s+${REFERENCE})?`
// A dash after it is that of changesets: `Thanks @user! - Title`.
const OVER = `(?:[.!]+(?![ \\t]+-[ \\t])(?=[*_)]*(?:\\s|$))|(?=\\s*(?:$|\\n|${token('t')})))`
const BEGIN = `(?<=(?:^|\\n|${token('t')})[\\s>*_]*|[.!?][)*_]*\\s+)`
const EMOJI = '(?:[ \\t]*(?:\\p{Extended_Pictographic}\ufe0f?|:[a-z_]+:))*'
const WORKED =
  '(?:contributed|reported|implemented|fixed|suggested|requested|discovered|found|added|written)'
/** Sentences and ends of sentences that only thank people, or say who worked on it. */
const CREDITS = [
  `${BEGIN}(?:${THANK}|${PRAISE})${WHOM}${WHY}${OVER}${EMOJI}`,
  `${BEGIN}${WORKED}\\s+by\\s+(?:[\\p{L}.'’-]+\\s+){0,4}\\(?${PEOPLE}\\)?(?:\\s+in\\s+${REFERENCE})?${OVER}`,
  `\\s*\\((?:with\\s+)?(?:(?:${THANK}|${PRAISE})${WHOM}|by\\s+${PEOPLE})(?:\\s+(?:for|who)\\s[^()]*)?[.!]*\\)`,
  `(?<=[\\p{L}\\p{N}\ufdd1\`"')\\]])(?:[ \\t]*[,;:–—-]\\s*(?:${THANK}|${PRAISE})|[ \\t]+${THANK})${WHOM}${WHY}(?=${OVER})`
].map(source => regex(source))

/** Lines that say who worked on it, or lead to a comparison. */
const WHOLE_LINES = [
  '(?:co-authored|signed-off|reviewed|acked|tested)-by:.*',
  `${PEOPLE} made (?:their|his|her|its) first contribution(?:\\s+(?:in|with|to)\\s+${REFERENCE})?`,
  `[*_\\s]*full changelog[*_:\\s]*(?:[[(]?${token('ihao')}[\\])]?|\\S+\\.{2,3}\\S+)`,
  // A label, and references alone; `Fixed the crash: #12` says more.
  `[*_]*[\\p{S} ]*(?:${WORD}\\s+)*\\p{L}+\\s*[*_]*:[*_]*\\s*${token('ha')}`,
  `[*_]*[\\p{S} ]*(?:${VERB}\\s*)+[*_]*:?[*_]*(?<=:[*_]*)\\s*${token('ih')}`,
  `[*_]*(?:contributors|authors|committers|credits|thanks(?: to)?|by)[*_]*:?[*_]*\\s*${PEOPLE}(?:\\s+(?:in\\s+)?${REFERENCE})?`
].map(source => regex(`^[ \\t>]*(?:[-*+]\\s+)?${source}${STOP}`, 'gimu'))

/** References alone, as the last sentences of a paragraph. */
const ALONE = regex(
  `(?<=^|[.!?]\\s+|(?::|^\\[!\\w+\\])[ \\t]*\\n[\\s>]*)[*_]*(?:(?:${VERB}\\s+)*\\(?${token('iha')}\\)?(?:${BETWEEN}|[.!]?\\s+|(?=${STOP})))+[*_.!]*$`
)

const BY = '(?<=\\S),?(?:\\s|&nbsp;)+(?:-(?:\\s|&nbsp;)*)?by\\s+'
const SOMEONE = `(?:${PEOPLE}|\\*\\*[^*]+\\*\\*)`
const TWICE_ENDED = `(?<=[.!?])\\s*${group('piha')}[.!]`
/** What goes in an item of a list. */
const IN_ITEM = [
  TWICE_ENDED,
  // git-cliff: `Title - (1234abc) - author`
  `(?<=\\S)\\s+-\\s+\\(${token('h')}\\)\\s+-\\s+[\\p{L}\\d][\\p{L}\\d .-]*$`,
  // changesets: `#12 1234abc Thanks @user! - Title`, `1234abc: Title`
  `^(?:${REFERENCE}[\\s,]+)*thanks ${PEOPLE}!\\s+-\\s+`,
  `^(?:${REFERENCE}\\s+)*${reference('h')}(?::|\\s+-)?\\s+(?=\\S)`,
  // changelogithub, git-cliff: `Title by @user (1234abc)`
  `${BY}(?:${PEOPLE}|${SOMEONE}\\s+${reference('ih')})(?=(?:\\s+${REFERENCE})?${STOP})`,
  // release-drafter: `Title @user (#12)`; lerna: `Title ([@user](…))`
  `(?<=[)\\].!?\ufdd1])\\s+${PEOPLE}(?=${STOP})`,
  `(?<=\\S)${UNLED}\\s+(?:(?:by|from)\\s+)?${PEOPLE}(?=\\s*${GROUP}${STOP})`,
  `(?<=\\S)\\s*${group('p')}(?=(?:\\s+${REFERENCE})?${STOP})`
].map(source => regex(source))
/** What goes in any line, the words that lead to an address among it. */
const IN_TEXT = [
  TWICE_ENDED,
  // GitHub's generator, git-cliff: `Title by @user in #12`
  `${BY}${SOMEONE}\\s+in\\s+${REFERENCE}(?:\\s+${REFERENCE})*(?=${STOP})`,
  `(?<=\\S)(?:\\s+[-–—:])?\\s*${GROUP}(?:,\\s*${GROUP})*`,
  `(?<=[.!?])\\s+${token('iha')}\\.?$`,
  // conventional-changelog: `Title (1234abc), closes #12`
  `(?:\\s*[,;]|(?<=[.!?)\\]]))\\s+(?:clos(?:es|ed)|fix(?:es|ed)|resolv(?:es|ed)|refs|references):?\\s+${token('ih')}(?:\\s+${REFERENCE})*(?=${STOP})`,
  `(?:\\s+[–—-]|:)\\s+${ADDRESS}(?=${STOP})`,
  `\\s*\\((?:[^()]*[\\s,:])?${ADDRESS}(?:[\\s,][^()]*)?\\)`,
  `(?<=^[\\s>]*|[.!?:]\\s+)(?:${WORD}[\\s,:]+)*${ADDRESS}(?:[\\s,]*(?:${WORD}|${ADDRESS}))*[.!]*(?:\\s+|$)`,
  `(?<=[*_~([])${ADDRESS}[ \\t]*`,
  `${UNLED}[ \\t]*${ADDRESS}(?=[\\s.,;:!?)\\]*_]|$)`,
  `${UNLED}${ADDRESS}`
].map(source => regex(source))

/** A cell of a table that only names people, and how people are listed under their title. */
const NAMED: Readonly<Record<Place, readonly RegExp[]>> = {
  ...{ text: [], item: [], cell: [regex(`^${PEOPLE}${STOP}`)] },
  people: [
    regex(`^(?:[\\p{L}\\d.'’_()-]+\\s+){0,4}(?:[-–—(<\\s]*${PEOPLE}[)>]*)+${STOP}`),
    regex(`^(?:${NAME}\\s+){0,3}${NAME}\\s*$`)
  ]
}

const isAny = (patterns: readonly RegExp[], text: string) =>
  patterns.some(pattern => text.search(pattern) >= 0)
const drop = (patterns: readonly RegExp[], text: string, by = '') =>
  patterns.reduce((it, pattern) => it.replace(pattern, by), text)

/** The marked text of a block without what was made of tokens alone; tokens that are left stay. */
export function clean(pass: Pass, text: string, place: Place): string {
  const collapsed = COLLAPSED.reduce(
    (it, [pattern, kind]) => it.replace(pattern, whole => put(pass, kind, whole)),
    text
  )
  if (isAny(NAMED[place], collapsed)) return ''
  const inItem = place === 'item' || place === 'people' ? IN_ITEM : []
  // An address that shows nothing takes the words around it along.
  const credited = drop([...CREDITS, ALONE, ...WHOLE_LINES], collapsed, put(pass, 'a', ''))
  const lines = credited.split('\n').map(line => {
    let rest = line
    // Few lines have more than one ending; one of thousands was made by nobody.
    for (let round = 0, last = ''; last !== rest && round < 5; round++) {
      last = rest
      rest = drop([...inItem, ...IN_TEXT], rest)
    }
    const isEmpty = /^(?:&nbsp;|[\s>#*_~.,;:!()[\]&-])*$/.test(rest)
    if (rest !== line && (isEmpty || isAny(WHOLE_LINES, rest))) return undefined
    return rest === line ? line : rest.trimEnd() + (/\s*$/.exec(line)?.[0] ?? '')
  })
  const kept = lines.filter(line => line !== undefined).join('\n')
  // What stood before the first line stands before the next one now.
  return lines[0] === undefined ? kept.replace(/^[\s>]+/, '') : kept
}
