// Takes out of the marked text of a block what only leads to the repository, or says who worked on it.
import { type Kind, type Pass, put } from './mark.ts'

/** Where a text stands: elsewhere, in an item of a list, in a list of people, or in a table. */
export type Place = 'text' | 'item' | 'people' | 'cell'

const { raw } = String
/** In a pattern, `{nm}` is a token of one of these kinds. */
const regex = (source: string, flags = 'giu') =>
  new RegExp(source.replace(/\{([a-z]+)\}/g, raw`\ufdd0[$1]\d+\ufdd1`), flags)

const NAME = raw`(?<![\p{L}\d.'’-])(?-i:[\p{Lu}\p{Lo}])[\p{L}\d.'’-]*`
const MAIL = raw`(?:<{m}>|\({m}\)|{m})`
const BETWEEN = raw`\s*[,;&+/]\s*(?:and\s+)?|\s+and\s+`
const several = (item: string, between: string) => `${item}(?:(?:${between})${item})+`
/** Alone in emphasis, or bare. */
const held = (item: string) => raw`([*_~]{0,2})${item}\1`

/** What becomes one token: people, references, and addresses, in emphasis or one after another. */
const COLLAPSED = (
  [
    [raw`${NAME}(?:\s+${NAME}){0,3}\s+${MAIL}`, 'p'],
    [raw`${held('{nmp}')}(?:\[bot\])?(?:\s+${MAIL})?`, 'p'],
    [several('{p}', raw`${BETWEEN}|\s+(?:or|with)\s+|\s+`), 'p'],
    ...(['i', 'h', 'o'] as const).map(kind => [held(`{${kind}}`), kind] as const),
    [several('{ih}', BETWEEN), 'i'],
    [held('{uag}'), 'a']
  ] as const
).map(([source, kind]): [RegExp, Kind] => [regex(source), kind])

/** In brackets, or bare. */
const reference = (kinds: string) => raw`[[(\\]{0,2}{${kinds}}[\])\\]{0,2}`
const REFERENCE = reference('ihoa')
/** The end of a line, but for its marks and tags. */
const STOP = raw`[*_.!\s]*(?:{t}\s*)*$`
const VERB =
  '(?:clos(?:es?|ed|ing)|fix(?:es|ed)?|resolv(?:es?|ed)|refs?|references|related(?: to)?|part of|see(?: also)?|via|in|from|by|thanks(?: to)?|prs?|pull requests?|issues?|commits?|bugs?|discussions?|details|cc):?'
const WORD =
  '(?:see|also|and|or|for|more|the|full|details?|information|info|at|in|on|to|from|via|by|with|here|read|release|notes?|changelog|docs?|documentation|please|visit|view|all|available|is|are|of|this|find|can|be|found|changes?|commits?|compare|diff|links?|wiki)'
/** Not after a word that leads to what follows. */
const UNLED = raw`(?<!(?:^|[^\p{L}])${WORD}[,:]?\s*)`
/** Brackets that hold nothing but tokens, one of them of these kinds. */
const group = (kinds: string) => {
  const item = raw`(?:${VERB}\s+)*\[?{pihao}\]?`
  const items = raw`${item}(?:(?:${BETWEEN}|\s+)${item})*[.!]?`
  return raw`\\?[([]{1,2}(?=[^()]*{${kinds}})${items}\\?[)\]]{1,2}`
}
const GROUP = group('iha')

const THANK = raw`(?:(?:many|big|huge|massive|special|our|a|and|also)[ \t]+){0,3}thank(?:s|[ \t]+you)(?:[ \t]+(?:goes?|again|also|due|so much|very much|a lot)){0,2}`
const PRAISE = raw`(?:special[ \t]+)?(?:kudos|props|credits?|shout-?outs?|h/t)`
const WHOM = raw`(?:[ \t]+to)?(?:[ \t]+(?:our|the|all|new|everyone|community|contributors?|who|contributed|helped)){0,6}[:,]?\s+(?:{p}|\({p}\))`
/** The rest of a sentence, which may go on in the next line. */
const REST = raw`(?:[^.!?\n]|[.!?](?=[^\s*_)])|\n(?=[\s>]*(?-i:\p{Ll})))*`
const WHY = raw`(?:(?:,?\s+(?:for|who)\b|\s+(?:as|with|in|on|from|at)\b|\s+[–—])${REST}|,?\s+and\b[^,.!?\n]*|(?:\s+-)?\s+${REFERENCE})?`
// A dash after it is that of changesets: `Thanks @user! - Title`.
const OVER = raw`(?:[.!]+(?![ \t]+-[ \t])(?=[*_)]*(?:\s|$))|(?=\s*(?:$|\n|{t})))`
const BEGIN = raw`(?<=(?:^|\n|{t})[\s>*_]*|[.!?][)*_]*\s+)`
const EMOJI = raw`(?:[ \t]*(?:\p{Extended_Pictographic}\ufe0f?|:[a-z_]+:))*`
const WORKED =
  '(?:contributed|reported|implemented|fixed|suggested|requested|discovered|found|added|written)'
/** Sentences and ends of sentences that only thank people, or say who worked on it. */
const CREDITS = [
  `${BEGIN}(?:${THANK}|${PRAISE})${WHOM}${WHY}${OVER}${EMOJI}`,
  raw`${BEGIN}${WORKED}\s+by\s+(?:[\p{L}.'’-]+\s+){0,4}\(?{p}\)?(?:\s+in\s+${REFERENCE})?${OVER}`,
  raw`\s*\((?:with\s+)?(?:(?:${THANK}|${PRAISE})${WHOM}|by\s+{p})(?:\s+(?:for|who)\s[^()]*)?[.!]*\)`,
  raw`(?<=[\p{L}\p{N}\ufdd1\x60"')\]])(?:[ \t]*[,;:–—-]\s*(?:${THANK}|${PRAISE})|[ \t]+${THANK})${WHOM}${WHY}(?=${OVER})`
].map(source => regex(source))

