// Finds the section of one version in a changelog file.
import { normalize } from './text.ts'
import { findLines, type Line, readTitle, STYLES, type Title, type Wanted } from './titles.ts'

/** Where there is none, or several, or its end is in doubt, `lines` has what looks like titles: `line 12: ## 1.2.3`. */
export type Section =
  | { readonly kind: 'section'; readonly text: string }
  | { readonly kind: 'missing' | 'several' | 'unclear'; readonly lines: readonly string[] }

/** The section of a version in a changelog file, of the package that a tag such as `plugin@1.2.3` names. */
export function takeSection(file: string, version: string, tag: string): Section {
  const source = normalize(file.replace(/^\ufeff/, ''))
  const before = tag.endsWith(version) ? tag.slice(0, tag.length - version.length) : ''
  const wanted = { version, tag, scope: before.replace(/[@/_-]?v?$/i, '').toLowerCase() }
  const all = findLines(source).map((line): Title => ({ ...line, ...readTitle(line, wanted) }))
  const isWordpress = all.some(({ style, isAbout }) => style === 'wordpress' && isAbout)
  const titles = all.filter(
    ({ isHidden, style }) => !isHidden && (isWordpress ? style === 'wordpress' : style !== 'loose')
  )
  const best = findTitles(titles, wanted)
  const [found] = best
  const above = /^\s*/.exec(file)?.[0].split('\n').length ?? 1
  const show = (lines: readonly Pick<Line, 'start'>[]) => showLines(source, lines, above)
  if (!found) return { kind: 'missing', lines: show(nearestLines(titles, source, wanted)) }
  const next = titleAfter(found, titles, source)
  const end = next?.start ?? Infinity
  const isWithin = ({ start }: Line) => start > found.start && start < end
  const equals = new Set(best)
  const isSecond = (title: Title) => {
    const { style, scope, isHidden, isWanted } = title
    if (!isWanted || isHidden || title === found) return false
    // `cli@1.2.3` and `core@1.2.3`, and the tag names no package.
    if (wanted.scope === '' && found.scope !== '' && scope !== found.scope) return true
    if (style === found.style) return equals.has(title) && !isWithin(title)
    return style !== 'loose' && (isPlain(title) || isWordpress)
  }
  const isDoubtful = (title: Title) => {
    // Under `= 1.2.3 =`, the text goes on under `= Features =`, or a part of the whole file begins there.
    if (title === next && isWordpress && !title.isAbout) return title.level === found.level
    if (!title.isRival || !isWithin(title)) return false
    // Not `1.2.0 -> 1.3.0 migration`, which is about this one, too.
    const isRange = /\d\.\d.*\s\S*\d\.\d/.test(title.text)
    if (isHeading(title) && !isWordpress) return title.isSure && !title.isHidden && !isRange
    return title.style !== found.style || title.isHidden
  }
  const seconds = all.filter(isSecond)
  const others = all.filter(isDoubtful)
  if (seconds.length > 0) return { kind: 'several', lines: show([found, ...seconds]) }
  if (others.length > 0) return { kind: 'unclear', lines: show([found, ...others]) }
  return { kind: 'section', text: textUnder(found, end, source) }
}

const isPlain = ({ style }: Line) => style !== 'heading' && style !== 'underlined'

/** At most 20 lines as they stand in the file, whose first `above` is that of the source. */
function showLines(source: string, lines: readonly Pick<Line, 'start'>[], above: number): string[] {
  const starts = new Set(lines.map(({ start }) => start))
  return [...starts].slice(0, 20).map(start => {
    const number = source.slice(0, start).split('\n').length - 1 + above
    const [line = ''] = source.slice(start, start + 100).split('\n', 1)
    return `line ${number}: ${line.trim()}`
  })
}

/** Lines that hold the wanted version; then the titles of others, or lines that may be such. */
function nearestLines(titles: readonly Title[], source: string, { version, tag }: Wanted) {
  const lines = Array.from(source.matchAll(/^.{1,100}$/gm), ({ 0: text, index }) => {
    return { text, start: index }
  })
  const names = new Set([version, `v${version}`, tag])
  const near = lines.filter(({ text }) => text.split(/[^\w.+/@-]+/).some(word => names.has(word)))
  const others = titles.filter(({ isAbout, isWanted }) => isAbout || isWanted)
  const sure = others.filter(({ isSure }) => isSure)
  const versions = lines.filter(({ text }) => /\d\.\d/.test(text))
  const rest = sure.length > 0 ? sure : others.length > 0 ? others : versions
  return [...near.slice(0, 5), ...rest]
}

