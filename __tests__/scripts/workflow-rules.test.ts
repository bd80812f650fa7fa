// Tests of the rules that our own workflows keep.
import { expect, test } from '@jest/globals'
import { findBreaches } from '../../scripts/workflow-rules.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

const WORKFLOW = `on: push
permissions: {}
concurrency: one
jobs:
  a:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read # to check out
    steps:
      - uses: actions/checkout@${COMMIT} # v1.2.3
        with:
          persist-credentials: false
      - uses: ./
      - run: echo "$A"
        env:
          A: \${{ github.sha }}
  b:
    permissions: {}
    uses: ./.github/workflows/other.yml
`

test('a workflow that keeps them all passes', () => {
  expect(findBreaches(WORKFLOW)).toEqual([])
})

test.each([
  ['no permissions at all', 'permissions: {}\nc', 'c', 1, /permissions: {}/],
  ['no concurrency group', 'concurrency: one\n', '', 1, /concurrency/],
  ['a job without a limit', '    timeout-minutes: 5\n', '', 6, /job "a" needs `timeout-minutes`/],
  ['a job without permissions', '    permissions: {}\n    uses', '    uses', 19, /job "b" needs/],
  ['a grant without a reason', ' # to check out', '', 9, /"contents" needs its reason/],
  ['an action at a tag', `@${COMMIT}`, '@v1', 11, /full commit id/],
  ['a commit id without its version', ' # v1.2.3', '', 11, /version in a comment/],
  ['a checkout that leaves credentials', 'credentials: false', 'credentials: true', 11, /false/],
  ['an expression in a script', 'echo "$A"', `echo \${{ github.ref }}`, 15, /use `env`/]
])('%s is found', (_, part, instead, line, message) => {
  expect(findBreaches(WORKFLOW.replace(part, instead))).toEqual([
    { line, message: expect.stringMatching(message) }
  ])
})
