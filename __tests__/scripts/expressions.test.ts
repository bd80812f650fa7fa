// Tests of scripts/expressions.ts: it finds regular expressions that take too long, wherever they are written.
import { expect, test } from '@jest/globals'
import { expressionsIn, judgeExpressions } from '../../scripts/expressions.ts'

test.each([
  ['^a+b', true, /^safe$|linear/],
  ['^(a|a)*$', false, /^exponential$/],
  ['a*a*b', false, /^\d\w+ degree polynomial$/]
])(
  'the verdict on %s',
  async (source, isLinear, verdict) => {
    const [judged] = await judgeExpressions([{ place: 'src/a.ts:1', source, flags: '' }])
    expect(judged).toMatchObject({ isLinear, verdict: expect.stringMatching(verdict) })
  },
  60_000
)

test('literals are found in TypeScript, and the places where others are built', async () => {
  const source = "const a: RegExp = /b+c/i\nconst d = new RegExp('e')\n"
  expect(await expressionsIn('src/a.ts', source)).toEqual({
    literals: [{ place: 'src/a.ts:1', source: 'b+c', flags: 'i' }],
    built: ['src/a.ts:2']
  })
})
