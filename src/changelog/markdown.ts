// The door to micromark: GitHub-flavoured Markdown to tokens, and to HTML.
import type { compile, Options, parse } from 'micromark'
import { bound } from './bounds.ts'

export type Parser = ReturnType<typeof parse>
export type Event = Parameters<ReturnType<typeof compile>>[0][number]

/** These have no say in where links, code and HTML stand. */
const DECORATION = ['attention', 'strikethrough']
/** What is left to find when blocks alone matter. */
const INLINE = [
  ...[...DECORATION, 'autolink', 'codeText', 'htmlText', 'characterEscape', 'characterReference'],
  ...['labelStartLink', 'labelStartImage', 'labelEnd', 'hardBreakEscape', 'gfmFootnoteCall'],
  ...['gfmPotentialFootnoteCall', 'wwwAutolink', 'protocolAutolink', 'emailAutolink']
]

/** The tokens of a text, as events in their order: all, or those of its blocks. */
export async function readEvents(source: string, what: 'all' | 'blocks'): Promise<Event[]> {
  return tokenize(source, what === 'all' ? DECORATION : INLINE)
}

/** Renders GitHub's flavour of Markdown, as in releases: every line end is a break. Raw HTML is kept. */
export async function renderHtml(markdown: string): Promise<string> {
  const [{ compile }, { gfmHtml }] = await load()
  const options: Options = { allowDangerousHtml: true, htmlExtensions: [gfmHtml()] }
  return nameAlerts(compile(options)(breakLines(await tokenize(markdown, []))))
}

/** What line ends lie in without being the end of a line of text. */
const UNBROKEN = ['codeText', 'htmlText', 'resource', 'reference', 'label']

/** Puts a break before each line end in a paragraph; in files they are spaces, in releases and comments not. */
function breakLines(events: readonly Event[]): Event[] {
  let [paragraphs, others] = [0, 0]
  return events.flatMap((event, index) => {
    const [kind, token, context] = event
    const step = kind === 'enter' ? 1 : -1
    if (token.type === 'paragraph') paragraphs += step
    if (UNBROKEN.includes(token.type)) others += step
    const isText = token.type === 'lineEnding' && kind === 'enter' && paragraphs > 0 && others === 0
    if (!isText || events[index - 1]?.[1].type.startsWith('hardBreak')) return [event]
    const mark = { ...token, type: 'hardBreakTrailing' as const, end: token.start }
    return [['enter', mark, context], ['exit', mark, context], event]
  })
}

/** An alert is a quote that begins with its kind: https://docs.github.com/get-started/writing-on-github */
function nameAlerts(html: string): string {
  return html.replace(
    /(<blockquote>\n<p>)\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:<br \/>\n|(?=<\/p>))/gi,
    (_, start: string, kind: string) => {
      const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
      return `${start}<strong>${name}</strong><br />\n`
    }
  )
}

async function tokenize(source: string, disabled: string[]): Promise<Event[]> {
  const [{ parse, postprocess, preprocess }, { gfm }] = await load()
  const parser = parse({ extensions: [gfm(), { disable: { null: disabled } }] })
  bound(parser)
  return postprocess(parser.document().write(preprocess()(source, undefined, true)))
}

function load() {
  return Promise.all([import('micromark'), import('micromark-extension-gfm')])
}
