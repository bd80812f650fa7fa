// Owns what holds for every advice, on dist/: it never asks for more than was asked, what it names exists, and it leads home.
import { expect, test } from '@jest/globals'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { MODE_NAMES } from '../../src/publish/modes.ts'
import type { EventOption, Run } from '../support/runner.ts'
import {
  FILE,
  openShop,
  type PublishOptions,
  type Shop,
  type ShopOptions
} from '../support/shop.ts'

type Texts = Readonly<Record<string, string>>

/** A run with one mistake, or one misfortune. */
interface Scene {
  readonly name: string
  /** The mode that was asked for: by the step, by the button, or by a release. */
  readonly asked: (typeof MODE_NAMES)[number] | 'unclear'
  readonly shop?: ShopOptions
  readonly before?: (shop: Shop) => unknown
  readonly run: (shop: Shop) => PublishOptions
  /** Set where a release's own run failed, and no re-run can mend it. */
  readonly needsCorrection?: boolean
}

const press = (inputs: Texts): EventOption => ({ name: 'workflow_dispatch', payload: { inputs } })
const schedule: EventOption = { name: 'schedule', payload: {} }
const pullRequest: EventOption = {
  name: 'pull_request',
  payload: { action: 'opened', repository: {} }
}
const pushTag: PublishOptions = {
  event: { name: 'push', payload: { repository: {} } },
  env: { GITHUB_REF: 'refs/tags/v9.9.9' }
}
const lost = { kind: 'reset-after-body', stored: true } as const
const noRecord = { permissions: { deployments: 'none' } } as const

/** A wrong input, for every way to start. */
const WRONG: readonly Texts[] = [
  { product: 'gallery' },
  { 'base-url': 'https://shop.example.com/api' },
  { 'version-name': '' },
  { file: 'dist/*.zip\n!dist/*', changelog: 'CHANGELOG.md' }
]
const wrongInputs: readonly Scene[] = WRONG.flatMap((inputs): readonly Scene[] => {
  const name = JSON.stringify(inputs)

  return [
    {
      name: `a release with ${name}`,
      asked: 'publish',
      run: () => ({ inputs }),
      needsCorrection: inputs['version-name'] === undefined
    },
    {
      name: `check with ${name}`,
      asked: 'check',
      run: () => ({ inputs, event: press({ mode: 'check', tag: '' }) })
    },
    {
      name: `plan with ${name}`,
      asked: 'plan',
      run: () => ({ inputs, event: press({ mode: 'plan', tag: 'v1.4.2' }) })
    },
    {
      name: `a pull request with ${name}`,
      asked: 'plan',
      run: () => ({ inputs, event: pullRequest })
    },
    {
      name: `audit with ${name}`,
      asked: 'audit',
      run: () => ({ inputs: { ...inputs, mode: 'audit' }, event: schedule })
    },
    {
      name: `a mark with ${name}`,
      asked: 'mark-published',
      run: () => ({ inputs, event: press({ mode: 'mark-published', tag: 'v1.4.2' }) })
    },
    {
      name: `a mistyped mode with ${name}`,
      asked: 'unclear',
      run: () => ({ inputs: { ...inputs, mode: 'plann' } })
    },
    {
      name: `an empty button with ${name}`,
      asked: 'unclear',
      run: () => ({ inputs, event: press({ mode: '', tag: 'v1.4.2' }) })
    }
  ]
})

/** The button in every mode, where the job lacks a permission, where the tag is wrong, and where the record is bad. */
const buttons: readonly Scene[] = MODE_NAMES.flatMap((mode): readonly Scene[] => {
  const event = press({ mode, tag: 'v1.4.2' })
  const tagged = (tag: string) => press({ mode, tag })
  const doubt = async (shop: Shop) => {
    shop.service.misbehave(lost)
    await shop.publish()
  }

  return [
    {
      name: `${mode} without deployments`,
      asked: mode,
      shop: { github: noRecord },
      run: () => ({ event })
    },
    {
      name: `${mode} without contents`,
      asked: mode,
      shop: { github: { permissions: { contents: 'none' } } },
      run: () => ({ event })
    },
    { name: `${mode} of a branch`, asked: mode, run: () => ({ event: tagged('main') }) },
    { name: `${mode} of no tag`, asked: mode, run: () => ({ event: tagged('') }) },
    { name: `${mode} of an unknown tag`, asked: mode, run: () => ({ event: tagged('1.4.2') }) },
    {
      name: `${mode} after a lost answer`,
      asked: mode,
      before: doubt,
      run: () => ({ event, runId: '2' })
    },
    {
      name: `${mode} of a missing file`,
      asked: mode,
      run: () => ({ event, inputs: { file: 'dist/*.jar' } })
    },
    {
      name: `${mode} of a missing changelog`,
      asked: mode,
      run: () => ({ event, inputs: { 'changelog-file': 'CHANGES.md' } })
    },
    {
      name: `${mode} with another token`,
      asked: mode,
      run: () => ({ event, inputs: { token: 'another-token-here' } })
    },
    {
      name: `${mode} where a higher version is published`,
      asked: mode,
      before: async shop => {
        shop.addRelease({ tag: 'v1.10.0' })
        const inputs = {
          tag: 'v1.10.0',
          file: FILE,
          'allow-other-version': 'true'
        }
        await shop.publish({ inputs })
      },
      run: () => ({ event, runId: '2' })
    },
    {
      name: `${mode} on GitHub that fails`,
      asked: mode,
      before: breakGitHub,
      run: () => ({ event })
    }
  ]
})

