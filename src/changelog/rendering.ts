// From GitHub's HTML of a release to its visible text, and the links in it.
import type { Range } from './ranges.ts'

export interface Anchor extends Range {
  readonly href: string
}

/** Ranges are of the text, in its order. */
export interface Rendering {
  readonly text: string
  readonly code: readonly Range[]
  readonly anchors: readonly Anchor[]
}

const CODE = ['pre', 'code']
/** These alone stand within a word; `sup` is a footnote's number, more often than not. */
const INLINE = [
  ...['a', 'b', 'code', 'del', 'em', 'g-emoji', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp'],
  ...['small', 'span', 'strong', 'tt', 'u', 'var']
]

/** Reads what GitHub gives as `body_html`. */
export async function readRendering(html: string): Promise<Rendering> {
  const { loadHtmlReader } = await import('./html.ts')
  const read = await loadHtmlReader()
  const code: Range[] = []
  const anchors: Anchor[] = []
  let text = ''
  let anchor: { href: string; start: number } | undefined
  let codeStart = 0
  let depth = 0
  for (const part of read(html)) {
    if (part.kind === 'comment') continue
    if (part.kind === 'text') {
      text += part.value
      continue
    }
    const { kind, name, attributes } = part
    const change = kind === 'open' ? 1 : -1
    if (CODE.includes(name)) {
      if (kind === 'open' && depth === 0) codeStart = text.length
      if (kind === 'close' && depth === 1) code.push({ start: codeStart, end: text.length })
      depth = Math.max(0, depth + change)
    }
    if (name === 'a') {
      if (anchor) anchors.push({ ...anchor, end: text.length })
      const href = attributes.find(it => it.name === 'href')?.value
      anchor = href === undefined ? undefined : { href, start: text.length }
    }
    if (!INLINE.includes(name)) text += '\n'
  }
  return { text, code, anchors }
}
