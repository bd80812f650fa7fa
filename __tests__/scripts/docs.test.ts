// Tests of the README's tables.
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { updateTables } from '../../scripts/docs.ts'
import { type Manifest, ROOT } from '../../scripts/manifest.ts'

const manifest = (file: string): Manifest => ({
  file: path.join(ROOT, file),
  using: 'node24',
  main: '',
  inputs: new Map([
    ['base-url', { description: 'Where,\n  or | not.', required: true, default: undefined }],
    ['mode', { description: 'What.', required: false, default: 'publish' }],
    ['tag', { description: 'Which.', required: false, default: undefined }]
  ]),
  outputs: new Map([['id', { description: 'Its number.' }]])
})

const INPUTS = `<!-- inputs -->
| Input | Default | Meaning |
| --- | --- | --- |
| \`base-url\` | required | Where, or \\| not. |
| \`mode\` | \`publish\` | What. |
| \`tag\` |  | Which. |
<!-- /inputs -->`

const OUTPUTS = `<!-- licenses outputs -->
| Output | Meaning |
| --- | --- |
| \`id\` | Its number. |
<!-- /licenses outputs -->`

test('tables are written between their markers, and nothing else changes', () => {
  const readme =
    '# A\n<!-- inputs --><!-- /inputs -->\nB\n<!-- outputs -->\nold\n<!-- /outputs -->\nC'
  const { text, differences } = updateTables(readme, [manifest('action.yml')])
  expect(text).toContain(`# A\n${INPUTS}\nB\n`)
  expect(text).not.toContain('old')
  expect(differences).toHaveLength(2)
  expect(updateTables(text, [manifest('action.yml')])).toEqual({ text, differences: [] })
})

test('the second action has tables of its own', () => {
  const markers = ['licenses inputs', 'licenses outputs']
  const readme = markers.map(name => `<!-- ${name} --><!-- /${name} -->`).join('\n')
  expect(updateTables(readme, [manifest('licenses/action.yml')]).text).toContain(OUTPUTS)
})

test('a difference names the table and the row', () => {
  const readme = `${INPUTS.replace('What.', 'Other.')}<!-- outputs --><!-- /outputs -->`
  expect(updateTables(readme, [manifest('action.yml')]).differences[0]).toBe(
    '<!-- inputs --> differs from action.yml, first at: | `mode` | `publish` | What. |'
  )
})

test('a missing marker is named', () => {
  expect(updateTables('', [manifest('action.yml')]).differences).toEqual([
    'There is no <!-- inputs --> … <!-- /inputs --> for the table from action.yml',
    'There is no <!-- outputs --> … <!-- /outputs --> for the table from action.yml'
  ])
})
