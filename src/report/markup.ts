// The pieces of a summary, in GitHub's Markdown: paragraphs, links, tables, blocks of code, folded parts. Pure.
import type { RunContext } from '../runner/runner.ts'
import { fenced, markdown, prose, shownText, withinSpaces } from '../runner/text.ts'

/** Each line of a message becomes a paragraph; lines indented by two spaces or more, a code block. */
export function paragraphs(text: string, context: RunContext): string {
  const blocks = text.match(/^ {2,}\S.*(?:(?:\r\n|\r|\n) {2,}\S.*)*|^.*\S.*/gm) ?? []
  const shown = blocks.map(block => {
    if (/^ {2}/.test(block)) return codeBlock(block)
    // The log has digests in full, and so has the table of facts.
    return linkedProse(block.replace(/\b([\da-f]{12})[\da-f]{52}\b/g, '$1…'), context)
  })
  return shown.join('\n\n')
}

/** Prose, in which addresses of this repository and of this action become links. */
function linkedProse(
  text: string,
  { serverUrl, repository, actionRepository }: RunContext
): string {
  const slugs = [repository, actionRepository].filter(slug => slug !== '')
  const own = slugs.map(slug => RegExp.escape(`${serverUrl}/${slug}/`)).join('|')
  // Every second part is an address.
  const parts = text.trim().split(new RegExp(`((?:${own || '(?!)'})[^\\s()]*[\\w/])`))
  return parts
    .map((part, index) => (index % 2 === 1 ? htmlLink(part, part) : withinSpaces(part, prose)))
    .join('')
}

function codeBlock(block: string): string {
  const lines = block.split(/\r\n|\r|\n/)
  const indent = Math.min(...lines.map(line => line.search(/\S/)))
  const text = lines.map(line => line.slice(indent)).join('\n')
  if (/^(gh|git) /.test(text)) return fenced(text, 'sh')
  return fenced(text, /^(?:- )?[\w-]+:(\s|$)/.test(text) ? 'yaml' : 'text')
}

/** Content that is shown on a click; `heading` and `content` are Markdown. */
export function fold(heading: string, content: string): string {
  return `<details><summary>${heading}</summary>\n\n${content}\n\n</details>`
}

/** A link; or only text, if the address has a character that could end the attribute. */
export function htmlLink(address: string, label: string): string {
  if (!/^https?:\/\/[^\s<>"'`|\\]+$/.test(address)) return markdown(address)
  return `<a href="${address.replaceAll('&', '&amp;')}">${markdown(label)}</a>`
}

/** Cleaned HTML on one line, which Markdown leaves alone. Images become words; GitHub links no names. */
export function quotedHtml(html: string): string {
  const parts = shownText(html.trim()).split(/(<[^>"]*(?:"[^"]*"[^>"]*)*>)/)
  const safe = parts.map((part, index) => {
    if (index % 2 === 0) return part.replace(/[@#](?=\w)|www(?=\.)/g, '$&<!-- -->')
    if (!/^<(img|source|picture)\b/i.test(part)) return part
    const alt = /\balt="([^"]*)"/.exec(part)?.[1] ?? ''
    return alt === '' ? '[image]' : `[image: ${alt}]`
  })
  return `<blockquote>${safe.join('').replaceAll('\n', '&#10;')}</blockquote>`
}
