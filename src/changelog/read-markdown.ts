// From a Markdown text to what is known of it.
import type { HtmlReader } from './html.ts'
import { type Event, readEvents } from './markdown.ts'
import { addHtml, endHtml, startHtml } from './raw-html.ts'
import { normaliseName, type Reading } from './reading.ts'
import { endBlock, endWalk, startWalk, type Walk, write, writeGap } from './walk.ts'

/** A token of Markdown as the walk sees it. */
interface Token {
  readonly type: string
  readonly start: number
  readonly end: number
  /** Its text, without the marks of quotes and lists in it. */
  readonly slice: () => string
  readonly readHtml: HtmlReader
}
type Act = (walk: Walk, token: Token) => void

/** Reads a text, or its blocks alone: its headings and definitions. */
export async function readMarkdown(
  source: string,
  what: 'all' | 'blocks' = 'all'
): Promise<Reading> {
  const [events, readHtml] = await Promise.all([
    readEvents(source, what),
    // Entities are HTML's, too.
    /[<&]/.test(source) ? import('./html.ts').then(html => html.loadHtmlReader()) : readPlainText
  ])
  const walk = startWalk(source)
  for (const event of events) step(walk, event, readHtml)
  return endWalk(walk)
}

/** Text without a tag or an entity. */
const readPlainText: HtmlReader = value => [{ kind: 'text', start: 0, end: value.length, value }]

/** What stands in these is not read by anybody. */
const UNSEEN = new Set([
  ...['resource', 'reference', 'definition', 'gfmFootnoteCall', 'gfmFootnoteDefinitionLabel'],
  'codeFencedFence'
])
const CONTAINERS = new Set(['blockQuote', 'listOrdered', 'listUnordered', 'gfmFootnoteDefinition'])

function step(walk: Walk, [phase, token, context]: Event, readHtml: HtmlReader): void {
  const type: string = token.type
  const change = phase === 'enter' ? 1 : -1
  if (UNSEEN.has(type)) walk.unseen += change
  if (CONTAINERS.has(type)) walk.containers += change
  const act = phase === 'enter' ? ENTER[type] : EXIT[type]
  act?.(walk, {
    ...{ type, start: token.start.offset, end: token.end.offset, readHtml },
    slice: () => context.sliceSerialize(token)
  })
}

const visible: Act = (walk, token) => write(walk, walk.source.slice(token.start, token.end), token)

const decoded: Act = (walk, token) => write(walk, decode(walk, token), token)