/** What a title is without its numbers. */
const formOf = ({ text }: Line) =>
  text
    .replace(/\d[\w.+-]*/g, '0')
    .replace(/[(,].*$/, '')
    .trim()

/** The best of the wanted titles, or several equals; each of the rank's terms outweighs those after it. */
function findTitles(titles: readonly Title[], { scope }: Wanted): Title[] {
  // `Changes in 1.2.3` among others of its form comes before the title of the whole file, `Gallery 1.2.3`.
  const forms = new Set(titles.filter(({ isRival }) => isRival).map(formOf))
  // An unsure title within another version's section may only mention this one: it does not count.
  const highest = titles.reduce(
    (least, { isSure, level }) => (isSure ? Math.min(least, level) : least),
    9
  )
  let isNotice = false
  const ranked = titles.flatMap(title => {
    if (isChapter(title)) isNotice = /^upgrade notice/i.test(title.text)
    if (!title.isWanted || !(title.isSure || title.level <= highest)) return []
    const rank =
      (title.isSure ? 0 : 10_000) +
      (isNotice ? 1000 : 0) +
      20 * STYLES.indexOf(title.style) +
      (forms.has(formOf(title)) ? 0 : 10) +
      (title.scope === scope ? 0 : 1)
    return [{ title, rank }]
  })
  const best = ranked.reduce((least, { rank }) => Math.min(least, rank), Infinity)
  return ranked.filter(({ rank }) => rank === best).map(({ title }) => title)
}

const isHeading = ({ style }: Line) => ['wordpress', 'heading', 'underlined'].includes(style)

/** Whether it is a heading about no version, such as `Changelog` or `Upgrade Notice`. */
const isChapter = (title: Title) => isHeading(title) && !title.isAbout && !title.isWanted

/** The next title that is not below this one. */
function titleAfter(found: Title, titles: readonly Title[], source: string): Title | undefined {
  const above = titles.findLast(it => it.start < found.start && isChapter(it))
  const level = isHeading(found) ? found.level : (above?.level ?? 0)
  const lastVersion = titles.findLast(it => it.isAbout)?.start ?? 0
  // conventional-changelog writes `### 1.2.3`, and then `### Bug Fixes` at once.
  const first = titles.find(({ start }) => start > found.start)
  const isFlat =
    first?.level === level &&
    !/^\d/.test(first.text) &&
    formOf(first) !== formOf(found) &&
    !first.isAbout &&
    source.slice(found.end, first.start).trim() === ''
  let version: Title | undefined
  return titles.find(title => {
    if (title.start <= found.start) return false
    if (!title.isAbout && title.level === level) {
      if (isFlat) return false
      // Looked for once, not for each title.
      if (!version || version.start < title.start) {
        version = titles.find(it => it.start > title.start && (it.isAbout || it.level < level))
      }
      if (isPartOfVersion(title, version, source)) return false
    }
    // Among versions that are underlined, `# b` is seldom meant as a heading, and the other way round.
    const isMeant = title.isAbout || !isHeading(found) || title.style === found.style
    if (!isMeant && lastVersion > title.start) return false
    if (isHeading(title) && title.level <= level) return true
    const isAlike = title.isRival && formOf(title) === formOf(found)
    if (isHeading(found)) return isHeading(title) && (title.isOther || isAlike)
    return title.style === found.style && !title.isWanted
  })
}

/** Whether a heading such as `Features` is a part of the version above it: it has a text, and then comes a version. */
function isPartOfVersion(title: Title, next: Title | undefined, source: string): boolean {
  const { style, level, text, end } = title
  const isVersion = next?.isAbout && next.style === style && next.level === level
  return isVersion === true && !/\d/.test(text) && source.slice(end, next?.start).trim() !== ''
}

/** A section's last line that belongs to the next title: its anchor, a rule, or a definition. */
const SEPARATOR =
  /(?:<a\s[^<>]*><\/a>|(?:^|\n)(?:[ \t]*(?:<a\s[^<>]*>(?:<\/a>)?|<(div|span|section|details)\b[^<>]*>(?:<\/\1>)?|<br\s*\/?>|\.\. _[^\n]*:|(?:[-*_=~^+#"][ \t]*){3,}|#+)|\[[^\]\n]+\]:[^\n]*(?:\n[ \t]+["'(][^\n]*)?))[ \t]*$/i

/** What stands under a title up to an end, and the definitions from elsewhere that it uses. */
function textUnder(found: Title, end: number, source: string): string {
  let text = source.slice(found.end, end === Infinity ? undefined : end).trimEnd()
  for (let last = ''; last !== text; ) {
    last = text
    // The last two lines: a definition may have its title in the second.
    const line = text.lastIndexOf('\n', text.lastIndexOf('\n') - 1)
    const tail = text.slice(Math.max(line, text.length - 2000, 0))
    text = text.slice(0, text.length - (SEPARATOR.exec(tail)?.[0].length ?? 0)).trimEnd()
  }
  // Items under a version that is an item itself are indented with it.
  const isIndented =
    found.style === 'bullet' || found.style === 'factorio' || found.style === 'debian'
  if (found.style === 'debian') text = text.replace(/(?:^|\n) -- [^<>\n]*<[^<>\n]*>[^\n]*$/, '')
  const depths = Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length)
  const depth = isIndented ? depths.reduce((least, it) => Math.min(least, it), 99) : 0
  const lines = text.split('\n').map(line => line.slice(Math.min(depth, line.length)))
  return normalize(`${normalize(lines.join('\n'))}\n\n${definitionsFor(text, source).join('\n')}`)
}

/** The definitions in the file, as written, that the links in a text may use; those in the text are there. */
function definitionsFor(text: string, source: string): string[] {
  const label = (written: string) => written.replace(/\s+/g, ' ').toLowerCase()
  const used = new Set(
    Array.from(text.replace(/`[^`\n]*`/g, '').matchAll(/\[([^[\]]{1,200})\]/g), ([, name = '']) =>
      label(name)
    )
  )
  const found = new Map<string, string>()
  const own = new Set<string>()
  const pattern =
    /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*(?:\n[ \t]*)?\S[^\n]*(?:\n[ \t]+["'(][^\n]*)?/gm
  for (const [, name = ''] of text.matchAll(pattern)) own.add(label(name))
  for (const [whole, name = ''] of source.matchAll(pattern)) {
    if (used.has(label(name)) && !own.has(label(name)) && !found.has(label(name)))
      found.set(label(name), whole.trim())
  }
  return [...found.values()]
}
