// Tests of the input `targets`: where problems are, what entries take from the step, and what is refused.
import { expect, test } from '@jest/globals'
import { type Given, inputsOf, parse, problemsOf } from './given.ts'

const ONLY = 'is required; give it, or `asset` for a file that is attached to the release'
const LIST = 'must be a text or a list of texts'
const MAP = 'must be a map such as "- product: 12"'
const BASE64 = '"base64" cannot be used with a `benefit`: the shop documents it for products only'

const problemsIn = (targets: string, step: Given = {}) => problemsOf({ file: '', ...step, targets })

test.each<[string, string, Given, object]>([
  [
    'takes from the step what it leaves out',
    '- benefit: 34\n  title: Pro {version}',
    { file: 'dist/*.zip', title: 'Gallery' },
    { product: 12, benefit: 34, file: ['dist/*.zip'], title: 'Pro {version}' }
  ],
  ['has its own', '- {product: 13, file: b}', { file: 'a' }, { product: 13, file: ['b'] }],
  [
    'has an asset or a changelog in the place of the step’s file or changelog file',
    '- asset: "*.zip"\n  changelog: Better\n',
    { file: 'dist/*.zip', 'changelog-file': 'CHANGELOG.md' },
    { file: [], asset: ['*.zip'], changelog: 'Better', changelogFile: '' }
  ],
  [
    'has a file or a changelog file in the place of the step’s asset or changelog',
    '- file: a.zip\n  changelog-file: NEWS.md',
    { asset: '*.zip', changelog: 'Better' },
    { file: ['a.zip'], asset: [], changelog: '', changelogFile: 'NEWS.md' }
  ],
  ['leaves the step’s file with an empty asset', '- asset:', { file: 'a' }, { file: ['a'] }],
  ['has the default for an empty title', '- title:', { title: 'T' }, { title: '{name}' }],
  ['has it for a key alone', '- {file: a, title}', { title: 'T' }, { title: '{name}' }],
  ['has it for null', '- title: ~', { title: 'T' }, { title: '{name}' }],
  [
    'takes numbers and words of YAML’s as they are written',
    '- version-name: 1.10\n  title: True\n  file: [~, a, 1.0]',
    {},
    { versionName: '1.10', title: 'True', file: ['a', '1.0'] }
  ],
  [
    'may have patterns as a list',
    '- file:\n    - dist/*.zip\n    - "!dist/*-debug.zip"',
    {},
    { file: ['dist/*.zip', '!dist/*-debug.zip'] }
  ],
  ['may have them as lines', '- file: |\n    a.zip\n    b.zip', {}, { file: ['a.zip', 'b.zip'] }]
])('an entry %s', async (_, targets, step, expected) => {
  expect((await inputsOf({ ...step, targets })).targets).toMatchObject([expected])
})

test('an entry needs no file for a check', async () => {
  expect(await problemsIn('- benefit: 34', { mode: 'check' })).toEqual([])
})

test('blank, the step is the only target', async () => {
  expect((await inputsOf({ targets: ' \n' })).targets).toMatchObject([{ place: '', product: 12 }])
})

test.each([
  [
    'a wrong number',
    '- file: a\n- product: 12\n  file: c\n  benefit: pro',
    'entry 2, benefit: "pro" is not a positive integer'
  ],
  ['an entry that is no map', '- file: a\n- 12', `entry 2: ${MAP}`],
  ['an empty entry', '- file: a\n-\n', `entry 2: ${MAP}`],
  ['a list of maps', '- asset: a\n  file: [x, y: z]', `entry 1, file: ${LIST}`],
  ['a list of lists', '- file: a\n  asset: [x, [y]]', `entry 1, asset: ${LIST}`],
  ['a map', '- file: a\n  title: {}', 'entry 1, title: must be a text or a number'],
  [
    'an unknown template word',
    '- file: a\n  title: "{nmae}"',
    'entry 1, title: "{nmae}" contains "{nmae}"; allowed are {tag}, {version} and {name}'
  ],
  [
    'base64 with a benefit',
    '- file: a\n  benefit: 3\n  upload: base64',
    `entry 1, upload: ${BASE64}`
  ],
  [
    'both sources of the file',
    '- file: a\n  asset: b',
    'entry 1, file: contradicts `asset`: give one of the two'
  ],
  ['what is missing', '- product: 12', `entry 1, file: ${ONLY}`]
])('a problem names the entry and the key: %s', async (_, targets, problem) => {
  expect(await problemsIn(targets)).toEqual([problem])
})

test('all problems of all entries come at once, with those of the step at their own place', async () => {
  const targets = '- product: x\n  benefit: y\n- color: red\n  file: a\n- product: 13\n'
  expect(await problemsIn(targets, { once: 'maybe', 'changelog-format': 'text' })).toEqual([
    expect.stringMatching(/^once: "maybe"/),
    expect.stringMatching(/^entry 2, color: is not a valid key; valid keys are product, /),
    'entry 1, product: "x" is not a positive integer',
    'entry 1, benefit: "y" is not a positive integer',
    expect.stringMatching(/^changelog-format: "text" is not one of/),
    `entry 1, file: ${ONLY}`,
    `entry 3, file: ${ONLY}`
  ])
})

test('entries that are right are there beside one that is wrong', async () => {
  const given = { 'base-url': 'https://a.example', token: 't', 'github-token': 'g', product: '12' }
  const targets = '- file: a\n- product: x\n  file: b\n- benefit: 3\n  file: c'
  const { inputs, problems } = await parse({ ...given, targets })
  expect(inputs?.targets.map(({ place }) => place)).toEqual(['entry 1', 'entry 3'])
  expect(problems).toHaveLength(1)
})

test.each([
  ['a bracket that is not closed', '- product: [12\n- product: 13', /\(line 2\).*"- product: 13"/],
  [
    'a quote that is not closed',
    '- file: "a',
    /^targets \(line 1\): is not valid YAML: "- file: \\"a" cannot be understood; check indentation, quotes/
  ],
  [
    'wrong indentation',
    '- file: a\n   title: b',
    /^targets \(line 2\).*" {3}title: b" cannot be understood/
  ],
  ['a tab', '- product: 12\n\tfile: a', /^targets \(line 2\).*: "\\tfile: a" begins with a tab/],
  [
    'a missing space',
    '- benefit:34\n  file: a',
    /a space is missing after the colon of "- benefit:34"/
  ],
  ['a wrong key for a required one', '- fiel: a.zip', /^entry 1, fiel: is not a valid/],
  [
    'an exclusion without quotes',
    '- file:\n    - dist/*.zip\n    - !dist/*-debug.zip\n',
    /^targets \(line 3\).*begins with "!" needs quotes: " {4}- !dist\/\*-debug\.zip"/
  ],
  [
    'a text that begins with an @',
    '- title: @home',
    /begins with "@" needs quotes: "- title: @home"/
  ],
  ['an unfinished list above blank lines', '- file: [a,\n\n\n', /\(line 1\).*"- file: \[a,"/],
  ['a map in the place of the list', 'product: 12', /^targets: must be a YAML list of maps/],
  ['an empty list', '[]', /^targets: must be a YAML list of maps/],
  ['a second document', '- file: a\n---\n- file: b', /^targets: must be a YAML list of maps/],
  ['a comment alone', '# none', /^targets: must be a YAML list of maps/]
])('%s is refused with the line, and nothing else is told', async (_, targets, problem) => {
  expect(await problemsIn(targets)).toEqual([expect.stringMatching(problem)])
})
