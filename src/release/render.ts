// From Markdown to HTML, as GitHub renders it.

/**
 * GitHub-flavoured Markdown as HTML. Raw HTML of the notes stays, but for the few tags that GitHub's own
 * rendering shows as text, too (`script`, `style`, `iframe` …).
 */
export async function renderHtml(markdown: string): Promise<string> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm')
  ])
  const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  return micromark(markdown, options).trim()
}
