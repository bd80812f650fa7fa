// Tests of the input `targets`: where problems are, what entries take from the step, and what is refused.
import { expect, test } from '@jest/globals'
import { type Given, inputsOf, problemsOf } from './running.ts'

const problemsIn = (targets: string, step: Given = {}) => problemsOf({ file: '', ...step, targets })

const STEP = { file: 'dist/*.zip', title: 'Gallery', 'changelog-file': 'CHANGELOG.md' }
const PRO = '- benefit: 34\n  title: Pro {version}'
const LIKE_STEP = { route: { product: 12, benefit: 34 }, file: ['dist/*.zip'] }
const TEXTS = '- asset: "*.zip"\n  changelog: Better\n'
const BY_TEXTS = { file: [], asset: ['*.zip'], changelog: 'Better', changelogFile: '' }
const FILES = '- file: a.zip\n  changelog-file: NEWS.md'
const BY_FILES = { file: ['a.zip'], asset: [], changelog: '', changelogFile: 'NEWS.md' }
const WORDS = '- version-name: 1.10\n  title: True\n  file: [~, a, 1.0]'
const AS_WRITTEN = { versionName: '1.10', title: 'True', file: ['a', '1.0'] }
const PATTERNS = '- file:\n    - dist/*.zip\n    - "!dist/*-debug.zip"'
test.each<[string, string, Given, object]>([
  ['takes from the step what it leaves out', PRO, STEP, { ...LIKE_STEP, title: 'Pro {version}' }],
  ['has its own', '- {product: 13, file: b}', STEP, { route: { product: 13 }, file: ['b'] }],
  ['has an asset and changelog, not the step’s files', TEXTS, STEP, BY_TEXTS],
  ['has files, not those', FILES, { asset: '*.zip', changelog: 'Better' }, BY_FILES],
  ['leaves the step’s file with an empty asset', '- asset:', STEP, { file: ['dist/*.zip'] }],
  ['has the default for an empty title', '- title:', STEP, { title: '{name}' }],
  ['has it for a key alone', '- {file: a, title}', STEP, { title: '{name}' }],
  ['has it for null', '- title: ~', STEP, { title: '{name}' }],
  ['may use an alias', '- file: &f a\n  title: *f', {}, { file: ['a'], title: 'a' }],
  ['may have a comment below a title', '- file: a\n  title: b\n  # c', {}, { title: 'b' }],
  ['may be in braces, with a comment', '- {product: 12, title: a} # b', STEP, { title: 'a' }],
  ['may have a comment for a title', '- title: # none', STEP, { title: '{name}' }],
  ['may be called null', '- title: "null"', STEP, { title: 'null' }],
  ['takes numbers and words of YAML’s as they are written', WORDS, {}, AS_WRITTEN],
  ['may have patterns as a list', PATTERNS, {}, { file: ['dist/*.zip', '!dist/*-debug.zip'] }],
  ['may have them as lines', '- file: |\n    a.zip\n    b.zip', {}, { file: ['a.zip', 'b.zip'] }]
])('an entry %s', async (_, targets, step, expected) => {
  expect((await inputsOf({ ...step, targets })).targets).toMatchObject([expected])
})

