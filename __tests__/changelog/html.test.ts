// Tests of renderHtml in src/changelog/html.ts: notes as HTML.
import { expect, test } from '@jest/globals'
import { renderHtml } from '../../src/changelog/html.ts'

test.each([
  ['headings and emphasis', '# A *b*', '<h1>A <em>b</em></h1>'],
  [
    'tables',
    '| a |\n| - |\n| b |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>'
  ],
  ['strikes', '~~a~~', '<p><del>a</del></p>'],
  [
    'bare addresses',
    'https://example.com',
    '<p><a href="https://example.com">https://example.com</a></p>'
  ],
  [
    'tasks',
    '- [x] a',
    '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" checked disabled> a</li>\n</ul>'
  ],
  [
    'raw HTML',
    '<details>\n<b id=x>a</b>\n</details>\n\nc <kbd>d</kbd>',
    '<details>\n<b id="user-content-x">a</b>\n</details>\n<p>c <kbd>d</kbd></p>'
  ],
  ['no scripts', 'a\n\n<script>b</script>\n\nc', '<p>a</p>\n\n<p>c</p>'],
  ['no handlers', '<img src="a.png" onerror="b()">', '<img src="a.png">'],
  [
    'no frames, forms and styles',
    '<iframe src="https://a.b"></iframe><form action="c"><p style="d">e</p></form>',
    '<p>e</p>'
  ],
  [
    'links to places in the text',
    '<a name="x">a</a> [b](#x)',
    '<p><a name="user-content-x">a</a> <a href="#user-content-x">b</a></p>'
  ],
  ['code', '`<b>`', '<p><code>&lt;b></code></p>'],
  [
    'alerts, by name',
    '> [!WARNING]\n> Back up.',
    '<blockquote>\n<p><strong>Warning</strong><br>\nBack up.</p>\n</blockquote>'
  ],
  [
    'line ends as breaks, as in releases',
    'New: a\nFixed: **b\nc**',
    '<p>New: a<br>\nFixed: <strong>b<br>\nc</strong></p>'
  ],
  ['breaks that are written out, once', 'a  \nb\\\nc', '<p>a<br>\nb<br>\nc</p>'],
  [
    'line ends in lists and quotes',
    '- a\n  b\n\n> c\n> d',
    '<ul>\n<li>a<br>\nb</li>\n</ul>\n<blockquote>\n<p>c<br>\nd</p>\n</blockquote>'
  ],
  [
    'line ends in code and in the texts of images as they are',
    '`a\nb` ![a\nb](c)',
    '<p><code>a b</code> <img src="c" alt="a\nb"></p>'
  ],
  ['blocks of code as they are', '    a\n    b', '<pre><code>a\nb\n</code></pre>'],
  ['links that run code, without their address', '[a](javascript:b)', '<p><a>a</a></p>']
])('%s', async (_, markdown, html) => {
  expect((await renderHtml(markdown)).trim()).toBe(html)
})

test('footnotes come last', async () => {
  expect(await renderHtml('a[^b]\n\n[^b]: c')).toMatch(/<sup>.*<section data-footnotes.*c/s)
})
