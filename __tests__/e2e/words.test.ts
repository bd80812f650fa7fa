// Tests of dist/: the whole log of a run for each reason, as a snapshot, so that words are reviewed as words; all that they
// name exists, and no line is long.
import { expect, test } from '@jest/globals'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { MODE_NAMES } from '../../src/report/modes.ts'
import { REASONS, type Reason } from '../../src/runner/action-error.ts'
import { zipOf } from '../support/archives.ts'
import { makeCommit } from '../support/git.ts'
import {
  FILE,
  openShop,
  type PublishOptions,
  press,
  readBy,
  type Shop,
  type ShopOptions
} from '../support/shop.ts'

/** A run that ends with a reason. */
interface Spoken {
  readonly shop?: ShopOptions
  readonly before?: (shop: Shop) => unknown
  readonly run?: PublishOptions | ((shop: Shop) => PublishOptions)
}

const LOST = { kind: 'reset-after-body', stored: true } as const
const TAGGED = press({ mode: 'publish', tag: 'v1.4.2' })

/** An answer of the shop's, or of a server in front of it. */
const answering = (status: number, body: unknown) => (shop: Shop) =>
  shop.service.misbehave({
    kind: 'answer',
    status,
    body,
    stored: false
  })

const PAGE = '<!doctype html><title>Our shop</title>'

const SPOKEN: Partial<Readonly<Record<Reason, Spoken>>> = {
  draft: {
    shop: { github: { permissions: { contents: 'write' } } },
    before: shop => shop.addRelease({ draft: true }),
    run: { event: TAGGED }
  },
  event: { run: { event: press({ mode: 'publish', tag: '' }) } },
  'event-action': { run: { action: 'edited' } },
  prerelease: { shop: { release: { prerelease: true } }, run: { action: 'published' } },
  'not-prerelease': { run: { inputs: { prerelease: 'only' } } },
  'unmarked-prerelease': {
    shop: {
      release: { tag: 'v1.5.0-beta.1' },
      inputs: { file: FILE, 'allow-other-version': 'true' }
    }
  },
  'bad-input': { run: { inputs: { product: 'gallery', benefit: '' } } },
  commit: {
    before: shop => {
      makeCommit(shop.workspace)
    },
    run: { event: TAGGED }
  },
  'no-changelog': { shop: { release: { body: '' } } },
  'bad-file': { before: shop => shop.write(FILE, zipOf({ 'gallery/.env': 'A=b' })) },
  'file-version': {
    before: shop => shop.write(FILE, zipOf({ 'plugin.yml': 'name: Gallery\nversion: 1.4.1\n' }))
  },
  'no-file': { run: { inputs: { file: 'dist/*.jar' } } },
  'several-files': { before: shop => shop.write('dist/gallery-pro.zip', 'The other build.') },
  'already-published': { before: shop => shop.publish(), run: { runId: '2' } },
  'different-content': {
    before: async shop => {
      await shop.publish()
      await shop.write(FILE, 'Another build.')
    }
  },
  'in-doubt': {
    before: async shop => {
      shop.service.misbehave(LOST)
      await shop.publish()
    },
    run: { runId: '2' }
  },
  busy: {
    before: async shop => {
      shop.service.misbehave(LOST)
      await shop.publish()
    },
    run: { event: press({ mode: 'mark-not-published', tag: 'v1.4.2' }), runId: '2' }
  },
  'lower-version': {
    shop: { inputs: { file: FILE, 'allow-other-version': 'true' } },
    before: shop => {
      shop.addRelease({ tag: 'v1.5.0' })
      return shop.publish({ event: shop.event({ tag: 'v1.5.0' }) })
    }
  },
  'no-record': { run: { event: press({ mode: 'mark-not-published', tag: 'v1.4.2' }) } },
  permission: { shop: { github: { permissions: { deployments: 'none' } } } },
  inconclusive: {
    shop: { inputs: { mode: 'check' } },
    before: answering(200, PAGE),
    run: { event: press({ mode: 'check', tag: '' }) }
  },
  'no-answer': { before: shop => shop.service.misbehave(LOST) },
  'not-sent': {
    // It speaks no TLS, and is not asked again.
    run: shop => ({ inputs: { 'base-url': shop.service.url.replace('http:', 'https:') } })
  },
  rejected: { before: answering(422, { message: 'No.', errors: { file: ['is too large'] } }) },
  'strange-answer': { before: answering(502, PAGE) },
  github: {
    before: shop =>
      shop.github.misbehave({
        kind: 'status',
        status: 400,
        body: { message: 'No.' },
        on: { path: /releases/ }
      })
  }
}

/** These need a run that is canceled or raced, or a broken machine; their words are tested where they are made. */
const ELSEWHERE: readonly Reason[] = ['file-changed', 'output', 'withheld', 'cancelled', 'internal']

test('each reason has a run whose words are reviewed here', () => {
  expect([...Object.keys(SPOKEN), ...ELSEWHERE].toSorted()).toEqual([...REASONS].toSorted())
})

test.each(Object.entries(SPOKEN))('the log of a run that ends as %s', async (reason, spoken) => {
  await using shop = await openShop(spoken.shop)
  await spoken.before?.(shop)

  const options = typeof spoken.run === 'function' ? spoken.run(shop) : spoken.run
  const run = await shop.publish(options)

  expect(run.outputs.reason).toBe(reason)
  expect(withoutChance(run.log)).toMatchSnapshot()

  const names = Array.from(readBy(run).matchAll(/`([^`\n]+)`/g), ([, name = '']) => name)
  expect(names.filter(name => !isKnown(name))).toEqual([])
  for (const { message } of run.annotations) {
    const [line = ''] = message.split('\n')
    expect(sentencesIn(line)).toBeLessThanOrEqual(2)
  }
})

/** What words in backticks begin with that are neither an input nor a mode. */
const OTHER_NAMES = 'mode none only permissions ref released types v1.4.2 v1.5.0-beta.1'.split(' ')
const NAMES: readonly string[] = [
  ...OTHER_NAMES,
  ...MODE_NAMES,
  ...readManifest(`${ROOT}/action.yml`).inputs.keys()
]

/** Whether words in backticks, such as `none` or `prerelease: publish`, begin with something that exists. */
const isKnown = (name: string): boolean => NAMES.includes(name.split(':')[0] ?? '')

/** How many sentences a line has; full stops in quotes and in numbers do not count. */
function sentencesIn(line: string): number {
  return line.replace(/"[^"]*"|`[^`]*`|\([^()]*\)/g, 'x').split(/[.!?](?=\s+[A-Z])/).length
}

/** A log without ports, times and commits. */
function withoutChance(log: string): string {
  return log
    .replaceAll(/127\.0\.0\.1:\d+/g, 'SHOP')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/commit [\da-f]{7}/g, 'commit COMMIT')
}
