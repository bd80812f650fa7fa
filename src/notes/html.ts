// Owns rendering Markdown to HTML in which nothing can run.
import { toHtml } from 'hast-util-to-html'
import { type Handler, toHast } from 'mdast-util-to-hast'
import filter from 'xss'
import { parseMarkdown } from './markdown.ts'

/** An alert is a quote such as `> [!NOTE]`: https://docs.github.com/get-started/writing-on-github */
const ALERT = /(?<=<blockquote>\n<p>)\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?=<br \/>|<\/p>)/gi

/** Renders Markdown as GitHub shows releases: line ends break, alerts have a title, HTML is sanitized. */
export function renderHtml(markdown: string): string {
  const root = parseMarkdown(markdown, 'links')
  const tree = toHast(root, {
    allowDangerousHtml: true,
    // `sanitize` adds a prefix to every id, those of footnotes, too.
    clobberPrefix: '',
    handlers: { text: breakLines }
  })

  const html = toHtml(tree, {
    allowDangerousHtml: true,
    allowDangerousCharacters: true,
    closeSelfClosing: true,
    characterReferences: { useNamedReferences: true }
  })
  return sanitize(html.replace(ALERT, (_, kind: string) => titleOfAlert(kind)))
}

/** The `**Note**` of `[!NOTE]`, in HTML. */
function titleOfAlert(kind: string): string {
  return `<strong>${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}</strong>`
}

/** Text whose line ends become breaks, without the spaces around them. */
const breakLines: Handler = (_, { value }: { readonly value: string }) =>
  value.split('\n').flatMap((part, index, { length }) => {
    const start = index === 0 ? part : part.replace(/^[ \t]+/, '')
    const line = index === length - 1 ? start : start.replace(/(?<![ \t])[ \t]+$/, '')
    const text = { type: 'text', value: line } as const
    if (index === 0) return [text]

    const mark = { type: 'element' as const, tagName: 'br', properties: {}, children: [] }
    return [mark, { ...text, value: '\n' }, text]
  })

// GitHub's list, without what only forms, audio and maps use:
// https://github.com/gjtorikian/html-pipeline/blob/main/lib/html_pipeline/sanitization_filter.rb
const VOID = ['br', 'hr', 'img', 'input', 'source']
const ELEMENTS =
  'a b blockquote code dd del details div dl dt em h1 h2 h3 h4 h5 h6 i ins kbd li ol p picture pre q rp rt ruby s samp section span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var'
const ATTRIBUTES =
  'abbr align alt aria-describedby aria-label aria-labelledby axis border cellpadding cellspacing checked cite class clear color colspan compact data-footnote-backref data-footnote-ref data-footnotes datetime dir disabled frame headers height href hreflang hspace id itemprop label lang media name noshade nowrap open rowspan rules scope size span src srcset start summary tabindex title type valign value vspace width'
/** Tags that are shown as text, not removed: https://github.github.com/gfm/#disallowed-raw-html-extension- */
const SHOWN_TAGS = /^(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)$/
const CLASSES = /^(?:language-[\p{L}\p{N}_+#-]+|sr-only|footnotes|data-footnote-backref)$/u
/** A web, mail or relative address; not `java&#115;cript:`, with `&` or `:` before any `/`, `?` or `#`. */
const HARMLESS = /^(?=.)(?:https?:|mailto:|[^:&]*(?:[/?#]|$))/i

const asText = (html: string) => html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Removes what can run or change the page around it. Listed elements and attributes stay; all are closed. */
function sanitize(html: string): string {
  const open: string[] = []
  const names = [...VOID, ...ELEMENTS.split(' ')]
  const clean = filter(html, {
    whiteList: Object.fromEntries(names.map(name => [name, ATTRIBUTES.split(' ')])),
    onIgnoreTag: (name, tag) => (SHOWN_TAGS.test(name) ? asText(tag) : ''),
    onTag(name, tag, { isClosing, isWhite }) {
      if (!isWhite) return undefined

      // The only fields that stay are the checkboxes of task lists, as the renderer writes them.
      const isOtherField =
        name === 'input' && !/^<input type="checkbox"(?: checked)? disabled \/>$/.test(tag)
      if (VOID.includes(name)) return isClosing || isOtherField ? '' : undefined

      if (isClosing) return closeUpTo(open, open.lastIndexOf(name))
      open.push(name)
      return undefined
    },
    onTagAttr(_, name, value) {
      const isAddress = ['href', 'src', 'srcset', 'cite'].includes(name)
      const goes = isAddress ? !HARMLESS.test(value) : name === 'class' && !CLASSES.test(value)
      return goes ? '' : undefined
    },
    safeAttrValue: (_, name, value) => asText(withPrefix(name, value)).replaceAll('"', '&quot;')
  })
  return clean + closeUpTo(open, 0)
}

/** The end tags of the open element at the index and of all opened after it; none for -1. */
function closeUpTo(open: string[], index: number): string {
  const closed = index < 0 ? [] : open.splice(index).toReversed()
  return closed.map(name => `</${name}>`).join('')
}

/** Ids get GitHub's prefix, so that none hides a name of the page's scripts; links to them get it, too. */
function withPrefix(name: string, value: string): string {
  if (name === 'href') return value.replace(/^#(?=.)/, '#user-content-')
  const isId = ['id', 'name', 'aria-describedby', 'aria-labelledby'].includes(name)
  return isId && value !== '' ? `user-content-${value}` : value
}
