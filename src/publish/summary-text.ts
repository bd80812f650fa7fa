// Pieces of a job summary, as GitHub's Markdown: every text in them is harmless for where it stands. Pure.
import { fenced, markdown } from '../runner/text.ts'

/** A message of the service's may be as long as its whole answer; the log has all of it. */
const MESSAGE_LIMIT = 4000

/** A text short enough for the summary. */
export function shortened(text: string): string {
  if (text.length <= MESSAGE_LIMIT) return text
  return `${text.slice(0, MESSAGE_LIMIT).toWellFormed()}… (cut short; the log has all of it)`
}

/**
 * A message, in Markdown: every line is a paragraph, and lines that are indented are one block of code,
 * ready to copy. `names` between backticks are shown as code.
 */
export function paragraphs(text: string): string {
  const blocks: string[] = []
  let code: string[] = []
  const end = () => {
    if (code.length > 0) blocks.push(codeBlock(code))
    code = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^ {2,}\S/.test(line)) {
      code.push(line)
      continue
    }
    end()
    if (line.trim() !== '') blocks.push(prose(line))
  }
  end()
  return blocks.join('\n\n')
}

/** Lines without the indentation that they share, in a block of their language. */
function codeBlock(lines: readonly string[]): string {
  const indents = lines.map(line => line.length - line.trimStart().length)
  const text = lines.map(line => line.slice(Math.min(...indents))).join('\n')
  if (/^(gh|git) /.test(text)) return fenced(text, 'sh')
  return fenced(text, /^[\w-]+:(\s|$)/.test(text) ? 'yaml' : 'text')
}

/** An item of a list, with what belongs to it. */
export function listItem(text: string): string {
  return `- ${paragraphs(text).replace(/\n(?=.)/g, '\n  ')}`
}

/** Text with our own `names` in it, shown as code. */
function prose(text: string): string {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${markdown(part)}</code>` : between(part)))
    .join('')
}

/** With the spaces that keep it apart from its neighbours. */
function between(part: string): string {
  const [, before = '', text = '', after = ''] = /^( *)(.*?)( *)$/s.exec(part) ?? []
  return `${before}${markdown(text)}${after}`
}

/** A table of names and values without a header; empty values are left out, and so is an empty table. */
export function factsTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const shown = rows.filter(([, value]) => value !== '')
  if (shown.length === 0) return ''
  // Markdown's tables always have a header; a blank line would end the HTML.
  const lines = shown.map(
    ([name, value]) => `<tr><th align="left">${name}</th><td>${value}</td></tr>`
  )
  return ['<table>', ...lines, '</table>'].join('\n')
}

/** What is under a heading that opens it; `heading` and `content` are Markdown. */
export function fold(heading: string, content: string): string {
  return `<details><summary>${heading}</summary>\n\n${content}\n\n</details>`
}

/** A link only where nothing in the address could end it; else the address as text. */
export function linkTo(address: string, label: string): string {
  if (!/^https?:\/\/[^\s<>"'`|\\]+$/.test(address)) return markdown(address)
  return `<a href="${address.replaceAll('&', '&amp;')}">${markdown(label)}</a>`
}

/**
 * Cleaned HTML in a quotation. On one line, so that GitHub's Markdown reads nothing in it; images stay
 * away, and GitHub's own links for names and numbers, which a buyer does not get.
 */
export function quotedHtml(html: string): string {
  const parts = html.trim().split(/(<[^>"]*(?:"[^"]*"[^>"]*)*>)/)
  const safe = parts.map((part, index) =>
    index % 2 === 1 ? withoutImage(part) : part.replace(/[@#](?=\w)|www(?=\.)/g, '$&<!-- -->')
  )
  return `<blockquote>${safe.join('').replaceAll('\n', '&#10;')}</blockquote>`
}

function withoutImage(tag: string): string {
  if (!/^<(img|source|picture)\b/i.test(tag)) return tag
  const alt = /\balt="([^"]*)"/.exec(tag)?.[1] ?? ''
  return alt === '' ? '[image]' : `[image: ${alt}]`
}
