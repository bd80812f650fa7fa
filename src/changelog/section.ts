// Finds the section of one version in a changelog file.
import type { Root } from 'mdast'
import { definitionsFor, parseMarkdown, rangeOf } from './markdown.ts'
import { normalize } from './text.ts'
import type { Line, Title, Wanted } from './titles.ts'
import { findStrays, linesOf, readTitle, STYLES } from './titles.ts'

/** `whole`: no line looks like a version's title; `missing`: only others' do, or its end is unclear. */
type Section =
  | { readonly kind: 'section' | 'whole'; readonly text: string }
  | { readonly kind: 'missing'; readonly titles: readonly string[] }

/** The section of a version in a changelog file, of the package that a tag such as `plugin@1.2.3` names. */
export function takeSection(file: string, version: string, tag: string): Section {
  const source = normalize(file.replace(/^\ufeff/, ''))
  const root = parseMarkdown(source)
  const before = tag.endsWith(version) ? tag.slice(0, tag.length - version.length) : ''
  const wanted = { version, tag, scope: before.replace(/[@/_-]?v?$/i, '').toLowerCase() }
  const lines = root.children.flatMap(node => linesOf(source, node))
  const all = lines.map(line => ({ ...line, ...readTitle(line, wanted) }))
  const isLoose = ({ style }: Title) => style === 'loose' || style === 'within'
  const [proper, loose] = [all.filter(title => !isLoose(title)), all.filter(isLoose)]
  const isRead = proper.some(({ isWanted, isAbout }) => isWanted || isAbout)
  // A single line with words before its version may be a sentence: it is no title.
  const isSentence = loose.length === 1 && loose[0]?.isSure === false
  const titles = isRead ? proper : isSentence ? [] : loose
  const found = findTitle(titles, wanted)
  if (found) {
    const text = textUnder(found, titles, source, root)
    // With other versions' lines in it, it may hold their text, too.
    const strays = isHeading(found) ? straysUnder(found, titles, text) : findStrays(text, wanted)
    const missing = { kind: 'missing', titles: [found.text, ...strays] } as const
    return strays.length > 0 ? missing : { kind: 'section', text }
  }
  const others = titles.filter(({ isAbout }) => isAbout)
  if (others.length === 0) {
    const strays = findStrays(source, wanted)
    // WordPress's readme.txt without versions: the whole file is not a changelog.
    const [readme] =
      /^=== .+ ===$(?=[\s\S]*^(?:contributors|stable tag|tested up to):)/im.exec(source) ?? []
    if (readme) return { kind: 'missing', titles: [readme] }
    return strays.length > 1 ? { kind: 'missing', titles: strays } : { kind: 'whole', text: source }
  }
  const sure = others.filter(({ isSure }) => isSure)
  const texts = (sure.length > 0 ? sure : others).map(({ text }) => text)
  return { kind: 'missing', titles: [...new Set(texts)] }
}

/** The best of the wanted titles; each of the rank's terms outweighs those after it. */
function findTitle(titles: readonly Title[], { scope }: Wanted): Title | undefined {
  // An unsure title within another version's section may only mention this one: it does not count.
  const highest = Math.min(...titles.map(({ isSure, level }) => (isSure ? level : 9)))
  const isNotice = (title: Title) => /^upgrade notice/i.test(partOf(title, titles)?.text ?? '')
  const rank = (title: Title) =>
    (title.isSure ? 0 : 1000) +
    (isNotice(title) ? 100 : 0) +
    10 * STYLES.indexOf(title.style) +
    (title.scope === scope ? 0 : 1)
  const likely = titles.filter(it => it.isWanted && (it.isSure || it.level <= highest))
  return likely.toSorted((a, b) => rank(a) - rank(b))[0]
}

const isHeading = ({ style }: Line) => style === 'heading' || style === 'wordpress'

/** The last heading before a title that is about no version, such as `Changelog` or `Upgrade Notice`. */
const partOf = ({ start }: Title, titles: readonly Title[]) =>
  titles.findLast(it => it.start < start && isHeading(it) && !it.isAbout)

/** A section's last line that belongs to the next title: its anchor, or a rule. */
const SEPARATOR =
  /(?:<a\s[^<>]*>(?:<\/a>)?|^ {0,3}<(div|span)\s[^<>]*>(?:<\/\1>)?|<br\s*\/?>|^[ \t>]*([-*_#])(?:[ \t]*\2){2,})$/i

/** A line with a version above a rule: right after a list item, Markdown does not see a heading in it. */
const UNDERLINED = /^(?![ \t]*[-*+>#|])(?=[^\n]*\d\.\d)[^\n]*(?=\n(?:={3,}|-{3,})[ \t]*$)/gm
const FENCED = /^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1/gm

/** Lines under a heading that may be other versions' titles, in another style or missed by Markdown. */
function straysUnder(found: Title, titles: readonly Title[], text: string): string[] {
  const after = titles.slice(titles.indexOf(found) + 1)
  const isLast = !after.some(title => isHeading(title) && title.isAbout)
  const those = after.filter(({ style, text: title, isSure, isOther }) => {
    // An item such as `- PHP 8.1`, with no year and nothing under it, may be the version of something else.
    const isOver =
      /\d{4}/.test(title) || /^\n[ \t]/.test(text.slice(text.indexOf(title) + title.length))
    const isTitle = style !== found.style && (style !== 'item' || isOver)
    return isLast && isTitle && isSure && isOther
  })
  const prose = text.replace(FENCED, '')
  return [...new Set([...those.map(title => title.text), ...(prose.match(UNDERLINED) ?? [])])]
}

/** What stands under a title, up to the next such title, and the definitions from elsewhere that it uses. */
function textUnder(found: Title, titles: readonly Title[], source: string, root: Root): string {
  const level = isHeading(found) ? found.level : (partOf(found, titles)?.level ?? 0)
  const isUnderlined = ({ start }: Title) => /^ {0,3}[^\s#<=]/.test(source.slice(start, start + 4))
  const isAmid = ({ start }: Title) => titles.some(it => it.isAbout && it.start > start)
  const next = titles.slice(titles.indexOf(found) + 1).find(title => {
    // Text above a rule is a heading, but among versions with `#` it is seldom meant to be.
    const isAlike = title.level === level && found.style === title.style
    const isMeant = !isAlike || isUnderlined(found) === isUnderlined(title)
    if (!title.isAbout && !isMeant && isAmid(title)) return false
    if (isHeading(title) && title.level <= level) return true
    if (isHeading(found)) return isHeading(title) && title.isOther
    return title.style === found.style && !title.isWanted
  })
  const definitions = root.children.filter(({ type }) => type === 'definition').map(rangeOf)
  let text = source.slice(found.end, next?.start)
  for (let length = -1; length !== text.length; ) {
    length = text.length
    text = text.trimEnd()
    const line = text.slice(text.lastIndexOf('\n') + 1)
    const last = definitions.findLast(({ end }) => end === found.end + text.length)
    const cut = last ? last.end - last.start : (SEPARATOR.exec(line)?.[0].length ?? 0)
    text = text.slice(0, text.length - cut)
  }
  // Items under a version that is an item itself are indented with it.
  const depths = Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length)
  const depth = found.style === 'item' ? Math.min(...depths, 99) : 0
  const outdented = text.replace(new RegExp(`^[ \\t]{${depth}}`, 'gm'), '')
  const used = definitionsFor({ start: found.end, end: found.end + text.length }, source, root)
  return normalize(`${normalize(outdented)}\n\n${used.join('\n')}`)
}
