// Tests of src/publish/target-inputs.ts: what a target has for itself, right and wrong.
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import type { InputName } from '../../src/publish/inputs.ts'
import { RIVALS, TARGET_INPUT_NAMES } from '../../src/publish/target-inputs.ts'
import { faultOf, faultsOf, inputsOf } from './given.ts'

describe('an input that is wrong names itself, its value and what is accepted', () => {
  test.each<[InputName, string, string]>([
    ['product', '', 'is required, and is not given'],
    ['product', '0', '"0" is not a positive integer'],
    ['product', '-1', '"-1" is not a positive integer'],
    ['product', '1.5', '"1.5" is not a positive integer'],
    ['product', '12abc', '"12abc" is not a positive integer'],
    ['product', '1e3', '"1e3" is not a positive integer'],
    ['product', '0x10', '"0x10" is not a positive integer'],
    ['product', '012', '"012" is not a positive integer'],
    ['product', '1 2', '"1 2" is not a positive integer'],
    ['product', '１２', '"１２" is not a positive integer'],
    ['product', '9007199254740992', '"9007199254740992" is not a positive integer'],
    ['benefit', '0', '"0" is not a positive integer'],
    ['benefit', 'none', '"none" is not a positive integer'],
    ['file', '', 'is required, and is not given'],
    ['file', '!dist/*-debug.zip\ndist/*.zip', 'begins with the exclusion "!dist/*-debug.zip"'],
    ['file', '# nothing\n\n', 'holds no pattern that includes a file'],
    ['file', '!dist/*.zip', 'holds no pattern that includes a file'],
    ['version-name', '{versoin}', 'holds "{versoin}"; it may hold {tag}, {version} and {name}'],
    ['title', 'A {title}', 'holds "{title}"; it may hold {tag}, {version} and {name}'],
    ['title', '{ name }', 'holds "{ name }"; it may hold {tag}, {version} and {name}'],
    ['upload', 'json', '"json" is none of "multipart", "base64"'],
    ['changelog-fallback', '{nmae}', 'holds "{nmae}"; it may hold {tag}, {version} and {name}'],
    ['changelog-format', 'text', '"text" is none of "markdown", "html"'],
    ['changelog-links', 'none', '"none" is none of "keep", "expand", "strip", "auto"']
  ])('%s: %j', async (input, value, text) => {
    expect(await faultOf(input, value)).toContain(text)
  })

  test('base64 is not for benefits', async () => {
    expect(await faultsOf({ benefit: '34', upload: 'base64' })).toEqual([
      'upload: "base64" cannot be used with a `benefit`: the service documents it for products alone'
    ])
  })

  test('asset: exclusions alone choose nothing', async () => {
    expect(await faultsOf({ file: '', asset: '!a.zip' })).toEqual([
      expect.stringMatching(/^asset: holds no pattern that includes a file/)
    ])
  })
})

describe('what contradicts', () => {
  test.each(RIVALS)('%s and %s are not given both', async (one, other) => {
    const faults = await faultsOf({ [one]: 'a', [other]: 'b' })
    expect(faults).toEqual([`${one}: contradicts \`${other}\`: give one of the two`])
  })

  test.each(RIVALS)('%s beside an empty %s is fine', async (one, other) => {
    expect(await faultsOf({ file: 'x', [one]: 'a', [other]: ' \n ' })).toEqual([])
  })

  test('an asset serves instead of a file, and templates stay as they are', async () => {
    const { targets } = await inputsOf({
      file: '',
      asset: '# built\n*-{version}.zip\n!*-debug.zip'
    })
    expect(targets).toMatchObject([{ file: [], asset: ['*-{version}.zip', '!*-debug.zip'] }])
  })
})

describe('what a mode needs', () => {
  test.each(['publish', 'plan'])('%s needs a file', async mode => {
    expect(await faultsOf({ mode, file: '' })).toEqual([
      expect.stringMatching(/^file: is required, .*`asset`/)
    ])
  })

  test('check needs no file, but takes one', async () => {
    expect(await faultsOf({ mode: 'check', file: '' })).toEqual([])
    expect(await faultsOf({ mode: 'check' })).toEqual([])
  })

  test.each(['publish', 'plan', 'check'])('%s needs a product', async mode => {
    expect(await faultsOf({ mode, product: '' })).toEqual([
      'product: is required, and is not given'
    ])
  })
})

test('an empty text is the same as none, as the runner has it', async () => {
  const { targets } = await inputsOf({
    ...{ 'version-name': '', title: ' ', upload: '' },
    ...{ 'changelog-format': '', 'changelog-links': '' }
  })
  expect(targets).toMatchObject([
    {
      ...{ versionName: '{version}', title: '{name}', upload: 'multipart' },
      ...{ changelogFormat: 'markdown', changelogLinks: 'auto' }
    }
  ])
})

test('action.yml has the same defaults', () => {
  const { inputs } = readManifest(join(ROOT, 'action.yml'))
  const defaults = TARGET_INPUT_NAMES.map(name => [name, inputs.get(name)?.default] as const)
  expect(Object.fromEntries(defaults.filter(([, value]) => value !== undefined))).toEqual({
    'version-name': '{version}',
    title: '{name}',
    'changelog-format': 'markdown',
    'changelog-links': 'auto',
    upload: 'multipart'
  })
})
