// Tests of the input `targets`: where problems are, what entries take from the step, and what is refused.
import { describe, expect, test } from '@jest/globals'
import type { TargetInputs } from '../../src/publish/inputs.ts'
import { type Given, parse as parseGiven, problemsOf } from './given.ts'

const STEP: Given = { file: '' }
const REQUIRED = 'is required; give it, or `asset` for a file that is attached to the release'

async function parse(targets: string, step: Given = {}): Promise<readonly TargetInputs[]> {
  expect(await problemsIn(targets, step)).toEqual([])
  const given = { 'base-url': 'https://a.example', token: 't', 'github-token': 'g', product: '12' }
  return (await parseGiven({ ...given, ...step, targets })).inputs?.targets ?? []
}

const problemsIn = (targets: string, step?: Given) => problemsOf({ ...STEP, ...step, targets })

describe('an entry', () => {
  test.each<[string, string, Given, object]>([
    [
      'takes from the step what it leaves out',
      '- benefit: 34\n  title: Pro {version}',
      { file: 'dist/*.zip', title: 'Gallery' },
      { product: 12, benefit: 34, file: ['dist/*.zip'], title: 'Pro {version}' }
    ],
    [
      'has its own',
      '- product: 13\n  file: free.zip',
      { file: 'a' },
      { product: 13, file: ['free.zip'] }
    ],
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
    [
      'has the default for an empty title',
      '- title:',
      { file: 'a', title: 'T' },
      { title: '{name}' }
    ],
    ['has it for a key alone', '- {file: a, title}', { title: 'T' }, { title: '{name}' }],
    ['has it for null', '- title: ~', { file: 'a', title: 'T' }, { title: '{name}' }],
    ['takes a word of YAML’s for a text', '- file: a\n  title: True', {}, { title: 'True' }],
    [
      'takes numbers as they are written',
      '- version-name: 1.10\n  title: 007\n  file: [~, a, 1.0]',
      {},
      { versionName: '1.10', title: '007', file: ['a', '1.0'] }
    ],
    [
      'may have patterns as a list',
      '- file:\n    - dist/*.zip\n    - "!dist/*-debug.zip"',
      {},
      { file: ['dist/*.zip', '!dist/*-debug.zip'] }
    ],
    ['may have them as lines', '- file: |\n    a.zip\n    b.zip', {}, { file: ['a.zip', 'b.zip'] }]
  ])('%s', async (_, targets, step, expected) => {
    expect(await parse(targets, step)).toMatchObject([expected])
  })

  test('needs no file for a check', async () => {
    expect(await problemsIn('- benefit: 34', { mode: 'check' })).toEqual([])
  })
})

test.each(['', ' \n'])('without entries (%j) the step is the only target', async targets => {
  expect(await parse(targets, { file: 'a.zip' })).toMatchObject([{ place: '', file: ['a.zip'] }])
})

