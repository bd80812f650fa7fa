// Tests of dist/: no advice asks for more than was asked, all that it names exists, and it leads home.
import { expect, test } from '@jest/globals'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { MODE_NAMES } from '../../src/report/modes.ts'
import type { Run } from '../support/runner.ts'
import { openShop, type PublishOptions } from '../support/shop.ts'
import { press, SCENES } from './advice-scenes.ts'

/** The text that a person reads: the annotations. */
function readBy(run: Run): string {
  return run.annotations.map(({ message }) => message).join('\n')
}

/** Words in backticks that are no input of ours. */
const OTHER_NAMES = [
  'permissions',
  'contents: read',
  'contents: write',
  'deployments: read',
  'deployments: write',
  'environment:',
  'on: release',
  'on: workflow_dispatch',
  'mode',
  'tag',
  'id',
  'option_id',
  'none',
  '/api',
  'ref',
  'git',
  'workflow_dispatch',
  'deployments',
  'v1.4.2'
]
const INPUTS = [...readManifest(`${ROOT}/action.yml`).inputs.keys()]

function isKnownName(name: string): boolean {
  const [word = ''] = name.split(':')
  if (OTHER_NAMES.includes(name) || INPUTS.includes(word) || /^types: \[/.test(name)) return true
  return MODE_NAMES.some(mode => mode === name)
}

test.each(SCENES.map(scene => [scene.name, scene] as const))(
  '%s: the advice asks for no more',
  async (_, scene) => {
    await using shop = await openShop(scene.shop)
    await scene.before?.(shop)
    const before = shop.service.versions.length

    const run = await shop.publish(scene.run(shop))
    const read = readBy(run)

    // A message may quote what the step says.
    const asksToPublish =
      /(?:with|or|and) mode `publish`|publish (?:it|one|them) (?:by hand|first)/.test(read)
    if (scene.asked !== 'publish') {
      expect(read).not.toMatch(/with mode `publish`|publish (?:it|one|them) (?:by hand|first)/)
      expect(shop.service.versions).toHaveLength(before)
    }
    if (scene.needsCorrection === true) {
      expect(asksToPublish).toBe(true)
      expect(read).toMatch(
        /with mode `check`, and once that is green, with mode `publish` and tag `v1\.4\.2`\./
      )
    }

    const names = [...read.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
    expect(names.filter(name => !isKnownName(name))).toEqual([])
    for (const { message } of run.annotations) {
      const [line = ''] = message.split('\n')
      expect(sentencesIn(line)).toBeLessThanOrEqual(2)
    }
  }
)

/** How many sentences a line has; full stops in quotes and in numbers do not count. */
function sentencesIn(line: string): number {
  return line.replace(/"[^"]*"|`[^`]*`|\([^()]*\)/g, 'x').split(/[.!?](?=\s+[A-Z])/).length
}

interface Followed {
  readonly name: string
  readonly first: PublishOptions
  /** What the first run advises. */
  readonly advice: RegExp
  /** The run after it, which follows the advice, and its outcome. */
  readonly second: PublishOptions
  readonly outcome: string
}

/** The first mistakes of a beginner, each corrected as its advice says; the run after it ends otherwise. */
const FOLLOWED: readonly Followed[] = [
  {
    name: 'a wrong input on a release: corrected, checked, published with its tag',
    first: { inputs: { product: 'gallery' } },
    advice: /with mode `check`, and once that is green, with mode `publish` and tag `v1\.4\.2`/,
    second: { event: press({ mode: 'check', tag: '' }) },
    outcome: 'checked'
  },
  {
    name: 'the button without a tag: its field is filled in',
    first: { event: press({ mode: 'plan', tag: '' }) },
    advice: /^Which release\? No tag was given\.\nGive its tag in the button’s field `tag`/,
    second: { event: press({ mode: 'plan', tag: 'v1.4.2' }) },
    outcome: 'planned'
  },
  {
    name: 'a step that overrides the button: `mode` is deleted',
    first: {
      event: press({ mode: 'check', tag: '' }),
      inputs: { mode: 'publish', 'base-url': 'https://shop.example.com' }
    },
    advice: /delete `mode` from the step[\s\S]* Run workflow with mode `check`\./,
    second: { event: press({ mode: 'check', tag: '' }) },
    outcome: 'checked'
  }
]

test.each(FOLLOWED)('$name', async ({ first, advice, second, outcome }) => {
  await using shop = await openShop()

  const failed = await shop.publish(first)
  expect(failed.outputs.outcome).toBe('failed')
  expect(readBy(failed)).toMatch(advice)

  const corrected = await shop.publish(second)
  expect(corrected.outputs.outcome).toBe(outcome)
  expect(shop.service.versions).toEqual([])
})

test('an empty secret is saved, and the release’s own run is run again', async () => {
  await using shop = await openShop()
  const failed = await shop.publish({ inputs: { token: '' } })
  expect(readBy(failed)).toMatch(
    /\nSave the secret, then press \*Re-run failed jobs\*\. If the workflow is wrong: Correct .* with mode `publish` and tag `v1\.4\.2`/
  )

  const again = await shop.publish({ attempt: 2 })
  expect([again.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
})

test('after a correction and its check, `publish` with the tag ends what a release began', async () => {
  await using shop = await openShop()
  await shop.publish({ inputs: { product: 'gallery' } })
  await shop.publish({ event: press({ mode: 'check', tag: '' }) })
  const published = await shop.publish({ event: press({ mode: 'publish', tag: 'v1.4.2' }) })
  expect([published.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
})

test.each([
  [
    'check',
    { deployments: 'none' },
    /\n {4}permissions:\n {6}deployments: write$/m,
    /contents: read\n/
  ],
  ['plan', { contents: 'none' }, /\n {4}permissions:\n {6}contents: read$/m, /deployments/]
] as const)(
  '%s without a permission shows the line that is missing, and no other; with it, all is well',
  async (mode, permissions, line, weaker) => {
    await using shop = await openShop({ github: { permissions } })
    const event = press({ mode, tag: mode === 'plan' ? 'v1.4.2' : '' })
    const read = readBy(await shop.publish({ event }))
    expect(read).toMatch(line)
    expect(read).not.toMatch(weaker)
    expect(read).toContain(`Run workflow with mode \`${mode}\``)

    shop.github.setPermissions({ deployments: 'write', contents: 'read' })
    const run = await shop.publish({ event })
    expect([run.annotations, shop.service.versions]).toEqual([[], []])
  }
)
