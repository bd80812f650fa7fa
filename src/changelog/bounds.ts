// Keeps reading Markdown in bounded time: what is beyond the bounds is plain text. Pure.
import type { Parser } from './markdown.ts'

type Construct = Extract<Parser['constructs']['text'][string], { tokenize: unknown }>
type Tokenize = Construct['tokenize']
type Context = ThisParameterType<Tokenize>

/** No real line opens as many quotes and lists, no real paragraph has as many tokens. */
const MOST_CONTAINERS = 50
const MOST_EVENTS = 10_000
/** How many tokens before its end the text of a link may begin. */
const MOST_LOOKBACK = 2000
/** How many characters may mark one emphasis. */
const MOST_MARKS = 50
/** How many lines may go on with a quote's paragraph without its mark. */
const MOST_LAZY_LINES = 1000

/** What looks back at the tokens before it, or is looked back at. */
const COSTLY = [
  ...['attention', 'strikethrough', 'wwwAutolink', 'protocolAutolink', 'emailAutolink'],
  ...['labelStartLink', 'labelStartImage', 'labelEnd', 'gfmFootnoteCall'],
  'gfmPotentialFootnoteCall'
]

/** Bounds what would cost the square of its length, for a parser that reads one text. */
export function bound(parser: Parser): void {
  const { document, text } = parser.constructs
  for (const [key, constructs] of Object.entries(text)) {
    text[key] = listOf(constructs).map(construct => {
      if (!COSTLY.includes(construct.name ?? '')) return construct
      const bounded = key === String(']'.charCodeAt(0)) ? boundLabelEnd(construct) : construct
      return boundEvents(construct.name === 'attention' ? boundMarks(bounded) : bounded)
    })
  }
  const line = { number: 0, opened: 0 }
  for (const [key, constructs] of Object.entries(document)) {
    document[key] = listOf(constructs).map(construct => boundContainer(construct, line))
  }
  boundLaziness(parser)
}

function listOf(constructs: Construct | Construct[] | undefined): Construct[] {
  if (constructs === undefined) return []
  return Array.isArray(constructs) ? constructs : [constructs]
}

function boundEvents(construct: Construct): Construct {
  return when(construct, ({ events }) => events.length < MOST_EVENTS)
}

/** Looks for the beginning of the link's text before the construct does, and less far. */
function boundLabelEnd(construct: Construct): Construct {
  return when(construct, ({ events }) => {
    const last = Math.max(0, events.length - MOST_LOOKBACK)
    for (let index = events.length - 1; index >= last; index--) {
      const token = events[index]?.[1]
      if (token?.type !== 'labelLink' && token?.type !== 'labelImage') continue
      if (construct.name !== 'labelEnd' || !token._balanced) return true
    }
    return false
  })
}

function when(construct: Construct, condition: (context: Context) => boolean): Construct {
  const tokenize: Tokenize = function (effects, ok, nok) {
    return condition(this) ? construct.tokenize.call(this, effects, ok, nok) : nok
  }
  return { ...construct, tokenize }
}

function boundMarks(construct: Construct): Construct {
  // Up to where marks were refused: what is left of them must not be tried mark by mark.
  const refused = new WeakMap<object, number>()
  const tokenize: Tokenize = function (effects, ok, nok) {
    const start = this.now().offset
    if (start < (refused.get(this.events) ?? 0)) return nok
    const end: typeof ok = code => {
      const { offset } = this.now()
      if (offset - start <= MOST_MARKS) return ok(code)
      refused.set(this.events, offset)
      return nok(code)
    }
    return construct.tokenize.call(this, effects, end, nok)
  }
  return { ...construct, tokenize }
}

function boundContainer(construct: Construct, line: { number: number; opened: number }): Construct {
  const tokenize: Tokenize = function (effects, ok, nok) {
    const { line: number } = this.now()
    if (number !== line.number) Object.assign(line, { number, opened: 0 })
    if (line.opened >= MOST_CONTAINERS) return nok
    const opened: typeof ok = code => {
      line.opened++
      return ok(code)
    }
    return construct.tokenize.call(this, effects, opened, nok)
  }
  return { ...construct, tokenize }
}

function boundLaziness(parser: Parser): void {
  let left = MOST_LAZY_LINES
  parser.lazy = new Proxy(parser.lazy, {
    set: (lines, line, isLazy) => Reflect.set(lines, line, isLazy && left-- > 0)
  })
}
