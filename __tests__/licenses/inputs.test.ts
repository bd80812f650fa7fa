// Tests the inputs: every wrong one is reported, with what it holds unless that may be a credential.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { madeUpLicenses } from '../../sandbox/licenses.ts'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { INPUT_NAMES, parseInputs } from '../../src/licenses/inputs.ts'
import { OUTPUT_NAMES } from '../../src/licenses/report.ts'
import { describeFault } from '../../src/runner/values.ts'
import { API_KEY, openLicenses } from './listing.ts'

const HEALTHY = { 'base-url': 'https://shop.example.com/', 'api-key': API_KEY }

function read(inputs: Readonly<Record<string, string>>) {
  const given = new Map(Object.entries(inputs))
  return parseInputs(name => given.get(name) ?? '')
}

test('action.yml declares the inputs and outputs that the sources have', () => {
  const { inputs, outputs } = readManifest(join(ROOT, 'licenses', 'action.yml'))
  expect([...inputs.keys()].sort()).toEqual([...INPUT_NAMES].sort())
  expect([...outputs.keys()].sort()).toEqual([...OUTPUT_NAMES].sort())
})

test('what is not given has its default', () => {
  expect(read(HEALTHY)).toEqual({
    parsed: {
      baseUrl: 'https://shop.example.com',
      apiKey: API_KEY,
      output: '',
      format: 'json',
      product: '',
      firstPage: 1,
      maxPages: Number.POSITIVE_INFINITY,
      stallTimeout: 60_000
    },
    faults: []
  })
})

test('all that can be given, with white space around', () => {
  const { parsed, faults } = read({
    'base-url': ' https://shop.example.com ',
    'api-key': ` ${API_KEY}\n`,
    output: ' out/my list.csv ',
    format: ' csv ',
    product: ' 12 ',
    'first-page': ' 3 ',
    'max-pages': ' 4 ',
    'stall-timeout': ' 0.5 '
  })
  expect(faults).toEqual([])
  expect(parsed).toEqual({
    ...{ baseUrl: 'https://shop.example.com', apiKey: API_KEY },
    ...{ output: 'out/my list.csv', format: 'csv', product: '12' },
    ...{ firstPage: 3, maxPages: 4, stallTimeout: 500 }
  })
})

test('every wrong input is told at once, with what it holds', () => {
  const { faults } = read({
    'base-url': 'ftp://shop.example.com',
    'api-key': '',
    output: 'a\nb',
    format: 'xml',
    'first-page': '0',
    'max-pages': 'all',
    'stall-timeout': '-1'
  })
  expect(faults.map(({ place }) => place)).toEqual(INPUT_NAMES.filter(name => name !== 'product'))
  expect(faults.map(describeFault)).toEqual([
    'base-url: "ftp://shop.example.com" is not https (http is accepted only for loopback addresses)',
    'api-key: is required but not given',
    'output: "a\\nb" has a control character in it; remove it',
    'format: "xml" is not one of "json", "ndjson", "csv", "none"',
    'first-page: "0" is not a positive integer',
    'max-pages: "all" is not a positive integer',
    'stall-timeout: "-1" is not a number of seconds above 0, and at most 86400'
  ])
})

test('a key that no header can hold is told without it', () => {
  const { faults } = read({ ...HEALTHY, 'api-key': 'two words\u00e9' })
  expect(faults).toHaveLength(1)
  expect(JSON.stringify(faults)).not.toMatch(/two|words/)
})

describe('the place of the file', () => {
  const list = async (output: string, format = 'json') => {
    await using register = await openLicenses(madeUpLicenses(3))
    const { workspace, temp } = register
    await mkdir(join(workspace, 'folder'))
    await writeFile(join(workspace, 'file.txt'), 'old')
    await symlink(join(workspace, 'folder'), join(workspace, 'link-inside'))
    await symlink(join(temp, '..'), join(workspace, 'link-outside'))
    await symlink(join(temp, '..', 'other.json'), join(workspace, 'link-nowhere'))
    await writeFile(join(temp, '..', 'secret.json'), 'old')
    await symlink(join(temp, '..', 'secret.json'), join(workspace, 'link-to-file'))
    const listed = await register.list({ inputs: { output, format } })
    const path = listed.outputs.path?.replace(workspace, 'WORK').replace(temp, 'TEMP')
    return { ...listed, path, asked: register.asked() }
  }

  test.each([
    ['in RUNNER_TEMP when none is given', '', 'TEMP/licenses.json'],
    ['in the workspace', 'a.json', 'WORK/a.json'],
    ['in a folder that is made for it', 'new/folder/a.json', 'WORK/new/folder/a.json'],
    ['over a file that is there', 'file.txt', 'WORK/file.txt'],
    ['behind a link that stays inside', 'link-inside/a.json', 'WORK/link-inside/a.json'],
    ['named with dots', '..a.json', 'WORK/..a.json']
  ])('is %s', async (_, output, path) => {
    const listed = await list(output)
    expect([listed.outputs.outcome, listed.path]).toEqual(['listed', path])
    expect(JSON.parse(listed.text)).toHaveLength(3)
    expect(listed.mode).toBe(0o600)
    expect(listed.files.filter(name => name.endsWith('.part'))).toEqual([])
  })

  test.each([
    ['outside of both folders', '../a.json', /in neither the workspace nor RUNNER_TEMP/],
    ['an absolute path outside', '/etc/a.json', /in neither the workspace nor/],
    ['behind a link that leads out', 'link-outside/a.json', /in neither the workspace nor/],
    ['a link to a file outside', 'link-to-file', /in neither the workspace nor/],
    ['a link that leads nowhere', 'link-nowhere', /a link to a file that does not exist/],
    ['a folder', 'folder', /exists and is not a file/],
    ['named like a folder', 'folder/new/', /names a folder/],
    ['below a file', 'file.txt/a.json', /cannot be read: ENOTDIR/],
    ['the workspace itself', '.', /in neither the workspace nor/]
  ])('is not %s', async (_, output, message) => {
    const listed = await list(output)
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input', path: '' })
    expect(listed.log[0]).toMatch(message)
    expect(listed.log[0]).toMatch(/^error: output: output: /)
    expect(listed.asked).toEqual([])
  })

  test('is none with the format none, which counts only', async () => {
    const { outputs, files, summary } = await list('', 'none')
    expect(outputs).toMatchObject({ outcome: 'listed', count: '3', pages: '1', path: '' })
    expect(files.filter(name => /licenses|part/.test(name))).toEqual([])
    expect(summary).toContain('| 12 | 2 |')
  })
})
