// Tests the memory of ids: it is a set, and a small one.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fingerprint } from '../../src/licenses/fingerprint.ts'
import { rememberIds, type Seen } from '../../src/licenses/seen.ts'

function hexOf(text: string): string {
  const words = new Uint32Array(3)
  const bytes = Buffer.from(`<${text}>`)
  fingerprint(bytes, 1, bytes.length - 1, words, 0)
  return Array.from(words, word => word.toString(16).padStart(8, '0')).join('')
}

describe('a fingerprint', () => {
  // As murmurhash3js and others have them; the fourth word is left out.
  test.each([
    ['', '000000000000000000000000'],
    ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66c'],
    ["I will not buy this tobacconist's, it is scratched.", '9b5b7ba2ef3f7866889adeaf']
  ])('of %j is that of MurmurHash3', (text, hex) => {
    expect(hexOf(text)).toBe(hex)
  })

  test('depends on every byte, at every length', () => {
    const texts = Array.from({ length: 40 }, (_, length) => 'a'.repeat(length))
    const changed = texts.flatMap(text =>
      Array.from(text, (_, at) => `${text.slice(0, at)}b${text.slice(at + 1)}`)
    )
    const prints = new Set([...texts, ...changed].map(hexOf))
    expect(prints.size).toBe(texts.length + changed.length)
  })
})

describe('remembered ids', () => {
  test('are a set, whatever the pages that they come in', () => {
    const pages = fc.array(fc.array(fc.string({ maxLength: 3 }), { maxLength: 100 }))
    fc.assert(
      fc.property(pages, ids => {
        const seen = rememberIds()
        const known = new Set<string>()
        for (const page of ids) {
          const expected = page.map(id => {
            const isNew = !known.has(id)
            known.add(id)
            return Number(isNew)
          })
          expect([...takeIn(seen, page)]).toEqual(expected)
        }
        expect(seen.size).toBe(known.size)
      })
    )
  })

  test('are still known after the table has grown, which takes 48 bytes for each at most', () => {
    const seen = rememberIds()
    const ids = Array.from({ length: 100_000 }, (_, n) => `lic_${n}`)
    let before = seen.bytes
    for (const id of ids) {
      expect(takeIn(seen, [id])[0]).toBe(1)
      if (seen.bytes === before) continue
      expect((before + seen.bytes) / seen.size).toBeLessThanOrEqual(48)
      before = seen.bytes
    }
    expect(before).toBeGreaterThan(1024 * 1024)
    expect(takeIn(seen, ids).includes(1)).toBe(false)
  })
})

function takeIn(seen: Seen, ids: readonly string[]): Uint8Array {
  for (const id of ids) {
    const bytes = Buffer.from(`<${id}>`)
    seen.queue(bytes, 1, bytes.length - 1)
  }
  return seen.takeIn()
}
