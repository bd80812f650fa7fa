// Tests of dist/: each advice leads to the end, as a person who reads it follows it, and none asks for more than was asked.
// `report/guidance.test.ts` has the table of remedies, and `words.test.ts` the log of each reason.
import { expect, test } from '@jest/globals'
import { MODE_NAMES } from '../../src/report/modes.ts'
import { packed, zipOf } from '../support/archives.ts'
import { openShop, type PublishOptions, press, readBy, type Shop } from '../support/shop.ts'

/** Leaves the shop's version in doubt. */
function leaveDoubt(shop: Shop): Promise<unknown> {
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
  return shop.publish()
}

/** What goes wrong, in every mode that publishes nothing. */
const MISHAPS: readonly (readonly [string, PublishOptions, (shop: Shop) => unknown])[] = [
  ['a wrong input', { inputs: { product: 'gallery' } }, () => undefined],
  ['no changelog', { inputs: { 'changelog-file': 'CHANGES.md' } }, () => undefined],
  ['no permission', {}, shop => shop.github.setPermissions({ deployments: 'none' })],
  ['a doubt', { runId: '2' }, leaveDoubt]
]

const OTHER_MODES = MODE_NAMES.filter(mode => mode !== 'publish')
const MISTAKEN = OTHER_MODES.flatMap(mode =>
  MISHAPS.map(([name, options, before]) => {
    const event = press({ mode, tag: 'v1.4.2' })
    return [`${mode} with ${name}`, { ...options, event }, before] as const
  })
)
/** A mode that nobody can make out. */
const UNCLEAR: readonly (readonly [string, PublishOptions, (shop: Shop) => unknown])[] = [
  ['a mistyped mode', { inputs: { mode: 'plann' } }, () => undefined],
  ['an empty button', { event: press({ mode: '', tag: 'v1.4.2' }) }, () => undefined],
  ['a variable DRY-RUN', { env: { 'INPUT_DRY-RUN': 'true' } }, () => undefined]
]

test.each([...MISTAKEN, ...UNCLEAR])(
  'after %s, nothing is sent, and no advice is to publish',
  async (_, options, before) => {
    await using shop = await openShop()
    await before(shop)
    const { length } = shop.service.versions

    const run = await shop.publish(options)

    expect(readBy(run)).not.toMatch(/with mode `publish`|publish (?:it|one|them) (?:by hand|first)/)
    expect(shop.service.versions).toHaveLength(length)
  }
)

const NAME = 'gallery-1.4.2.zip'
const BY_ASSET = { file: '', asset: NAME, 'asset-timeout': '0' }

/** Attaches a file to the shop's release, in place of any other. */
function attach(shop: Shop, content: Buffer): void {
  shop.addRelease({ assets: [{ name: NAME, content }] }, { contents: { [NAME]: content } })
}

const refusal = (field: string) =>
  ({
    kind: 'answer',
    status: 422,
    body: { message: 'No.', errors: { [field]: ['is too long'] } },
    stored: false
  }) as const

interface Followed {
  readonly name: string
  readonly before?: (shop: Shop) => unknown
  readonly first: PublishOptions
  /** What the first run advises. */
  readonly advice: RegExp
  /** What a person does before the next run. */
  readonly mend?: (shop: Shop) => unknown
  readonly second: PublishOptions
  readonly outcome: string
}

