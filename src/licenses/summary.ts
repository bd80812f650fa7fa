// The job summary: counts, never a license or a user. Pure.
import { markdown, sizeText } from '../runner/text.ts'
import { counted, type Report } from './report.ts'

/** The summary shows so many products; the rest is one line. */
const SHOWN = 100

/** The job summary, in GitHub's Markdown. */
export function summaryOf(report: Report): string {
  const { outcome, message, advice, count, pages, annotations } = report
  const heading = outcome === 'listed' ? `✅ ${counted(count, 'license')}` : '❌ No licenses listed'
  const parts = [
    `## ${heading}`,
    outcome === 'failed' ? markdown(message) : '',
    advice === '' ? '' : `**What to do:** ${markdown(advice)}`,
    ...annotations.map(note => `- **${markdown(note.title)}**: ${markdown(note.message)}`),
    pages > 0 ? tableOf(report) : '',
    outcome === 'listed' ? productTable(report) : ''
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function tableOf({ pages, next, file }: Report): string {
  const rows = [
    ['Pages read', String(pages)],
    ['Next page', next === undefined ? '' : String(next)],
    ['File', file ? `${markdown(file.path)} (${sizeText(file.size)})` : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : '']
  ] as const
  return table(
    ['', ''],
    rows.filter(([, value]) => value !== '')
  )
}

function productTable({ products }: Report): string {
  if (products.length === 0) return ''
  const hidden = products.slice(SHOWN).reduce((sum, { count }) => sum + count, 0)
  const rows = products
    .slice(0, SHOWN)
    .map(({ product, count }) => [markdown(product), String(count)] as const)
  const rest = hidden > 0 ? [['other products', String(hidden)] as const] : []
  return table(['Product', 'Licenses'], [...rows, ...rest])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), '|---|---|', ...rows.map(line)].join('\n')
}
