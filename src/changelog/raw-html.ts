// From the raw HTML in a Markdown text to what is known of it.
import type { HtmlReader } from './html.ts'
import { locate, type Range } from './ranges.ts'
import type { Tag } from './reading.ts'
import { endBlock, type Walk, write } from './walk.ts'

const CODE_TAGS = ['code', 'pre', 'tt', 'samp', 'script', 'style', 'textarea']

/** Starts collecting the HTML of a token; a block's may be split by the marks of quotes and lists. */
export function startHtml(walk: Walk): void {
  walk.html = { text: '', runs: [] }
}

export function addHtml({ source, html }: Walk, { start, end }: Range): void {
  if (!html) return
  html.runs.push({ at: html.text.length, length: end - start, start, end })
  html.text += source.slice(start, end)
}

/** Reads what was collected. Between the tags in a paragraph, Markdown reads the text itself. */
export function endHtml(walk: Walk, token: Range, isBlock: boolean, read: HtmlReader): void {
  const { html } = walk
  walk.html = undefined
  if (!html) return
  if (!isBlock && html.text.startsWith('<!--')) {
    const { start, end } = token
    walk.comments.push({ start, end, closed: true })
    return
  }
  for (const part of read(html.text)) {
    const ranges = locate(html.runs, part)
    const place = { start: ranges[0]?.start ?? token.start, end: ranges.at(-1)?.end ?? token.end }
    switch (part.kind) {
      case 'comment':
        walk.comments.push({ ...place, closed: part.closed })
        break
      case 'text':
        if (isBlock) writeText(walk, part.value, ranges)
        break
      default:
        noteTag(walk, {
          ...part,
          ...place,
          attributes: part.attributes.map(attribute => ({
            ...attribute,
            ...spanOf(locate(html.runs, attribute), place)
          }))
        })
    }
  }
  if (isBlock) endBlock(walk)
}

/** Line by line where the marks of quotes and lists lie between, so that each character keeps its place. */
function writeText(walk: Walk, value: string, ranges: readonly Range[]): void {
  let done = 0
  for (const range of ranges) {
    const end = done + range.end - range.start
    write(walk, value.slice(done, end), range, true)
    done = end
  }
}

function spanOf(ranges: readonly Range[], fallback: Range): Range {
  return { start: ranges[0]?.start ?? fallback.start, end: ranges.at(-1)?.end ?? fallback.end }
}

function noteTag(walk: Walk, tag: Tag): void {
  walk.tags.push(tag)
  const { kind, name } = tag
  if (CODE_TAGS.includes(name)) {
    walk.codeTags = Math.max(0, walk.codeTags + (kind === 'open' ? 1 : -1))
  }
  if (name !== 'a') return
  const leads = tag.attributes.some(({ name }) => name === 'href')
  walk.anchor = leads ? tag : undefined
}
