// Tests of the input `targets`: the places of faults, what entries take from the step, and what is refused.
import { describe, expect, test } from '@jest/globals'
import { type InputName, parseInputs } from '../../src/publish/inputs.ts'

const STEP = {
  'base-url': 'https://shop.example.com',
  token: 'not-a-real-token',
  'github-token': 'not-a-real-one-either',
  product: '12'
}

function parse(targets: string, step: Partial<Record<InputName, string>> = {}) {
  const given: Partial<Record<InputName, string>> = { ...STEP, ...step, targets }
  return parseInputs(name => given[name] ?? '')
}

const faultsOf = async (targets: string, step?: Partial<Record<InputName, string>>) =>
  (await parse(targets, step)).faults.map(({ place, message }) => `${place}: ${message}`)

test('an entry takes from the step what it leaves out, and from itself what it has', async () => {
  const { inputs, faults } = await parse(
    ['- product: 12', '  file: dist/free.zip', '- benefit: 34', '  title: Pro {version}'].join(
      '\n'
    ),
    { file: 'dist/*.zip', title: 'Gallery' }
  )
  expect(faults).toEqual([])
  expect(inputs?.targets).toMatchObject([
    { product: 12, benefit: undefined, file: ['dist/free.zip'], title: 'Gallery' },
    { product: 12, benefit: 34, file: ['dist/*.zip'], title: 'Pro {version}' }
  ])
})

test.each(['', ' \n'])('without entries (%j) the step is the only target', async targets => {
  const { inputs } = await parse(targets, { file: 'dist/*.zip' })
  expect(inputs?.targets).toMatchObject([{ place: '', product: 12, file: ['dist/*.zip'] }])
})

test('a check needs no file in an entry either', async () => {
  expect(await faultsOf('- benefit: 34', { mode: 'check' })).toEqual([])
})

test('an entry’s own asset or changelog takes the place of the step’s file or changelog file', async () => {
  const { inputs, faults } = await parse('- asset: "*.zip"\n  changelog: Better\n', {
    file: 'dist/*.zip',
    'changelog-file': 'CHANGELOG.md'
  })
  expect(faults).toEqual([])
  expect(inputs?.targets).toMatchObject([
    { file: [], asset: ['*.zip'], changelog: 'Better', changelogFile: '' }
  ])
})

test.each<[string, string, Partial<Record<InputName, string>>, object]>([
  [
    'a file or a changelog file takes the place of the step’s asset or changelog',
    '- file: a.zip\n  changelog-file: NEWS.md',
    { asset: '*.zip', changelog: 'Better' },
    { file: ['a.zip'], asset: [], changelog: '', changelogFile: 'NEWS.md' }
  ],
  [
    'a changelog leaves the step’s file',
    '- changelog: Better',
    { file: 'a.zip', 'changelog-file': 'NEWS.md' },
    { file: ['a.zip'], changelog: 'Better', changelogFile: '' }
  ],
  ['an empty asset leaves the step’s file', '- asset:', { file: 'a.zip' }, { file: ['a.zip'] }],
  ['a blank asset contradicts no file', '- file: a.zip\n  asset: " "', {}, { file: ['a.zip'] }],
  ['an empty title is the default', '- title:', { file: 'a', title: 'T' }, { title: '{name}' }],
  ['a key alone is the same', '- {file: a, title}', { title: 'T' }, { title: '{name}' }],
  ['a null is the same', '- title: ~', { file: 'a', title: 'T' }, { title: '{name}' }],
  ['a word of YAML’s is a text', '- file: a\n  title: True', {}, { title: 'True' }],
  ['a list leaves out what is null', '- file: [~, a, 1.0]', {}, { file: ['a', '1.0'] }]
])('an entry’s own: %s', async (_, targets, step, expected) => {
  const { inputs, faults } = await parse(targets, step)
  expect(faults).toEqual([])
  expect(inputs?.targets).toMatchObject([expected])
})

test('numbers are taken as they are written', async () => {
  const { inputs } = await parse('- version-name: 1.10\n  title: 007\n  file: 1.0', {})
  expect(inputs?.targets).toMatchObject([{ versionName: '1.10', title: '007', file: ['1.0'] }])
})

test('patterns may be a list, or lines of a block', async () => {
  const { inputs } = await parse(
    '- file:\n    - dist/*.zip\n    - "!dist/*-debug.zip"\n- file: |\n    a.zip\n    b.zip\n  benefit: 3'
  )
  expect(inputs?.targets).toMatchObject([
    { file: ['dist/*.zip', '!dist/*-debug.zip'] },
    { file: ['a.zip', 'b.zip'] }
  ])
})

