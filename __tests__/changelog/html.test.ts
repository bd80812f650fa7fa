// Tests of renderHtml in src/changelog/html.ts: notes as HTML.
import { expect, test } from '@jest/globals'
import { renderHtml } from '../../src/changelog/html.ts'
import { readHtml } from '../../src/changelog/markdown.ts'

test.each([
  ['# A *b*', '<h1>A <em>b</em></h1>'],
  [
    '| a |\n| - |\n| b |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>'
  ],
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
  [
    '- a\n  ```js\n  b\n\n  "c"\n  ```',
    '<ul>\n<li>a\n<pre><code class="language-js">b\n\n"c"\n</code></pre>\n</li>\n</ul>'
  ],
  ['    a\n    b', '<pre><code>a\nb\n</code></pre>'],
  ['https://a.b/c\nd', '<p><a href="https://a.b/c">https://a.b/c</a><br />\nd</p>'],
  ['[a](javascript:b)', '<p><a>a</a></p>'],
  ['</div><div>\n\n<details><b>a</i>', '<div>\n<details><b>a</b></details></div>']
])('%j becomes %j', async (markdown, html) => {
  expect((await renderHtml(markdown)).trim()).toBe(html)
})

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
  "</iframe title='<img src=c onerror=b()>'>"
])('nothing runs of %j', async html => {
  const [rendered, alone] = await Promise.all([renderHtml(`a ${html}`), renderHtml(html)])
  const kept = readHtml(rendered + alone).filter(({ name }) => /^\w/.test(name))
  expect(kept.map(({ name }) => name)).toEqual(
    expect.not.arrayContaining(['script', 'style', 'svg', 'math', 'input'])
  )
  for (const [name, value] of kept.flatMap(({ attributes }) => [...attributes])) {
    expect(['href', 'src', 'title']).toContain(name)
    if (name !== 'title') expect(value).toMatch(/^[ac]$/)
  }
})

test('footnotes come last', async () => {
  expect(await renderHtml('a[^b]\n\n[^b]: c')).toMatch(/<sup>.*<section data-footnotes.*c/s)
})