function breakGitHub(shop: Shop): void {
  const notFound = {
    kind: 'status',
    status: 404,
    body: {},
    on: { method: 'GET', path: /./ }
  } as const
  shop.github.misbehave(...Array.from({ length: 40 }, () => notFound))
}

const others: readonly Scene[] = [
  ...['DRY-RUN', 'TEST_MODE', 'STATUS', 'CHANNEL'].map(
    (name): Scene => ({
      name: `a release with ${name}`,
      asked: 'unclear',
      run: () => ({ env: { [`INPUT_${name}`]: 'true' } })
    })
  ),
  {
    name: 'a tag before its release',
    asked: 'publish',
    before: shop => shop.github.addTag('v9.9.9', 'a'.repeat(40)),
    run: () => pushTag
  },
  {
    name: 'an audit with one missing',
    asked: 'audit',
    before: async shop => {
      await shop.publish()
      shop.addRelease({ tag: 'v1.4.3' })
    },
    run: () => ({ event: schedule, inputs: { mode: 'audit', token: '' } })
  },
  {
    name: 'an audit of nothing',
    asked: 'audit',
    run: () => ({ event: schedule, inputs: { mode: 'audit', token: '' } })
  },
  {
    name: 'a lost answer',
    asked: 'publish',
    before: shop => shop.service.misbehave(lost),
    run: () => ({})
  },
  { name: 'empty notes', asked: 'publish', run: shop => ({ event: shop.event({ body: '' }) }) },
  {
    name: 'a refusal by fields',
    asked: 'publish',
    before: shop =>
      shop.service.misbehave({
        kind: 'answer',
        status: 422,
        body: { message: 'No.', errors: { title: ['is ugly'] } },
        stored: false
      }),
    run: () => ({}),
    needsCorrection: true
  },
  {
    name: 'a step that overrides the button',
    asked: 'check',
    run: () => ({
      event: press({ mode: 'check', tag: 'v1.4.2' }),
      inputs: { mode: 'publish', 'base-url': 'https://shop.example.com' }
    })
  }
]

const SCENES: readonly Scene[] = [...wrongInputs, ...buttons, ...others]

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
  'plan_digest',
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
        /with mode `check`, and after that with mode `publish` and tag `v1\.4\.2`\./
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

type Followed = readonly [
  name: string,
  first: PublishOptions,
  then: PublishOptions,
  lines: RegExp,
  last: string
]

/** The first mistakes of a beginner, each corrected as its advice says; the run after it ends otherwise. */
const FOLLOWED: readonly Followed[] = [
  [
    'a wrong input on a release: corrected, checked, published with its tag',
    { inputs: { product: 'gallery' } },
    { event: press({ mode: 'check', tag: '' }) },
    /with mode `check`, and after that with mode `publish` and tag `v1\.4\.2`/,
    'checked'
  ],
  [
    'the button without a tag: its field is filled in',
    { event: press({ mode: 'plan', tag: '' }) },
    { event: press({ mode: 'plan', tag: 'v1.4.2' }) },
    /^Which release\? No tag was given\.\nGive its tag in the button’s field `tag`/,
    'planned'
  ],
  [
    'the button with a branch: a tag is chosen',
    { event: press({ mode: 'plan', tag: 'main' }) },
    { event: press({ mode: 'plan', tag: 'v1.4.2' }) },
    /^"main" is a branch, and no tag\. Its newest: "v1\.4\.2"\.\nChoose the tag of a release\./,
    'planned'
  ],
  [
    'a step that overrides the button: `mode` is deleted',
    {
      event: press({ mode: 'check', tag: '' }),
      inputs: { mode: 'publish', 'base-url': 'https://shop.example.com' }
    },
    { event: press({ mode: 'check', tag: '' }) },
    /delete `mode` from the step[\s\S]* Run workflow with mode `check`\./,
    'checked'
  ]
]

test.each(FOLLOWED)('%s', async (_, first, then, lines, last) => {
  await using shop = await openShop()
  const failed = await shop.publish(first)
  expect(failed.outputs.outcome).toBe('failed')
  expect(readBy(failed)).toMatch(lines)

  const corrected = await shop.publish(then)
  expect(corrected.outputs.outcome).toBe(last)
  expect(shop.service.versions).toEqual([])
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

test('a check looks at the files as far as it can without a release', async () => {
  await using shop = await openShop()
  const event = press({ mode: 'check', tag: '' })
  const well = await shop.publish({ event, inputs: { 'changelog-file': 'changes/{version}.md' } })
  expect(well.log).toContain(`\`file\` matches "${FILE}" now.`)
  expect(well.log).toContain('`changelog-file` was not tested: its path depends on the release.')

  const wrong = { file: 'dist/*.jar', 'changelog-file': 'CHANGES.md' }
  const bad = await shop.publish({ event, inputs: wrong })
  expect(bad.outputs.outcome).toBe('checked')
  expect(bad.annotations).toMatchObject([
    {
      kind: 'warning',
      message: expect.stringMatching(/^At a release, this would fail: No file matches `file`/)
    },
    {
      kind: 'warning',
      message: expect.stringMatching(
        /^At a release, this would fail: changelog-file: "CHANGES\.md"/
      )
    }
  ])

  const attached = await shop.publish({ event, inputs: { file: '', asset: '*.zip' } })
  expect(attached.log).toContain('`asset` was not tested: it needs a release.')
})