test.each<Followed>([
  {
    name: 'the button without a tag: its field is filled in',
    first: { event: press({ mode: 'plan', tag: '' }) },
    advice: /^Which release\? No tag was given\.\nGive its tag in the button’s field `tag`\.$/m,
    second: { event: press({ mode: 'plan', tag: 'v1.4.2' }) },
    outcome: 'planned'
  },
  {
    name: 'a step that overrides the button: `mode` is deleted',
    first: { event: press({ mode: 'check', tag: '' }), inputs: { mode: 'publish' } },
    advice:
      /^mode: the step says "publish", and the button "check"[\s\S]*delete `mode` from the step[\s\S]* Run workflow with mode `check`\./,
    second: { event: press({ mode: 'check', tag: '' }) },
    outcome: 'checked'
  },
  {
    name: 'an empty secret: it is saved, and the release’s own run is run again',
    first: { inputs: { token: '' } },
    advice:
      /\nSave the secret, then press \*Re-run failed jobs\*\. If the workflow is wrong: Correct .* with mode `publish` and tag `v1\.4\.2`/,
    second: { attempt: 2 },
    outcome: 'published'
  },
  {
    name: 'a token that the shop refuses: it is replaced, and the workflow stays as it is',
    first: { inputs: { token: 'another-token-here' } },
    advice: /The token is wrong, expired or revoked(?![\s\S]*Correct the workflow)/,
    second: { attempt: 2 },
    outcome: 'published'
  },
  {
    name: 'a pre-release that is final: the box is unticked, and the job is run again',
    before: shop => shop.addRelease({ prerelease: true }),
    first: { action: 'published' },
    advice: /\nIs it final\? Untick \*Set as a pre-release\* on GitHub, then press/,
    mend: shop => shop.addRelease(),
    second: { action: 'published', attempt: 2 },
    outcome: 'published'
  },
  {
    name: 'a title that the shop refuses: the release is edited',
    before: shop => shop.service.misbehave(refusal('title')),
    first: {},
    advice: /^(?![\s\S]*Correct the workflow)[\s\S]*Edit the release, then press \*Re-run failed/,
    mend: shop => shop.addRelease({ name: 'Gallery' }),
    second: { attempt: 2 },
    outcome: 'published'
  },
  {
    name: 'a file that was attached late: it is attached',
    first: { inputs: BY_ASSET },
    advice: /If the file is still to come, attach it, then press \*Re-run failed jobs\*/,
    mend: shop => attach(shop, packed('The plugin.')),
    second: { inputs: BY_ASSET, attempt: 2 },
    outcome: 'published'
  },
  {
    name: 'a wrong pattern: it is corrected, and the button ends what the release began',
    before: shop => attach(shop, packed('The plugin.')),
    first: { inputs: { ...BY_ASSET, asset: 'galery.zip' } },
    advice: /If `asset` is wrong, correct it\. Correct the workflow .*`publish` and tag `v1\.4\.2`/,
    second: { event: press({ mode: 'publish', tag: 'v1.4.2' }), inputs: BY_ASSET },
    outcome: 'published'
  },
  {
    name: 'an attached zip in a zip: it is replaced',
    before: shop => attach(shop, zipOf({ 'inner.zip': 'PK' })),
    first: { inputs: BY_ASSET },
    advice: /\nReplace the attached file, then press \*Re-run failed jobs\*\.(?![\s\S]*builds it)/,
    mend: shop => attach(shop, packed('The plugin.')),
    second: { inputs: BY_ASSET, attempt: 2 },
    outcome: 'published'
  }
])('$name', async ({ before, first, advice, mend, second, outcome }) => {
  await using shop = await openShop()
  await before?.(shop)
  const failed = await shop.publish(first)
  expect(readBy(failed)).toMatch(advice)
  expect(shop.service.versions).toEqual([])

  await mend?.(shop)
  const run = await shop.publish(second)
  expect(run.outputs.outcome).toBe(outcome)
})

test('a wrong input on a release: after a correction and its check, `publish` with the tag ends it', async () => {
  await using shop = await openShop()
  const failed = await shop.publish({ inputs: { product: 'gallery' } })
  expect(readBy(failed)).toMatch(
    /with mode `check`, and once that is green, with mode `publish` and tag `v1\.4\.2`\./
  )

  const checked = await shop.publish({ event: press({ mode: 'check', tag: '' }) })
  expect(checked.log).toMatch(/takes the token and knows product 12, with an empty form: it does/)
  expect(checked.log).toMatch(/\nNext: with the tag of a release, .* with mode `plan`\.\n/)
  expect(checked.summary).toContain('**Next:**')

  const published = await shop.publish({ event: press({ mode: 'publish', tag: 'v1.4.2' }) })
  expect([published.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
})

test('a title of the workflow’s own that the shop refuses is corrected there', async () => {
  await using shop = await openShop({ inputs: { title: 'Gallery {version}' } })
  shop.service.misbehave(refusal('title'))
  expect(readBy(await shop.publish())).toMatch(
    /Correct the workflow .*, and once that is green, with mode `publish`/
  )
})

test('a file that is not attached to an immutable release takes a new release', async () => {
  await using shop = await openShop({ inputs: BY_ASSET })
  shop.github.removeRelease('v1.4.2')
  shop.github.addRelease({ ...shop.release(), immutable: true })
  expect(readBy(await shop.publish())).toContain('make a new release from a draft that has it')
})

test('a plan without a token is not told to give one, whatever else is wrong', async () => {
  await using shop = await openShop({ inputs: { token: '', product: 'gallery' } })
  const run = await shop.publish({ event: press({ mode: 'plan', tag: 'v1.4.2' }) })
  expect(readBy(run)).toMatch(/^product: (?![\s\S]*token)/)
})

test.each([
  ['check', 'deployments: write', 'contents: read\n', { deployments: 'none' }],
  ['plan', 'contents: read', 'deployments', { contents: 'none' }]
] as const)(
  '%s without the permission `%s` shows that line, and no other; with it, all is well',
  async (mode, line, other, permissions) => {
    await using shop = await openShop({ github: { permissions } })
    const event = press({ mode, tag: mode === 'plan' ? 'v1.4.2' : '' })
    const read = readBy(await shop.publish({ event }))
    expect(read).toMatch(new RegExp(`\\n {4}permissions:\\n {6}${line}$`, 'm'))
    expect(read).not.toContain(other)
    expect(read).toContain(`Run workflow with mode \`${mode}\``)

    shop.github.setPermissions({ deployments: 'write', contents: 'read' })
    const run = await shop.publish({ event })
    expect([run.annotations, shop.service.versions]).toEqual([[], []])
  }
)