describe('faults name the entry, the key and the line', () => {
  test.each([
    [
      'a wrong number',
      '- file: a\n- file: b\n- product: 12\n  file: c\n  benefit: pro',
      'targets[2].benefit (line 5): "pro" is not a positive integer'
    ],
    [
      'a misspelt key',
      '- file: a\n  benfit: 3',
      'targets[0].benfit (line 2): is not known; did you mean `benefit`?'
    ],
    [
      'an entry that is no map',
      '- file: a\n- 12',
      'targets[1] (line 2): must be a map such as "- product: 12"'
    ],
    [
      'an empty entry',
      '- file: a\n-\n',
      'targets[1] (line 2): must be a map such as "- product: 12"'
    ],
    [
      'a list of maps',
      '- asset: a\n  file: [x, y: z]',
      'targets[0].file (line 2): must be a text or a list of texts; one that begins with "*" has to be in quotes'
    ],
    [
      'a list of lists',
      '- file: a\n  asset: [x, [y]]',
      'targets[0].asset (line 2): must be a text or a list of texts; one that begins with "*" has to be in quotes'
    ],
    [
      'a list where one text is wanted',
      '- file: a\n  version-name: [1, 2]',
      'targets[0].version-name (line 2): must be a text or a number'
    ],
    [
      'an empty map',
      '- file: a\n  title: {}',
      'targets[0].title (line 2): must be a text or a number'
    ],
    [
      'an alias',
      '- file: &a a\n  title: *a',
      'targets[0].title (line 2): must be a text or a number'
    ],
    [
      'a value that is a map',
      '- file: a\n  title:\n    en: x',
      'targets[0].title (line 2): must be a text or a number'
    ],
    [
      'an unknown template word',
      '- file: a\n  title: "{versoin}"',
      'targets[0].title (line 2): "{versoin}" holds "{versoin}"; it may hold {tag}, {version} and {name}'
    ],
    [
      'base64 with a benefit',
      '- file: a\n  benefit: 3\n  upload: base64',
      'targets[0].upload (line 3): "base64" cannot be used with a `benefit`: the service documents it for products alone'
    ],
    [
      'both sources of the file',
      '- file: a\n  asset: b',
      'targets[0] (line 1), file: contradicts `asset`: give one of the two'
    ],
    [
      'what is missing',
      '- product: 12',
      'targets[0].file (line 1): is required, and is not given; give it, or `asset` for a file that is attached to the release'
    ]
  ])('%s', async (_, targets, fault) => {
    expect(await faultsOf(targets)).toEqual([fault])
  })
})

test.each([
  ['two letters changed places', 'titel', 'title'],
  ['two letters changed places, and others are as near', 'tilte', 'title'],
  ['its first letter is another', 'xsset', 'asset'],
  ['its last letter is missing', 'uploa', 'upload'],
  ['it has a capital', 'Product', 'product'],
  ['two letters are missing', 'chngelg', 'changelog'],
  ['two letters are too many', 'benneffit', 'benefit'],
  ['it is underlined, and near to several', 'changelog_fil', 'changelog-file'],
  ['it is long, and goes on', 'changelog-formatting', 'changelog-format']
])('a key is taken for a misspelt one where %s: %s', async (_, key, known) => {
  const fault = `targets[0].${key} (line 2): is not known; did you mean \`${known}\`?`
  expect(await faultsOf(`- file: a\n  ${key}: 3`)).toEqual([fault])
})

test('a wrong input of the step is told at its own place, where entries have it from there', async () => {
  const { faults } = await parse('- file: a\n- file: b\n  changelog-format: htm', {
    'changelog-format': 'text'
  })
  expect(faults.map(({ place }) => place)).toEqual([
    'changelog-format',
    'targets[1].changelog-format (line 3)'
  ])
})

test.each(['price', 'name', 'token', 'versions'])('the key %s is like none', async key => {
  const [fault] = await faultsOf(`- file: a\n  ${key}: 3`)
  expect(fault).toContain(`targets[0].${key} (line 2): is not known; known are product, benefit, `)
})

test('all faults of all entries come at once, with those of the step', async () => {
  const faults = await faultsOf('- product: x\n  benefit: y\n- colour: red\n', { once: 'maybe' })
  expect(faults).toEqual([
    'once: "maybe" is none of "require", "auto", "off"',
    expect.stringContaining('targets[1].colour (line 3)'),
    'targets[0].benefit (line 2): "y" is not a positive integer',
    'targets[0].product (line 1): "x" is not a positive integer',
    'targets[0].file (line 1): is required, and is not given; give it, or `asset` for a file that is attached to the release',
    'targets[1].file (line 3): is required, and is not given; give it, or `asset` for a file that is attached to the release'
  ])
})

test.each([
  ['YAML that does not parse', '- product: [12\n', /^targets \(line \d\): /],
  [
    'an exclusion without quotes, which YAML takes for a tag',
    '- product: 12\n  file:\n    - dist/*.zip\n    - !dist/*-debug.zip\n',
    /^targets \(line 4\): .*!dist\/\*-debug\.zip; put a text that begins with "!" in quotes$/
  ],
  ['a map in the place of the list', 'product: 12', /^targets: must be a YAML list of maps/],
  ['an empty list', '[]', /^targets: must be a YAML list of maps/],
  ['a key given twice', '- file: a\n  file: b', /^targets \(line 2\): Map keys must be unique$/]
])('%s is refused, and nothing else is told', async (_, targets, fault) => {
  expect(await faultsOf(targets)).toEqual([expect.stringMatching(fault)])
})