/** Lines that say who worked on it, or lead to a comparison. */
const WHOLE_LINES = [
  '(?:co-authored|signed-off|reviewed|acked|tested)-by:.*',
  raw`{p} made (?:their|his|her|its) first contribution(?:\s+(?:in|with|to)\s+${REFERENCE})?`,
  raw`[*_\s]*full changelog[*_:\s]*(?:[[(]?{ihao}[\])]?|\S+\.{2,3}\S+)`,
  // A label, and references alone; `Fixed the crash: #12` says more.
  raw`[*_]*[\p{S} ]*(?:${WORD}\s+)*\p{L}+\s*[*_]*:[*_]*\s*{ha}`,
  raw`[*_]*[\p{S} ]*(?:${VERB}\s*)+[*_]*:?[*_]*(?<=:[*_]*)\s*{ih}`,
  raw`[*_]*(?:contributors|authors|committers|credits|thanks(?: to)?|by)[*_]*:?[*_]*\s*{p}(?:\s+(?:in\s+)?${REFERENCE})?`
].map(source => regex(raw`^[ \t>]*(?:[-*+]\s+)?${source}${STOP}`, 'gimu'))

/** References alone, as the last sentences of a paragraph. */
const ALONE = regex(
  raw`(?<=^|[.!?]\s+|(?::|^\[!\w+\])[ \t]*\n[\s>]*)[*_]*(?:(?:${VERB}\s+)*\(?{iha}\)?(?:${BETWEEN}|[.!]?\s+|(?=${STOP})))+[*_.!]*$`
)

const BY = raw`(?<=\S),?(?:\s|&nbsp;)+(?:-(?:\s|&nbsp;)*)?by\s+`
const SOMEONE = raw`(?:{p}|\*\*[^*]+\*\*)`
const TWICE_ENDED = raw`(?<=[.!?])\s*${group('piha')}[.!]`
/** What goes in an item of a list. */
const IN_ITEM = [
  TWICE_ENDED,
  // git-cliff: `Title - (1234abc) - author`
  raw`(?<=\S)\s+-\s+\({h}\)\s+-\s+[\p{L}\d][\p{L}\d .-]*$`,
  // changesets: `#12 1234abc Thanks @user! - Title`, `1234abc: Title`
  raw`^(?:${REFERENCE}[\s,]+)*thanks {p}!\s+-\s+`,
  raw`^(?:${REFERENCE}\s+)*${reference('h')}(?::|\s+-)?\s+(?=\S)`,
  // changelogithub, git-cliff: `Title by @user (1234abc)`
  raw`${BY}(?:{p}|${SOMEONE}\s+${reference('ih')})(?=(?:\s+${REFERENCE})?${STOP})`,
  // release-drafter: `Title @user (#12)`; lerna: `Title ([@user](…))`
  raw`(?<=[)\].!?\ufdd1])\s+{p}(?=${STOP})`,
  raw`(?<=\S)${UNLED}\s+(?:(?:by|from)\s+)?{p}(?=\s*${GROUP}${STOP})`,
  raw`(?<=\S)\s*${group('p')}(?=(?:\s+${REFERENCE})?${STOP})`
].map(source => regex(source))
/** What goes in any line, the words that lead to an address among it. */
const IN_TEXT = [
  TWICE_ENDED,
  // GitHub's generator, git-cliff: `Title by @user in #12`
  raw`${BY}${SOMEONE}\s+in\s+${REFERENCE}(?:\s+${REFERENCE})*(?=${STOP})`,
  raw`(?<=\S)(?:\s+[-–—:])?\s*${GROUP}(?:,\s*${GROUP})*`,
  raw`(?<=[.!?])\s+{iha}\.?$`,
  // conventional-changelog: `Title (1234abc), closes #12`
  raw`(?:\s*[,;]|(?<=[.!?)\]]))\s+(?:clos(?:es|ed)|fix(?:es|ed)|resolv(?:es|ed)|refs|references):?\s+{ih}(?:\s+${REFERENCE})*(?=${STOP})`,
  raw`(?:\s+[–—-]|:)\s+{a}(?=${STOP})`,
  raw`\s*\((?:[^()]*[\s,:])?{a}(?:[\s,][^()]*)?\)`,
  raw`(?<=^[\s>]*|[.!?:]\s+)(?:${WORD}[\s,:]+)*{a}(?:[\s,]*(?:${WORD}|{a}))*[.!]*(?:\s+|$)`,
  raw`(?<=[*_~([]){a}[ \t]*`,
  raw`${UNLED}[ \t]*{a}(?=[\s.,;:!?)\]*_]|$)`,
  `${UNLED}{a}`
].map(source => regex(source))

/** A cell of a table that only names people, and how people are listed under their title. */
const NAMED: Readonly<Record<Place, readonly RegExp[]>> = {
  ...{ text: [], item: [], cell: [regex(`^{p}${STOP}`)] },
  people: [
    regex(raw`^(?:[\p{L}\d.'’_()-]+\s+){0,4}(?:[-–—(<\s]*{p}[)>]*)+${STOP}`),
    regex(raw`^(?:${NAME}\s+){0,3}${NAME}\s*$`)
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
