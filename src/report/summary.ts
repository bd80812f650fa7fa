// The job summary, in GitHub's Markdown, for someone who reads nothing else. Pure.

import type { Complaint } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { counted, firstOfMany, shortened, sizeText, withinSpaces } from '../runner/words.ts'
import type { Asked } from './asked.ts'
import { describeRoute, reasonPage } from './guidance.ts'
import { factTable, fenced, joinBlocks, markdown, prose } from './markdown.ts'
import { fieldText, headingOf } from './print.ts'
import { OUTCOMES, type Result, type Subject } from './result.ts'

/** The summary of a run, as Markdown that ends in a line break. */
export function summaryOf(result: Result, asked: Asked): string {
  const { outcome, reason, message, advice, next, commands } = result
  const { complaints, warnings } = result
  const { context } = asked
  const isPublished = outcome === 'published'
  const url = reasonPage(context, reason)
  // A check is for finding out what a release would meet: its warnings are the news.
  const isDoubted = outcome === 'checked' && warnings.length > 0
  const mark = isDoubted ? '⚠️' : OUTCOMES[outcome].mark

  const blocks = joinBlocks(
    `## ${mark} ${markdown(headingOf(result, asked))}`,
    describeBuyers(result),
    isPublished ? describeArrival(asked) : paragraphs(shortened(message), context),
    ...warnings.map(warning => paragraphs(`⚠️ ${warning}`, context)),
    listComplaints(complaints, context),
    advice && `**What to do:** ${boldButton(paragraphs(advice, context))}`,
    next && `**Next:** ${boldButton(paragraphs(next, context))}`,
    commands.length > 0 ? fold('Without the button', fenced(commands.join('\n'), 'sh')) : '',
    url && `Reason: ${htmlLink(url, reason)}`,
    factsOf(result, asked),
    changelogOf(result)
  )
  return `${blocks}\n`
}

function listComplaints(complaints: readonly Complaint[], context: RunContext): string {
  const items = complaints.map(({ place, message }) => {
    const text = paragraphs(shortened(`${place}: ${message}`), context)
    return `- ${text.replace(/\n(?=.)/g, '\n  ')}`
  })

  return items.join('\n')
}

/** Outcomes of a version that goes to buyers. */
const TO_BUYERS: readonly Result['outcome'][] = ['planned', 'published']

/** Who gets the version; empty unless it goes to buyers. */
function describeBuyers({ outcome, subject: { route }, versionFields }: Result): string {
  if (route === undefined || !TO_BUYERS.includes(outcome)) return ''

  const { product, benefit } = route
  const name = fieldText(versionFields.benefit_name)
  const option = `the option with benefit ${benefit}${name && ` (${name})`} of product ${product}`
  const who = benefit === undefined ? `all buyers of product ${product}` : `the buyers of ${option}`
  return `**Goes to:** ${markdown(who)}`
}

/** Where a version has arrived, with a link to the shop. */
function describeArrival({ baseUrl }: Asked): string {
  const shop = htmlLink(baseUrl, `${URL.parse(baseUrl)?.host}`)
  return `Published at ${shop}: the shop emails its buyers.`
}

function factsOf(result: Result, { context, tag }: Asked): string {
  const { outcome, versionFields, subject } = result
  const { route, versionName = '', title = '', size, sha256 = '', contents = '' } = subject
  const { file = '', removed = [] } = subject
  const release = `${context.serverUrl}/${context.repository}/releases/tag/${encodeURIComponent(tag)}`
  // The line above the table says more.
  const isSaid = TO_BUYERS.includes(outcome)
  const benefit = isSaid ? '' : fieldText(versionFields.benefit_name)
  const sized = size === undefined ? file : `${file} (${sizeText(size)})`

  return factTable([
    ['Release', tag && htmlLink(subject.tagged?.release?.url || release, tag)],
    ['Product', route && !isSaid ? markdown(describeRoute(route).replace(/^product /, '')) : ''],
    ['Benefit', markdown(benefit)],
    ['Version', markdown(versionName)],
    ['Title', markdown(title)],
    ['Version id', markdown(fieldText(versionFields.id))],
    ['File', file && markdown(sized)],
    ['Contents', markdown(contents)],
    ['Removed', removed.length > 0 ? `${counted(removed.length, 'piece')} of the changelog` : ''],
    ['SHA-256', sha256 && `<code>${sha256}</code>`]
  ])
}

/** The changelog as it is sent, and what was taken out of it, folded. */
function changelogOf({ outcome, subject }: Result): string {
  const { changelog = '', removed = [] }: Subject = subject
  if (changelog === '') return ''

  const cut = removed.length > 0 ? fold('Removed', fenced(firstOfMany(removed, 50))) : ''
  // A plan is made to be read.
  const isOpen = outcome === 'planned'
  return joinBlocks(fold('Changelog', fenced(changelog), isOpen), cut)
}

/** Each line of a message becomes a paragraph; lines indented by two spaces or more, a code block. */
function paragraphs(text: string, context: RunContext): string {
  const blocks = text.match(/^ {2,}\S.*(?:(?:\r\n|\r|\n) {2,}\S.*)*|^.*\S.*/gm) ?? []
  const shown = blocks.map(block => {
    if (/^ {2}/.test(block)) return codeBlock(block)

    // The log has digests in full, and so has the table of facts.
    return linkedProse(block.replace(/\b([\da-f]{12})[\da-f]{52}\b/g, '$1…'), context)
  })
  return shown.join('\n\n')
}

/** Where to click, in bold: of a release that has failed, one line is read. */
function boldButton(prose: string): string {
  return prose.replace(/Actions → [^→\n]{1,200} → Run workflow/g, '<b>$&</b>')
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

/** Content that a click shows, or hides if it `isOpen`; `heading` and `content` are Markdown. */
function fold(heading: string, content: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${heading}</summary>\n\n${content}\n\n</details>`
}

/** A link; or only text, if the address has a character that could end the attribute. */
function htmlLink(address: string, label: string): string {
  if (!/^https?:\/\/[^\s<>"'`|\\]+$/.test(address)) return markdown(address)
  return `<a href="${address.replaceAll('&', '&amp;')}">${markdown(label)}</a>`
}