const MAP = 'must be a map such as "- product: 12"'
const LIST = 'must be a text or a list of texts'
const BRACES = 'must be a text or a number; put it in quotes: "{name}"'
const BASE64 = '"base64" cannot be used with a `benefit`: the shop documents it for products only'
const ONLY = 'is required; give it, or `asset` for a file that is attached to the release'
const NO_LIST = 'targets: must be a YAML list of maps'
const CHECK = 'cannot be understood; check indentation, quotes, brackets and colons there'
const yaml = (line: number, mistake: string) => {
  return `targets (line ${line}): is not valid YAML: ${mistake}`
}
const CUT = 'YAML takes what follows " #" for a comment; put the text in quotes: '
const quotes = (mark: string) => `a text that begins with "${mark}" needs quotes: `
test.each([
  ['a wrong id', '- file: a\n- {file: c, benefit: x}', 'entry 2, benefit: "x" is not a posi'],
  ['an entry that is no map', '- file: a\n- 12', `entry 2: ${MAP}`],
  ['an entry without a space', '- product:12', 'entry 1: a space is missing after the colon'],
  ['an empty entry', '- file: a\n-\n', `entry 2: ${MAP}`],
  ['a list in itself', '- &a [*a]', `entry 1: ${MAP}`],
  ['a list of maps', '- asset: a\n  file: [y: z]', `entry 1, file: ${LIST}`],
  ['a list of lists', '- asset: [[y]]\n  file: a', `entry 1, asset: ${LIST}`],
  ['a word in braces', '- file: a\n  title: {name}', `entry 1, title: ${BRACES}`],
  ['a colon in a text', '- file: a\n  title: Gallery: Pro', yaml(2, 'a text with a colon needs')],
  ['a template word', '- file: a\n  title: "{x}"', 'entry 1, title: "{x}" contains "{x}"; '],
  ['base64', '- file: a\n  benefit: 3\n  upload: base64', `entry 1, upload: ${BASE64}`],
  ['both files', '- file: a\n  asset: b', 'entry 1, file: contradicts `asset`: give one'],
  ['what is missing', '- product: 12', `entry 1, file: ${ONLY}`],
  ['a wrong key for a required one', '- fiel: a.zip', 'entry 1, fiel: is not a valid key; valid'],
  ['an open bracket', '- a: [1\n- b: 1', yaml(2, `"- b: 1" ${CHECK}`)],
  ['an open bracket above blank lines', '- a: [b,\n\n\n', yaml(1, `"- a: [b," ${CHECK}`)],
  ['an open quote', '- file: "a', yaml(1, `"- file: \\"a" ${CHECK}`)],
  ['wrong indentation', '- file: a\n   title: b', yaml(2, `"   title: b" ${CHECK}`)],
  ['a tab', '- product: 12\n\tfile: a', yaml(2, '"\\tfile: a" begins with a tab')],
  ['no space', '- a:34\n  b: a', yaml(2, 'a space is missing after the colon of "- a:34"')],
  [
    'no space, at the end',
    '- file: a\n  b:34',
    yaml(2, 'a space is missing after the colon of "b:34"')
  ],
  ['an exclusion', '- file:\n    - a\n    - !b/c', yaml(3, `${quotes('!')}"    - !b/c"`)],
  ['one in brackets', '- file: [a, ! b/c]', yaml(1, `${quotes('!')}"- file: [a, ! b/c]"`)],
  ['a star without quotes', '- file: *.zip', yaml(1, `${quotes('*')}"- file: *.zip"`)],
  ['an @ without quotes', '- title: @home', yaml(1, `${quotes('@')}"- title: @home"`)],
  ['an anchor that nothing uses', '- title: &co Pro', yaml(1, `${quotes('&')}"- title: &co Pro"`)],
  ['one without a text', '- file: a\n  title: &co\n', yaml(2, `${quotes('&')}"  title: &co"`)],
  ['a number sign', '- file: a\n  title: G #1', `targets (line 2): ${CUT}"  title: G #1"`],
  ['one at the start', '- file: a\n  changelog: #1', `targets (line 2): ${CUT}"  changelog: #1"`],
  ['a key given twice', '- file: a\n  file: b', yaml(2, '"  file: b" is in its entry twice')],
  ['a map in the place of the list', 'product: 12', NO_LIST],
  ['an empty list', '[]', NO_LIST],
  ['a second document', '- file: a\n---\n- file: b', NO_LIST],
  ['a comment alone', '# none', NO_LIST]
])('%s is refused at its place, and nothing else is told', async (_, targets, problem) => {
  const told = await problemsIn(targets)
  expect(told.map(text => text.slice(0, problem.length))).toEqual([problem])
})

const UNSET = 'is empty, as a variable is that is not set: give the number, or leave the line out'
const TO_ALL = 'to publish the product’s own file, for all its buyers'
const OF_STEP = 'to take the step’s 34. Move `benefit` from the step into the entries that need it,'
const [BENEFIT, NEITHER] = [{ benefit: '34' }, { product: '' }]
test.each<[string, Given, string]>([
  ['- file: a\n  benefit: ""', BENEFIT, `benefit: ${UNSET} ${OF_STEP} ${TO_ALL}`],
  ['- file: a\n  benefit:', BENEFIT, `benefit: ${UNSET} ${OF_STEP} ${TO_ALL}`],
  ['- file: a\n  benefit: ~', {}, `benefit: ${UNSET} ${TO_ALL}`],
  ['- {file: a, benefit: " "}', {}, `benefit: ${UNSET} ${TO_ALL}`],
  ['- {file: a, product: ""}', {}, `product: ${UNSET} if the step has \`product\``],
  ['- file: a\n  product:', NEITHER, `product: ${UNSET} if the step has \`product\``]
])('an empty id is refused, and publishes to nobody: %j, %j', async (targets, step, problem) => {
  expect(await problemsIn(targets, step)).toEqual([`entry 1, ${problem}`])
})

test('all problems of all entries come at once, with those of the step at their own place', async () => {
  const targets = '- product: x\n  benefit: y\n- color: red\n  file: a\n- product: 13\n'
  expect(await problemsIn(targets, { once: 'maybe', 'changelog-format': 'text' })).toEqual([
    expect.stringMatching(/^once: "maybe"/),
    expect.stringMatching(/^entry 2, color: is not a valid key/),
    expect.stringMatching(/^entry 1, product: "x" is not a positive integer/),
    expect.stringMatching(/^entry 1, benefit: "y" is not a positive integer/),
    expect.stringMatching(/^changelog-format: "text" is not one of/),
    `entry 1, file: ${ONLY}`,
    `entry 3, file: ${ONLY}`
  ])
})
