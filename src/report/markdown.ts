// Texts for the summary, in GitHub's Markdown: escaped for where they stand. Pure.
import { joined, shownText } from '../runner/printing.ts'
import { SPLIT, withinSpaces } from '../runner/words.ts'

/** Text that Markdown shows as it is. GitHub links `&#64;name`, too, so `SPLIT` goes between the two. */
export function markdown(text: string): string {
  const entity = (character: string) => `&#${character.charCodeAt(0)};`
  return joined(text)
    .replace(/[\\`*_{}[\]<>#|~@&:$]/g, entity)
    .replace(/^[-+=]|^\d+[.)](?=\s|$)/, found => found.slice(0, -1) + entity(found.slice(-1)))
    .replace(/&#(?:35|58|64);|www(?=\.)|\bGH(?=-\d)/gi, found => `${found}${SPLIT}`)
}

/** Text of our own as Markdown, in which names in backticks become code, and GitHub's buttons in asterisks italics. */
export function prose(text: string): string {
  const parts = text
    .trim()
    .split(/(`[^`\n]+`|\*(?:Re-run (?:all|failed) jobs|Set as a pre-release)\*)/)
  const shown = parts.map((part, index) => {
    if (index % 2 === 0) return withinSpaces(part, markdown)

    const tag = part.startsWith('`') ? 'code' : 'i'
    return `<${tag}>${markdown(part.slice(1, -1))}</${tag}>`
  })
  return shown.join('')
}

/** The parts that are not empty, with a blank line between them. */
export function joinBlocks(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n')
}

/** An HTML table, as Markdown's needs a header. Values: Markdown without blank lines; empty: left out. */
export function factTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.flatMap(([name, value]) =>
    value === '' ? [] : [`<tr><th align="left">${name}</th><td>${value}</td></tr>`]
  )
  return lines.length === 0 ? '' : ['<table>', ...lines, '</table>'].join('\n')
}

/** Text as a fenced code block; the fence is longer than any run of backticks in the text. */
export function fenced(text: string, language = 'text'): string {
  const clean = shownText(text)
  const longest = clean.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${clean}\n${fence}`
}
