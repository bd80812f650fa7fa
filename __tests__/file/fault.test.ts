// Tests of src/file/fault.ts: paths and faults as messages show them.
import { describe, expect, test } from '@jest/globals'
import { relativeTo, shownPath, unreadable } from '../../src/file/fault.ts'

describe('a path', () => {
  test.each([
    ['in the workspace is shown from there', '/srv/a/b.zip', 'a/b.zip'],
    ['outside is shown whole', '/tmp/b.zip', '/tmp/b.zip'],
    ['of a folder with a similar name is outside', '/srv-2/b.zip', '/srv-2/b.zip'],
    ['that begins with two dots may lie inside', '/srv/..b/c.zip', '..b/c.zip'],
    ['of the workspace itself is shown whole', '/srv', '/srv'],
    ['of the folder above is shown whole', '/', '/']
  ])('%s', (_, path, shown) => {
    expect(relativeTo('/srv', path)).toBe(shown)
    expect(relativeTo('/srv/', path)).toBe(shown)
  })

  test.each([
    ['a quote and a backslash', 'a"b\\c', '"a\\"b\\\\c"'],
    ['line breaks', 'a\r\nb', '"a\\r\\nb"'],
    ['what turns the reading direction', 'a\u202eb', '"a\\u{202e}b"'],
    ['what has no width', 'a\u200bb\ufeff', '"a\\u{200b}b\\u{feff}"'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029', '"a\\u{2028}b\\u{2029}"'],
    ['half a character', 'a\ud800', '"a\\ud800"'],
    ['other letters, as they are', 'プラグイン 🎉', '"プラグイン 🎉"']
  ])('shows %s', (_, name, shown) => {
    expect(shownPath(`/srv/${name}`, '/srv')).toBe(shown)
  })
})

describe('what the system says', () => {
  test.each([
    ['EACCES', '"a" cannot be read by the user that this step runs as'],
    ['ENOENT', '"a" no longer exists'],
    ['ELOOP', '"a" is a link that leads in a circle'],
    ['EIO', '"a" cannot be read: EIO: bad disk']
  ])('%s comes in words, with its code, and is kept', (code, words) => {
    const cause = Object.assign(new Error(`${code}: bad disk`), { code })
    const fault = unreadable('"a"', cause)
    expect(fault).toMatchObject({ name: 'FileFault', reason: 'bad-file', cause })
    expect(fault.message).toContain(words)
    expect(fault.message).toContain(code)
  })

  test.each([
    ['a text', 'broken', '"a" cannot be read: broken'],
    ['nothing', undefined, '"a" cannot be read: undefined'],
    ['null', null, '"a" cannot be read: null']
  ])('%s that was thrown is shown', (_, cause, message) => {
    expect(unreadable('"a"', cause).message).toBe(message)
  })
})
