// The door to htmlparser2: raw HTML to its parts, with their positions.
import type { Range } from './ranges.ts'

export interface Attribute extends Range {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

export type HtmlPart =
  | (Range & {
      readonly kind: 'open' | 'close'
      /** In lower case. */
      readonly name: string
      readonly attributes: readonly Attribute[]
    })
  | (Range & { readonly kind: 'comment'; readonly closed: boolean })
  | (Range & { readonly kind: 'text'; readonly value: string })

/** Reads a piece of HTML, a whole text or a single tag. */
export type HtmlReader = (html: string) => HtmlPart[]

type OpenTag = Range & { name: string; attributes: Attribute[] }

/** Loads the reader of HTML. */
export async function loadHtmlReader(): Promise<HtmlReader> {
  const { Tokenizer } = await import('htmlparser2')
  return html => {
    const parts: HtmlPart[] = []
    let tag: OpenTag = { start: 0, end: 0, name: '', attributes: [] }
    let attribute = { name: '', start: 0, value: '' }
    let textEnd = 0
    const text = (start: number, end: number, value: string) => {
      parts.push({ kind: 'text', start, end, value })
      textEnd = end
    }
    const openTag = (end: number) => {
      parts.push({ kind: 'open', ...tag, end: end + 1 })
      textEnd = end + 1
    }
    const ignore = () => undefined
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        ontext: (start, end) => text(start, end, html.slice(start, end)),
        // An entity begins where what came before it ended; some stand for two characters.
        ontextentity(code, end) {
          const value = String.fromCodePoint(code)
          const last = parts.at(-1)
          if (last?.kind !== 'text' || end > textEnd) text(textEnd, end, value)
          else parts[parts.length - 1] = { ...last, value: last.value + value }
        },
        onopentagname(start, end) {
          tag = {
            start: start - 1,
            end,
            name: html.slice(start, end).toLowerCase(),
            attributes: []
          }
        },
        onattribname(start, end) {
          attribute = { name: html.slice(start, end).toLowerCase(), start, value: '' }
        },
        onattribdata: (start, end) => {
          attribute.value += html.slice(start, end)
        },
        onattribentity: code => {
          attribute.value += String.fromCodePoint(code)
        },
        onattribend: (_, end) => {
          tag.attributes.push({ ...attribute, end })
        },
        onopentagend: openTag,
        onselfclosingtag: openTag,
        onclosetag(start, end) {
          const after = html.indexOf('>', end)
          const last = after < 0 ? html.length : after + 1
          const name = html.slice(start, end).toLowerCase()
          parts.push({ kind: 'close', start: start - 2, end: last, name, attributes: [] })
          textEnd = last
        },
        oncomment(start, end, offset) {
          textEnd = Math.min(end + 1, html.length)
          const from = html.lastIndexOf('<', start - 1)
          if (!html.startsWith('<!--', from)) return
          const closed = offset > 0 || html[end] === '>'
          parts.push({ kind: 'comment', start: from, end: textEnd, closed })
        },
        ondeclaration: (_, end) => {
          textEnd = end + 1
        },
        onprocessinginstruction: (_, end) => {
          textEnd = end + 1
        },
        oncdata: (_, end) => {
          textEnd = end + 1
        },
        onend: ignore
      }
    )
    tokenizer.write(html)
    tokenizer.end()
    return parts
  }
}
