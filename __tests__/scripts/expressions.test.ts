// Tests of scripts/expressions.ts: it finds regular expressions that take too long, wherever they are written, and
// lists that are out of date.
import { expect, test } from '@jest/globals'
import { expressionsIn, reviewExpressions } from '../../scripts/expressions.ts'

const at = (source: string) => ({ place: 'src/a.ts:1', source, flags: '' })
const QUADRATIC = {
  file: 'src/a.ts',
  start: 'a*a*b',
  reason: 'is a test'
}

test.each([
  ['a linear one', '^a+b', [], []],
  ['an exponential one', '^(a|a)*$', [], [/^src\/a\.ts:1: exponential: /]],
  [
    'an exponential one that is listed',
    '^(a|a)*$',
    [{ ...QUADRATIC, start: '^(a' }],
    [/exponential/]
  ],
  ['a quadratic one', 'a*a*b', [], [/^src\/a\.ts:1: \d\w+ degree polynomial/]],
  ['a listed one that is gone', 'b', [QUADRATIC], [/"a\*a\*b" is about no expression/]]
] as const)(
  '%s',
  async (_, source, allowed, problems) => {
    const review = await reviewExpressions([at(source)], [...allowed])

    expect(review.problems).toHaveLength(problems.length)
    for (const [index, problem] of problems.entries()) {
      expect(review.problems[index]).toMatch(problem)
    }
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
