// Tests of src/runner/undeclared.ts: which variables are taken for misspelled inputs, and which are let alone.
import { expect, test } from '@jest/globals'
import { INPUT_NAMES } from '../../src/publish/inputs.ts'
import { judgeUndeclared } from '../../src/runner/undeclared.ts'

const judge = (name: string, declared = INPUT_NAMES) => judgeUndeclared([name], declared)

test.each([
  ['benefits', 'benefit'],
  ['benefit-id', 'benefit'],
  ['option_id', 'benefit'],
  ['dry-run', 'mode: plan'],
  ['dry_run', 'mode: plan'],
  ['dryrun', 'mode: plan'],
  ['draft', 'mode: plan'],
  ['base_url', 'base-url'],
  ['baseurl', 'base-url'],
  ['toekn', 'token'],
  ['products', 'product'],
  ['target', 'targets'],
  ['content', 'contents'],
  ['chanelog', 'changelog'],
  ['chagnelogs', 'changelog'],
  ['changelog_file', 'changelog-file'],
  ['pre-release', 'prerelease'],
  ['release-notes', 'changelog'],
  ['api-token', 'token'],
  ['tag-name', 'tag'],
  ['moed', 'mode']
])('%s is refused, and %s named', (name, right) => {
  const { faults, warnings } = judge(name)
  const message = `is not an input of this action. Did you mean \`${right}\`? If INPUT_${name.toUpperCase()} is a variable of your own, from \`env:\`, rename it`
  expect(faults).toMatchObject([{ place: name, message }])
  expect(warnings).toEqual([])
})

test.each([
  ['version', 'version-name'],
  ['files', 'file'],
  ['artifact', 'asset'],
  ['body', 'changelog'],
  ['release_notes', 'changelog']
])('%s is warned of, since people have such variables of their own', (name, right) => {
  const { faults, warnings } = judge(name)
  expect(faults).toEqual([])
  expect(warnings).toEqual([expect.stringContaining(`is ignored. Did you mean \`${right}\`?`)])
})

test.each([
  ...INPUT_NAMES,
  ...['branch', 'environment', 'node_version', 'working-directory', 'run_id', 'commit', 'runner'],
  ...[
    'description_of_all',
    'java',
    'loaders',
    'game-versions',
    'retention-days',
    'channel',
    'n',
    '-'
  ],
  'benefits'.padEnd(100_000, 's')
])('%.30s is let alone', name => {
  expect(judge(name)).toEqual({ faults: [], warnings: [] })
})

test('the inputs of another action are its own', () => {
  const declared = ['base-url', 'api-key', 'format', 'output', 'product']
  expect(judge('api-token', declared).faults).toMatchObject([{ meant: 'api-key' }])
  expect(judge('formats', declared).faults).toMatchObject([{ meant: 'format' }])
  for (const name of ['dry-run', 'benefits', 'changelog']) {
    expect(judge(name, declared)).toEqual({ faults: [], warnings: [] })
  }
})
