// Tests of src/release/rendering.ts: what GitHub's HTML of a release shows.
import { expect, test } from '@jest/globals'
import { readRendering } from '../../src/changelog/rendering.ts'

const INLINE = [
  ...['a', 'b', 'code', 'del', 'em', 'g-emoji', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp'],
  ...['small', 'span', 'strong', 'tt', 'u', 'var']
]

test.each(INLINE)('a word goes on within <%s>', async name => {
  expect((await readRendering(`x<${name}>y</${name}>z`)).text).toBe('xyz')
})

test.each(['p', 'li', 'td', 'br', 'sup', 'h2', 'div', 'img'])('<%s> ends a word', async name => {
  expect((await readRendering(`x<${name}>y`)).text).toBe('x\ny')
})

test('entities are decoded, and comments are not there', async () => {
  expect((await readRendering('a &amp;<!-- b -->c')).text).toBe('a &c')
})

test.each([
  ['in a line', 'a <code>b</code> <code>c</code> d', ['b', 'c']],
  ['in a block', 'a<pre><code>b <b>c</b></code></pre>d', ['\nb c']],
  ['that a tag ends which began nowhere', 'a</code> <code>b</code> c', ['b']],
  ['that never ends', 'a <code>b', []]
])('code %s', async (_, html, expected) => {
  const { text, code } = await readRendering(html)
  expect(code.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test.each([
  ['with their text', '<p>a <a href="x">b <b>c</b></a> d <a href="y">e</a></p>', ['x b c', 'y e']],
  ['but not those without an address', 'a <a name="x">b</a> <a href="y">c</a>', ['y c']],
  ['up to the next', '<a href="x">b<a href="y">c</a>d</a>', ['x b', 'y c']],
  ['with the address alone', '<a class="x" href="y" id="z">c</a>', ['y c']]
])('links %s', async (_, html, expected) => {
  const { text, anchors } = await readRendering(html)
  const seen = anchors.map(({ href, start, end }) => `${href} ${text.slice(start, end)}`)
  expect(seen).toEqual(expected)
})
