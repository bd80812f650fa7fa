// Takes everything out of notes that leads into a repository, or says who works there. Pure.
import { type Addresses, isRelative } from './addresses.ts'
import { takeOutAuthorship } from './authorship.ts'
import { type Edit, inOrder } from './edits.ts'
import type { Attribute } from './html.ts'
import { locate, overlaps, type Range, union } from './ranges.ts'
import {
  addressOf,
  definitionsByName,
  type Link,
  proseOf,
  type Reading,
  type Tag
} from './reading.ts'
import { dropEmptied, takeOut } from './tidy.ts'

/** The edits that leave no link into the repository; taking them out may bring forth more. */
export function planStrip(reading: Reading, addresses: Addresses): Edit[] {
  const structured = inOrder([
    ...takeOutAuthorship(reading, addresses),
    ...takeOutLinks(reading, addresses),
    ...takeOutDefinitions(reading, addresses),
    ...takeOutTags(reading, addresses),
    ...takeOutSeen(reading, addresses)
  ])
  const edits = inOrder([...structured, ...takeOutHidden(reading, addresses, structured)])
  return inOrder([...edits, ...dropEmptied(reading.source, edits)])
}

function takeOutLinks(reading: Reading, addresses: Addresses): Edit[] {
  const definitions = definitionsByName(reading)
  return reading.links.flatMap(link => {
    const address = addressOf(link, definitions)
    return address && addresses.leadsInto(address.value) ? unlink(reading, link, addresses) : []
  })
}

/** A link becomes its text, an image the text that stands for it. */
function unlink({ source }: Reading, link: Link, addresses: Addresses): Edit[] {
  const { start, end, label } = link
  const text = source.slice(label.start, label.end).trim()
  const [found] = addresses.find(text)
  const isAddress = found?.start === 0 && found.end === text.length
  if (text === '' || isAddress || link.kind === 'autolink') return [takeOut(source, link)]
  return [
    { start, end: label.start, text: '' },
    { start: label.end, end, text: '' }
  ]
}

function takeOutDefinitions({ definitions }: Reading, addresses: Addresses): Edit[] {
  return definitions
    .filter(({ destination }) => addresses.leadsInto(destination.value))
    .map(({ start, end }) => ({ start, end, text: '' }))
}

/** Attributes whose value is an address, even a relative one. */
const ADDRESSES = ['href', 'src', 'srcset', 'poster', 'action', 'formaction', 'cite', 'data']

function takeOutTags({ source, tags }: Reading, addresses: Addresses): Edit[] {
  const leads = ({ name, value }: Attribute) =>
    addresses.find(value).length > 0 || (ADDRESSES.includes(name) && isRelative(value.trim()))
  const anchors: boolean[] = []
  return tags.flatMap(tag => {
    const { kind, name, attributes } = tag
    const whole = { start: tag.start, end: tag.end, text: '' }
    if (name === 'a' && kind === 'close') return anchors.pop() ? [whole] : []
    const goes = attributes.some(it => (it.name === 'href' || it.name === 'src') && leads(it))
    if (name === 'a') anchors.push(goes)
    if (goes && name === 'a') return [whole]
    if (goes && name === 'img') return [altOf(source, tag)]
    return attributes.filter(leads).map(({ start, end }) => {
      const space = /\s*$/.exec(source.slice(Math.max(tag.start, start - 100), start))?.[0] ?? ''
      return { start: start - space.length, end, text: '' }
    })
  })
}

function altOf(source: string, tag: Tag): Edit {
  const alt = tag.attributes.find(({ name }) => name === 'alt')
  // As it is written: its entities are Markdown's, too.
  const written = alt ? source.slice(alt.start, alt.end) : ''
  const text = written.replace(/^[^=]*=?\s*/, '').replace(/^(["'])([\s\S]*)\1$/, '$2')
  return text.trim() === '' ? takeOut(source, tag) : { start: tag.start, end: tag.end, text }
}

/** Addresses in the visible text, however they are written. */
function takeOutSeen(reading: Reading, addresses: Addresses): Edit[] {
  return addresses
    .find(proseOf(reading))
    .flatMap(part => locate(reading.pieces, part).map(place => takeOut(reading.source, place)))
}

/** Addresses that stand where nobody sees them, such as titles and names of definitions. */
function takeOutHidden(reading: Reading, addresses: Addresses, done: readonly Edit[]): Edit[] {
  const code = codeOf(reading)
  return addresses
    .find(reading.source)
    .filter(place => !overlaps(code, place) && !overlaps(done, place))
    .map(({ start, end }) => ({ start, end, text: '' }))
}

function codeOf({ code, pieces }: Reading): Range[] {
  return union([...code, ...pieces.filter(({ kind }) => kind === 'code')])
}