describe('a problem names the entry, the key and the line', () => {
  const LIST = 'must be a text or a list of texts; put a text that begins with "*" in quotes'
  const MAP = 'must be a map such as "- product: 12"'
  test.each([
    [
      'a wrong number',
      '- file: a\n- file: b\n- product: 12\n  file: c\n  benefit: pro',
      'entry 3, benefit (line 5): "pro" is not a positive integer'
    ],
    ['an entry that is no map', '- file: a\n- 12', `entry 2 (line 2): ${MAP}`],
    ['an empty entry', '- file: a\n-\n', `entry 2 (line 2): ${MAP}`],
    ['a list of maps', '- asset: a\n  file: [x, y: z]', `entry 1, file (line 2): ${LIST}`],
    ['a list of lists', '- file: a\n  asset: [x, [y]]', `entry 1, asset (line 2): ${LIST}`],
    [
      'a list where one text is wanted',
      '- file: a\n  version-name: [1, 2]',
      'entry 1, version-name (line 2): must be a text or a number'
    ],
    ['a map', '- file: a\n  title: {}', 'entry 1, title (line 2): must be a text or a number'],
    [
      'an alias',
      '- file: &a a\n  title: *a',
      'entry 1, title (line 2): must be a text or a number'
    ],
    [
      'an unknown template word',
      '- file: a\n  title: "{versoin}"',
      'entry 1, title (line 2): "{versoin}" contains "{versoin}"; allowed are {tag}, {version} and {name}'
    ],
    [
      'base64 with a benefit',
      '- file: a\n  benefit: 3\n  upload: base64',
      'entry 1, upload (line 3): "base64" cannot be used with a `benefit`: the shop documents it for products only'
    ],
    [
      'both sources of the file',
      '- file: a\n  asset: b',
      'entry 1, file (line 1): contradicts `asset`: give one of the two'
    ],
    ['what is missing', '- product: 12', `entry 1, file (line 1): ${REQUIRED}`]
  ])('%s', async (_, targets, problem) => {
    expect(await problemsIn(targets)).toEqual([problem])
  })

  test('a wrong input of the step is told at its own place', async () => {
    const { problems } = await parseGiven({
      targets: '- file: a\n- file: b\n  changelog-format: htm',
      'changelog-format': 'text'
    })
    const places = problems.map(({ place }) => place).filter(place => place.includes('format'))
    expect(places).toEqual(['changelog-format', 'entry 2, changelog-format (line 3)'])
  })
})

test('an unknown key lists the known ones, and hides what it may stand for', async () => {
  expect(await problemsIn('- prodcut: 13\n  fiel: a', { product: '' })).toEqual([
    expect.stringMatching(/^entry 1, prodcut \(line 1\): is not a known key; known are product, /),
    expect.stringMatching(/^entry 1, fiel \(line 2\): is not a known key/)
  ])
})

test('all problems of all entries come at once, with those of the step', async () => {
  const targets = '- product: x\n  benefit: y\n- color: red\n- product: 13\n'
  expect(await problemsIn(targets, { once: 'maybe' })).toEqual([
    expect.stringMatching(/^once: "maybe"/),
    expect.stringMatching(/^entry 2, color \(line 3\): is not a known key/),
    'entry 1, product (line 1): "x" is not a positive integer',
    'entry 1, benefit (line 2): "y" is not a positive integer',
    `entry 1, file (line 1): ${REQUIRED}`,
    `entry 3, file (line 4): ${REQUIRED}`
  ])
})

test('entries that are right are there beside one that is wrong', async () => {
  const given = { 'base-url': 'https://a.example', token: 't', 'github-token': 'g', product: '12' }
  const targets = '- file: a\n- product: x\n  file: b\n- benefit: 3\n  file: c'
  const { inputs, problems } = await parseGiven({ ...given, targets })
  expect(inputs?.targets.map(({ place }) => place)).toEqual([
    'entry 1 (line 1)',
    'entry 3 (line 4)'
  ])
  expect(problems).toHaveLength(1)
})

test.each([
  [
    'YAML that does not parse',
    '- product: [12\n',
    /^targets \(line \d\): this line is not valid YAML/
  ],
  [
    'an exclusion without quotes',
    '- product: 12\n  file:\n    - dist/*.zip\n    - !dist/*-debug.zip\n',
    /^targets \(line 4\): .* such as "!" must be in quotes: "- !dist\/\*-debug\.zip"$/
  ],
  [
    'a pattern that begins with a star',
    '- file: *.zip',
    /^entry 1, file \(line 1\): .* "\*" in quotes$/
  ],
  ['a quote that is not closed', '- file: "a', /^targets \(line 1\): a quote is not closed: /],
  ['a tab', '- product: 12\n\tfile: a', /^targets \(line 2\): a tab indents this line; use spaces/],
  ['a map in the place of the list', 'product: 12', /^targets: must be a YAML list of maps/],
  ['an empty list', '[]', /^targets: must be a YAML list of maps/],
  [
    'a key given twice, and more after it',
    '- file: a\n  file: b\n- title: [',
    /^targets \(line [23]\): .*$/
  ]
])('%s is refused, and nothing else is told', async (_, targets, problem) => {
  expect(await problemsIn(targets)).toEqual([expect.stringMatching(problem)])
})
