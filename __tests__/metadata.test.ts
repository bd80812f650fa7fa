// Tests of the action.yml files: the sources and the documentation name the same inputs and outputs.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { readPages, updatePages } from '../scripts/docs.ts'
import { ACTION_FILES, ROOT, readManifest, readRepository } from '../scripts/manifest.ts'
import { USER_AGENT } from '../src/http/exchange.ts'
import { OUTPUT_NAMES } from '../src/report/print.ts'
import { REASONS } from '../src/runner/action-error.ts'

const manifests = ACTION_FILES.map(readManifest)

test('the publish action declares the outputs that the sources set', () => {
  const { outputs } = readManifest(path.join(ROOT, 'action.yml'))
  expect([...outputs.keys()].sort()).toEqual([...OUTPUT_NAMES].sort())
})

const named = manifests.map(manifest => [path.relative(ROOT, manifest.file), manifest] as const)

describe.each(named)('%s', (_, manifest) => {
  test('runs on Node 24, and its main file exists', () => {
    expect(manifest.using).toBe('node24')
    expect(existsSync(manifest.main)).toBe(true)
  })

  test('describes every input and output', () => {
    const described = [...manifest.inputs.values(), ...manifest.outputs.values()]
    expect(described.filter(({ description }) => description.trim() === '')).toEqual([])
  })

  test('names inputs in kebab-case and outputs in snake_case', () => {
    const inputs = [...manifest.inputs.keys()]
    expect(inputs.filter(name => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))).toEqual([])

    const outputs = [...manifest.outputs.keys()]
    expect(outputs.filter(name => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([])
  })
})

test('the documentation has the tables of every action, and the repository’s name', () => {
  expect(updatePages(readPages(), manifests, readRepository()).differences).toEqual([])
})

test('the user agent names the version of package.json', () => {
  const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  expect(USER_AGENT).toBe(`${name}/${version}`)
})

test('each reason has a row in the troubleshooting page, and each row has a reason that the sources use', () => {
  const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8')
  const rows = Array.from(page.matchAll(/^\| <a name="([\w-]+)"><\/a>`([\w-]+)` \|/gm))
  expect(rows.map(([, anchor, reason]) => [anchor, reason])).toEqual(
    REASONS.toSorted().map(reason => [reason, reason])
  )

  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(it => !it.endsWith('action-error.ts'))
  const sources = files.map(file => readFileSync(path.join(ROOT, file), 'utf8')).join('')
  const isGiven = (reason: string) => new RegExp(`['=]${reason}['\\\\]`).test(sources)
  expect(REASONS.filter(reason => !isGiven(reason))).toEqual([])
})

test('the licenses action names only reasons that it may give', () => {
  const { outputs } = readManifest(path.join(ROOT, 'licenses/action.yml'))
  const described = JSON.stringify(outputs.get('reason'))
  const named = Array.from(described.matchAll(/`([\w-]+)`/g), ([, reason = '']) => reason)
  expect(named).toHaveLength(7)
  expect(REASONS).toEqual(expect.arrayContaining(named))
})
