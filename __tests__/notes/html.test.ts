// Tests of src/notes/html.ts: notes as HTML, in which nothing runs.
import { expect, test } from '@jest/globals'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { renderHtml } from '../../src/notes/html.ts'
import { renderMarkdown } from '../../src/notes/notes.ts'
import { reader } from './notes.ts'

test.each([
  ['# A *b*', '<h1>A <em>b</em></h1>'],
  [
    '| a |\n| - |\n| b |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>'
  ],
  ['- a\n  1. b', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
  ['~~a~~', '<p><del>a</del></p>'],
  ['https://example.com', '<p><a href="https://example.com">https://example.com</a></p>'],
  ['- [x] a', '<ul>\n<li><input type="checkbox" checked disabled /> a</li>\n</ul>'],
  [
    '<details>\n<b id=x>a</b>\n</details>\n\nc <kbd>d</kbd>',
    '<details>\n<b id="user-content-x">a</b>\n</details>\n<p>c <kbd>d</kbd></p>'
  ],
  ['a\n\n<script>b</script>\n\nc', '<p>a</p>\n&lt;script&gt;b&lt;/script&gt;\n<p>c</p>'],
  ['<img src="a.png" onerror="b()">', '<img src="a.png">'],
  ['a <b><form action="c"><i style="d">e</i></form></b>', '<p>a <b><i>e</i></b></p>'],
  ["[a](it's.html)", '<p><a href="it\'s.html">a</a></p>'],
  ['In <style> and <iframe> or <Image>', '<p>In &lt;style&gt; and &lt;iframe&gt; or </p>'],
  ['<a name=x></a>[b](#x)', '<p><a name="user-content-x"></a><a href="#user-content-x">b</a></p>'],
  ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
  ['> [!WARNING]\n> b', '<blockquote>\n<p><strong>Warning</strong><br />\nb</p>\n</blockquote>'],
  ['New: a\nFixed: **b\nc**', '<p>New: a<br />\nFixed: <strong>b<br />\nc</strong></p>'],
  ['a  \nb\\\nc', '<p>a<br />\nb<br />\nc</p>'],
  ['- a\n  b', '<ul>\n<li>a<br />\nb</li>\n</ul>'],
  ['`a\nb` ![a\nb](c)', '<p><code>a b</code> <img src="c" alt="a b" /></p>'],
  ['```js\nb\n\n"c"\n```', '<pre><code class="language-js">b\n\n"c"\n</code></pre>'],
  ['[a](javascript:b)', '<p><a>a</a></p>'],
  ['[a](mailto:b@c.example "d")', '<p><a href="mailto:b@c.example" title="d">a</a></p>'],
  ['</div><div>\n\n<details><b>a</i>', '<div>\n<details><b>a</b></details></div>']
])('%j becomes %j', async (markdown, html) => {
  expect(await renderMarkdown(markdown, reader)).toBe(html)
})

test('footnotes come last, and their links lead to them', () => {
  const html = renderHtml('a[^b] c\n\n[^b]: d\n\ne')
  expect(html).toMatch(/<p>e<\/p>\n<section data-footnotes.*d/s)

  const [, id] = /<li id="([^"]+)"/.exec(html) ?? []
  expect(html).toContain(`<a href="#${id}"`)
})

/** The elements in HTML, as a browser reads it. */
function elementsIn(html: string): DefaultTreeAdapterTypes.Element[] {
  const visit = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] => {
    const below = 'childNodes' in node ? node.childNodes.flatMap(visit) : []
    return 'tagName' in node ? [node, ...below] : below
  }
  return visit(parseFragment(html))
}

test.each([
  '<a href="JaVaScRiPt:b()">a</a>',
  '<a href="java\tscript:b()">a</a>',
  '<a href=" \u0001javascript:b()">a</a>',
  '<a href="&#106;avascript:b()">a</a>',
  '<a href="java&Tab;script&colon;b()">a</a>',
  '<a href="javascript&#58b()">a</a>',
  '<a href=javascript:b()>a</a>',
  '<a href="data:text/html,b">a</a>',
  '<img src="vbscript:b">',
  '<img srcset="data:b 2x">',
  '<svg onload=b()><a href="c"onclick="b()">d</a></svg>',
  '<img src="a"onerror=b()>',
  '<img/src="a"/onerror="b()">',
  '<a title="><script>b()</script>">c</a>',
  "<p title=\"'\" onclick='b()'>c</p>",
  '<math><mtext></p><style><img src=a onerror=b()></style></math>',
  '<input type="text" autofocus onfocus="b()">',
  '<a class="button primary" style="position: fixed">a</a>',
  '<scr<script>ipt>b()</scr</script>ipt>',
  '<iframe title="<img src=c onerror=b()>">',
  "</iframe title='<img src=c onerror=b()>'>",
  '<script>b()</script>',
  '<object data="b"></object><embed src="b"><base href="b"><meta http-equiv="refresh" content="b">'
])('nothing runs of %j', html => {
  const rendered = renderHtml(`a ${html}`) + renderHtml(html)
  const elements = elementsIn(rendered)

  const names = elements.map(({ tagName }) => tagName)
  expect(names.filter(name => !/^(?:p|a|img|b|i)$/.test(name))).toEqual([])

  for (const { name, value } of elements.flatMap(({ attrs }) => attrs)) {
    expect(['href', 'src', 'title']).toContain(name)
    if (name !== 'title') expect(value).toMatch(/^[ac]$/)
  }
})