/** Renderers disagree on whether escapes and entities count in a bare address. */
const bare: Act = (walk, token) =>
  write(walk, decode(walk, token).replace(/\\(?=[!-/:-@[-`{-~])/g, ''), token)

function decode({ source }: Walk, { start, end, readHtml }: Token): string {
  const parts = readHtml(source.slice(start, end))
  return parts.map(part => (part.kind === 'text' ? part.value : '')).join('')
}

const startLink: Act = (walk, { type, start, end }) => {
  const kind = type === 'image' ? 'image' : 'link'
  const link = { kind, start, end, label: { start, end } } as const
  walk.links.push(link)
  walk.open.push(link)
}

const startCode: Act = walk => {
  walk.inCode = true
}

const startAddress: Act = (walk, { start, end }) => {
  walk.address = { start, end, value: '' }
}

const startHeading: Act = (walk, { start, end }) => {
  const top = walk.containers === 0
  walk.headings.push({ start, end, level: 0, content: { start: end, end }, top })
}

const ENTER: Readonly<Record<string, Act>> = {
  data: visible,
  codeTextData: visible,
  codeFlowValue: visible,
  characterEscape: (walk, token) => write(walk, walk.source.charAt(token.start + 1), token),
  characterReference: decoded,
  literalAutolinkHttp: bare,
  literalAutolinkWww: bare,
  literalAutolinkEmail: visible,
  lineEnding(walk, { start }) {
    // The token of a block's line may go on into the marks of the next.
    if (walk.html) addHtml(walk, { start, end: start + 1 })
    else write(walk, '\n', { start, end: start + 1 })
  },
  lineEndingBlank: (walk, { start }) => write(walk, '\n', { start, end: start + 1 }),
  codeText: startCode,
  codeFenced: startCode,
  codeIndented: startCode,
  htmlText: startHtml,
  htmlFlow: startHtml,
  htmlTextData: addHtml,
  htmlFlowData: addHtml,
  link: startLink,
  image: startLink,
  autolink(walk, { start, end }) {
    walk.links.push({ kind: 'autolink', start, end, label: { start: start + 1, end: end - 1 } })
  },
  autolinkProtocol(walk, token) {
    const link = walk.links.at(-1)
    const { start, end } = token
    if (link) link.destination = { start, end, value: walk.source.slice(start, end) }
    visible(walk, token)
  },
  autolinkEmail: visible,
  resource(walk, { start, end }) {
    const link = walk.open.at(-1)
    if (link) link.destination = { start: start + 1, end: end - 1, value: '' }
  },
  resourceDestinationString: startAddress,
  definitionDestinationString: startAddress,
  definition(walk, { start, end }) {
    const destination = { start: end, end, value: '' }
    walk.definitions.push({ start, end, name: '', destination })
  },
  atxHeading: startHeading,
  setextHeading: startHeading
}

const endCode: Act = (walk, { start, end }) => {
  walk.inCode = false
  walk.code.push({ start, end })
}

const endLink: Act = walk => {
  const link = walk.open.pop()
  if (!link || link.destination) return
  const { start, end } = link.label
  link.reference ??= normaliseName(walk.source.slice(start, end))
}

const noteContent: Act = ({ headings }, { start, end }) => {
  const heading = headings.at(-1)
  if (heading) heading.content = { start, end }
}

const endCell: Act = (walk, { end }) => {
  writeGap(walk, end)
  endBlock(walk)
}

const EXIT: Readonly<Record<string, Act>> = {
  codeText: endCode,
  codeFenced: endCode,
  codeIndented: endCode,
  htmlText: (walk, token) => endHtml(walk, token, false, token.readHtml),
  htmlFlow: (walk, token) => endHtml(walk, token, true, token.readHtml),
  link: endLink,
  image: endLink,
  labelText(walk, { start, end }) {
    const link = walk.open.at(-1)
    if (link) link.label = { start, end }
  },
  referenceString(walk, { slice }) {
    const link = walk.open.at(-1)
    if (link) link.reference = normaliseName(slice())
  },
  resourceDestinationString(walk) {
    const link = walk.open.at(-1)
    if (link && walk.address) link.destination = walk.address
    walk.address = undefined
  },
  definitionDestinationString(walk) {
    const definition = walk.definitions.at(-1)
    if (definition && walk.address) definition.destination = walk.address
    walk.address = undefined
  },
  definitionLabelString(walk, { slice }) {
    const definition = walk.definitions.at(-1)
    if (definition) definition.name = normaliseName(slice())
  },
  gfmFootnoteCallString: (walk, { slice }) => walk.calls.push(normaliseName(slice())),
  gfmFootnoteDefinitionLabelString: (walk, { slice }) => {
    walk.note = normaliseName(slice())
  },
  gfmFootnoteDefinition: walk => {
    walk.note = undefined
  },
  paragraph: endBlock,
  atxHeading: endBlock,
  setextHeading: endBlock,
  atxHeadingSequence({ headings }, { start, end }) {
    const heading = headings.at(-1)
    // A closing sequence has no say.
    if (heading?.level === 0) heading.level = end - start
  },
  setextHeadingLineSequence({ headings, source }, { start }) {
    const heading = headings.at(-1)
    if (heading) heading.level = source[start] === '=' ? 1 : 2
  },
  atxHeadingText: noteContent,
  setextHeadingText: noteContent,
  tableData: endCell,
  tableHeader: endCell
}
