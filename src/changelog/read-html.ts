// Owns reading HTML as a list of parts that know their place in the source.
import type { TokenizerCallbacks } from 'htmlparser2'
import type { Range } from './markdown.ts'

export interface Attribute extends Range {
  readonly name: string
  readonly value: string
}

/** A part of a piece of HTML; names are in lower case. */
export type HtmlPart = Range &
  (
    | { readonly kind: 'start'; readonly name: string; readonly attributes: readonly Attribute[] }
    | { readonly kind: 'end'; readonly name: string }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'comment' }
  )

/** Reads a piece of HTML, a whole text or a single tag, as its parts in their order. */
export type ReadHtml = (html: string) => HtmlPart[]

/** Loads the parser of HTML. */
export async function loadHtmlReader(): Promise<ReadHtml> {
  const { Tokenizer } = await import('htmlparser2')
  return html => {
    const parts: HtmlPart[] = []
    const tokenizer = new Tokenizer({ decodeEntities: true }, collectorOf(html, parts))
    tokenizer.write(html)
    tokenizer.end()
    return parts
  }
}

/** Adds parts as they are read: each begins where the one before ends. */
function collectorOf(html: string, parts: HtmlPart[]): TokenizerCallbacks {
  let start = 0
  let tag: { name: string; attributes: Attribute[] } = { name: '', attributes: [] }
  let attribute = { name: '', value: '', start: 0 }
  const nameIn = (from: number, to: number) => html.slice(from, to).toLowerCase()
  const add = (part: HtmlPart) => {
    parts.push(part)
    start = part.end
  }
  const addText = (value: string, end: number) => {
    const last = parts.at(-1)
    if (last?.kind !== 'text') return add({ kind: 'text', value, start, end })
    parts.pop()
    add({ ...last, value: last.value + value, end })
  }
  const addStart = (index: number) => add({ kind: 'start', ...tag, start, end: index + 1 })
  const skip = (_: number, index: number) => {
    start = index + 1
  }
  return {
    ontext: (from, to) => addText(html.slice(from, to), to),
    ontextentity: (point, to) => addText(String.fromCodePoint(point), to),
    onopentagname: (from, to) => {
      tag = { name: nameIn(from, to), attributes: [] }
    },
    onattribname: (from, to) => {
      attribute = { name: nameIn(from, to), value: '', start: from }
    },
    onattribdata: (from, to) => {
      attribute.value += html.slice(from, to)
    },
    onattribentity: point => {
      attribute.value += String.fromCodePoint(point)
    },
    onattribend: (_, end) => tag.attributes.push({ ...attribute, end }),
    onopentagend: addStart,
    onselfclosingtag: addStart,
    onclosetag: (from, to) => {
      const end = html.indexOf('>', to) + 1 || html.length
      add({ kind: 'end', name: nameIn(from, to), start, end })
    },
    oncomment: (_, index) => add({ kind: 'comment', start, end: Math.min(index + 1, html.length) }),
    oncdata: skip,
    ondeclaration: skip,
    onprocessinginstruction: skip,
    onend: () => {}
  }
}
