// Shows Markdown as GitHub does, for the tests.
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The HTML of a Markdown text, on one line. */
export function show(source: string): string {
  const html = micromark(source, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true
  })
  return html.replaceAll('\n', ' ').trim()
}
