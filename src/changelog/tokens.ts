// Owns tokens: what stands in the marked text for what leads to the repository or names people.
import type { Definition } from 'mdast'
import type { Edit, Range } from './markdown.ts'
import type { ReadHtml } from './read-html.ts'
import type { Addresses, Target } from './repository.ts'

/**
 * What a token stands for: `i`ssue, `h`ash of a commit, `u` comparison, other `a`ddress into the repository,
 * `o`ther repository's issue, `p`erson, `m`ail address, `g` image that needs a login, `c`ode and all else
 * that is not touched.
 */
export type Kind = 'i' | 'h' | 'u' | 'a' | 'o' | 'p' | 'm' | 'g' | 'c'

/** What stands in the text when the token stays. */
export interface Token {
  readonly kind: Kind
  readonly text: string
}

/** A token to be. */
export interface NewToken {
  readonly kind: Kind
  /** None for the source as it is. */
  readonly text?: string
}

/** Noncharacters of Unicode: no text that is meant to be read has them. */
export const START = '\ufdd0'
export const END = '\ufdd1'
export const HEADING = '\ufdd2'
export const HEADING_END = '\ufdd3'

const ID = '[\\w.-]+'
const REFERENCE = new RegExp(
  [
    '[\ufdd0-\ufdd4]',
    '(?<url>https?:\\/\\/[^\\s<>"]+)',
    '(?<mail>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)',
    `(?<![\\w&/])(?<issue>(?:${ID}\\/${ID})?#\\d+|GH-\\d+)(?![\\w])`,
    '(?<![\\w./@])(?<user>@[a-z\\d](?:[a-z\\d]|-(?=[a-z\\d]))*(?:\\/[\\w.-]*\\w)?(?:\\[bot\\])?)(?![\\w/])',
    '(?<![\\w./@#-])(?<hash>(?=[a-f]*\\d)(?=\\d*[a-f])[\\da-f]{7,40})(?![\\w-])'
  ].join('|'),
  'giu'
)
export const ATTACHMENT = /\/\/github\.com\/user-attachments\//i
export const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
const COMPARISON = /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff|to)\b/i

/** A text that is being marked. */
export interface Marking {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, Definition>
  readonly read: ReadHtml
  readonly edits: Edit[]
  readonly tokens: Token[]
  links: number
  /** For each open anchor of raw HTML, whether its end tag goes. */
  readonly anchors: boolean[]
  codeTags: number
}

/** Puts a token in the place of a part of the source; it shows the source unless there is another text. */
export function mark(marking: Marking, { start, end }: Range, kind: Kind, text?: string): void {
  marking.tokens.push({ kind, text: text ?? marking.source.slice(start, end) })
  const token = `${START}${kind}${marking.tokens.length - 1}${END}`
  marking.edits.push({ start, end, text: token })
}

/** An image of the repository becomes the text that stands for it. */
export function tokenOfImage(
  { addresses }: Marking,
  url: string,
  alt: string,
  target: Target | undefined
): NewToken {
  if (ATTACHMENT.test(url)) return { kind: 'g', text: '' }
  if (!target) return { kind: 'c' }
  const text = addresses.find(alt).length > 0 ? '' : alt.trim()
  return { kind: text === '' ? 'a' : 'c', text }
}

/** The token of a link that may go with what holds it; no text means the label as it is written. */
export function tokenOfTarget(
  target: Target,
  label: string,
  isAddress: boolean
): NewToken | undefined {
  const [, digits] = NUMBER.exec(label) ?? []
  switch (target.kind) {
    case 'issue':
      if (isAddress) return { kind: 'i', text: `#${target.number}` }
      return digits === undefined ? undefined : { kind: 'i', text: `#${digits}` }
    case 'commit':
      if (isAddress) return { kind: 'h', text: target.id }
      return /^\W*[\da-f]{5,40}\W*$/i.test(label) ? { kind: 'h' } : undefined
    case 'comparison':
      if (isAddress) return { kind: 'u', text: '' }
      return COMPARISON.test(label) ? { kind: 'u' } : undefined
    case 'other':
      return isAddress ? { kind: 'a', text: label === '' ? '' : target.name } : undefined
    default:
      return target satisfies never
  }
}

/** Marks what is said in a piece of text; `value` is what readers see of it. */
export function markProse(marking: Marking, { start, end }: Range, value = ''): void {
  const { source, addresses } = marking
  const text = source.slice(start, end)
  if (marking.codeTags > 0) {
    mark(marking, { start, end }, 'c')
    return
  }
  let done = 0
  const all = addresses.find(text)
  // Entities and escapes hide an address: it stays, and is an error in the end.
  if (all.length === 0 && addresses.find(value).length > 0) marking.links++
  for (const { target, ...found } of all) {
    markReferences(marking, start + done, text.slice(done, found.start))
    const token = tokenOfTarget(target, '-', true)
    marking.links++
    const place = { start: start + found.start, end: start + found.end }
    mark(marking, place, token?.kind ?? 'a', token?.text ?? '')
    done = found.end
  }
  markReferences(marking, start + done, text.slice(done))
}

function markReferences(marking: Marking, offset: number, text: string): void {
  for (const { 0: word, index, groups = {} } of text.matchAll(REFERENCE)) {
    const range = { start: offset + index, end: offset + index + word.length }
    const { url, mail, issue, user, hash } = groups
    if (url !== undefined) {
      if (ATTACHMENT.test(url)) mark(marking, range, 'g', '')
      else mark(marking, range, /\/pull\/\d+(?:[#?].*)?$/.test(url) ? 'o' : 'c')
    } else if (mail !== undefined) mark(marking, range, 'm')
    else if (issue !== undefined) mark(marking, range, issue.includes('/') ? 'o' : 'i')
    else if (user !== undefined) mark(marking, range, 'p')
    else mark(marking, range, hash === undefined ? 'c' : 'h')
  }
}
