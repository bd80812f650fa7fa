// Tests of dist/: the workflows of the documentation do what their pages say, with stand-ins for all around them.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readRecipes } from '../../scripts/workflows.ts'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { hasJq, onPosix } from '../support/platform.ts'
import {
  built,
  openStage,
  outcomesOf,
  type RecipeStage,
  type Start,
  WEBHOOK
} from './recipe-stage.ts'

let stage: RecipeStage
beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage[Symbol.asyncDispose]())

/** How a workflow that is called is started. */
const CALLED: Start = {
  inputs: {
    tag: 'v1.4.2',
    product: '12',
    mode: 'publish'
  }
}
const ATTACHED = { 'gallery-1.4.2.zip': built, 'gallery-pro-1.4.2.zip': built }
const EDITIONS = { 'publish.standard': 'published', 'publish.pro': 'published' }
const PLANS = {
  'publish.1': 'planned',
  'publish.2': 'planned',
  'publish.3': 'published',
  'publish.4': 'published'
}
const TESTERS = { 'publish.1': 'published', 'publish.2': 'published' }
const BOTH = 'a-product-and-its-pro-edition'

describe('a release is published', () => {
  onPosix.each<[heading: string, start: Start, outcomes: Record<string, string>, versions: number]>(
    [
      ['the-workflow', {}, { 'publish.0': 'published' }, 1],
      ['the-workflow', { nth: 1 }, { 'publish.2': 'published' }, 1],
      ['a-wordpress-plugin', {}, { 'publish.2': 'published' }, 1],
      ['a-wordpress-theme-built-by-npm', {}, { 'publish.2': 'published' }, 1],
      ['a-minecraft-plugin', {}, { 'publish.3': 'published' }, 1],
      ['time-to-stop-a-publication', {}, { 'publish.0': 'published' }, 1],
      ['a-laravel-or-composer-package', {}, { 'publish.2': 'published' }, 1],
      ['release-please', { event: 'push' }, { 'publish.2': 'published' }, 1],
      ['release-on-a-tag', { event: 'tag' }, { 'publish.0': 'published' }, 1],
      ['a-reusable-workflow', CALLED, { 'publish.0': 'published' }, 1],
      ['a-product-and-its-pro-edition', {}, EDITIONS, 2],
      ['a-product-and-its-pro-edition', { nth: 1 }, { 'publish.3': 'published' }, 2],
      ['nothing-is-sent-unless-both-plans-are-good', {}, PLANS, 2],
      ['testers-who-also-get-final-releases', {}, TESTERS, 2]
    ]
  )('%s (POSIX shell) %j', async (heading, start, outcomes, versions) => {
    stage.addRelease('v1.4.2', ATTACHED)
    const played = await stage.play(heading, start)

    expect([outcomesOf(played), stage.service.versions.length]).toEqual([outcomes, versions])
  })
})

describe('the button', () => {
  onPosix.each<[heading: string, nth: number]>([
    ['the-workflow', 0],
    ['the-workflow', 1],
    ['a-wordpress-plugin', 0],
    ['a-minecraft-plugin', 0],
    ['release-please', 0],
    ['release-on-a-tag', 0]
  ])(
    '%s: settings, a plan, the tag’s own code, and what a person found (POSIX shell, workflow %d)',
    async (heading, nth) => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (mode: string, tag = 'v1.4.2') => {
        const inputs = { mode, tag }
        const played = await stage.play(heading, { event: 'hand', inputs, nth })
        return Object.values(outcomesOf(played))
      }

      expect(await press('check', '')).toEqual(['checked'])
      expect(await press('plan')).toEqual(['planned'])
      expect(stage.service.versions).toEqual([])

      expect(await press('publish')).toEqual(['published'])
      expect(await press('mark-published')).toEqual(['marked'])

      const [version, ...others] = stage.service.versions
      expect(others).toEqual([])
      expect((await version?.bytes())?.includes('later.php')).toBe(false)
    }
  )
})

describe('a product and its Pro edition', () => {
  onPosix.each([0, 1])(
    'the button marks one edition, and does all else with both (POSIX shell, workflow %d)',
    async nth => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (mode: string, edition: string) => {
        const inputs = { mode, tag: 'v1.4.2', edition }
        const before = stage.github.deployments.length
        const played = await stage.play(BOTH, { event: 'hand', inputs, nth })
        if (played.get('publish')?.result === 'failure') return 'failure'
        return stage.github.deployments.slice(before).map(({ environment }) => environment)
      }

      expect(await press('check', 'both')).toEqual([])
      expect(await press('mark-published', 'both')).toBe('failure')

      const { host } = new URL(stage.service.url)
      expect(await press('mark-published', 'pro')).toEqual([`${host}/products/12/benefits/34`])
      expect(await press('publish', 'both')).toEqual([`${host}/products/12`])
      expect(stage.service.versions).toMatchObject([{ versionName: '1.4.2' }])
    }
  )

  onPosix(
    'one edition is published when the other fails; with plans first, none is (POSIX shell)',
    async () => {
      const page = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
      stage.addRelease('v1.4.2', { ...ATTACHED, 'gallery-1.4.2.zip': page })
      const planned = await stage.play('nothing-is-sent-unless-both-plans-are-good')
      expect(outcomesOf(planned)).toEqual({ 'publish.1': 'failed' })
      expectNothingAsked(stage)

      const played = await stage.play(BOTH)
      expect(outcomesOf(played)).toEqual({ ...EDITIONS, 'publish.standard': 'failed' })
      expect([played.get('publish')?.result, stage.service.versions.length]).toEqual(['failure', 1])
    }
  )
})

onPosix('one plugin of several: the tag chooses it (POSIX shell)', async () => {
  const tag = 'slider-v1.4.2'
  stage.addRelease(tag, { 'slider-1.4.2.zip': built })
  const played = await stage.play('several-plugins-in-one-repository', { tag })

  expect(outcomesOf(played)).toEqual({ 'slider.0': 'published' })
  const version = { record: { product_id: '14' }, versionName: '1.4.2' }
  expect(stage.service.versions).toMatchObject([version])
})

onPosix(
  'pull requests: a plan, and a rehearsal that publishes elsewhere (POSIX shell)',
  async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    const heading = 'preview-and-rehearse-on-a-pull-request'

    const plan = await stage.play(heading, { event: 'pull_request' })
    const rehearsal = await stage.play(heading, { event: 'pull_request', nth: 1 })

    expect(outcomesOf(plan)).toEqual({ 'plan.2': 'planned' })
    expect(outcomesOf(rehearsal)).toEqual({ 'rehearse.publish': 'published' })
    expect(rehearsal.get('rehearse')?.result).toBe('success')
    expectNothingAsked(stage)
  }
)

onPosix('a plan that is approved in the same run (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  const played = await stage.play('a-person-approves-what-is-published')

  expect(outcomesOf(played)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'published' })
})

onPosix(
  'a draft is planned, approved by its digest, made public and published (POSIX shell)',
  async () => {
    const heading = 'approve-a-draft'
    const draft = await stage.play(heading, { event: 'hand', inputs: { version: '1.4.2' } })
    expect(outcomesOf(draft)).toEqual({ 'draft.3': 'planned' })

    const approve = async (digest = '') => {
      const inputs = { tag: 'v1.4.2', digest }
      return outcomesOf(await stage.play(heading, { event: 'hand', inputs, nth: 1 }))
    }

    expect(await approve('0'.repeat(64))).toEqual({ 'release.plan': 'planned' })
    expect(stage.listCalls().filter(call => call.includes('edit'))).toEqual([])

    const digest = draft.get('draft.3')?.outputs.plan_digest
    expect(await approve(digest)).toEqual({ 'release.plan': 'planned', 'publish.0': 'published' })
    expect(stage.service.versions).toHaveLength(1)
  }
)

onPosix('an announcement follows a publication, and no re-run (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  for (const outcome of ['published', 'skipped']) {
    const played = await stage.play('announce-a-version-once')
    expect(outcomesOf(played)).toEqual({ 'publish.shop': outcome })
    expect(stage.listCalls().filter(([program]) => program === 'curl')).toHaveLength(1)
  }
  expect(stage.listCalls().flat()).toContain(WEBHOOK)
})

onPosix('an announcement that failed is lost when all jobs run again (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  stage.breakProgram('curl')
  const announced: (string | undefined)[] = []
  for (let attempt = 1; attempt <= 2; attempt++) {
    const played = await stage.play('announce-a-version-once')
    announced.push(played.get('announce')?.result)
  }
  expect(announced).toEqual(['failure', 'skipped'])
})

const withJq = hasJq() ? onPosix : test.skip
withJq('the next version is planned on its pull request (POSIX shell, needs jq)', async () => {
  const heading = 'plan-the-next-version-on-its-pull-request'
  const played = await stage.play(heading, { event: 'pull_request' })

  expect(outcomesOf(played)).toEqual({ 'plan.3': 'planned' })
  // It is that version, and no newest release that stands in for it.
  expect(played.get('plan.3')?.outputs.plan_digest).toMatch(/^[\da-f]{64}$/)

  const asked = stage.github.requests.map(({ path }) => path)
  expect(asked).toContainEqual(expect.stringMatching(/\/releases\/tags\/v1\.4\.2$/))
  expectNothingAsked(stage)
})

describe('the provenance is checked first', () => {
  const heading = 'check-the-provenance-first'

  onPosix('an attested file is published; a check needs none (POSIX shell)', async () => {
    const inputs = { mode: 'check', tag: '' }
    const check = await stage.play(heading, { event: 'hand', inputs })
    expect(outcomesOf(check)).toEqual({ 'publish.1': 'checked' })

    stage.addRelease('v1.4.2', ATTACHED)
    stage.attest()
    const played = await stage.play(heading)
    expect(outcomesOf(played)).toEqual({ 'publish.1': 'published' })
  })

  onPosix('a file that is not attested is not published (POSIX shell)', async () => {
    stage.addRelease('v1.4.2', ATTACHED)

    const played = await stage.play(heading)
    expect(played.get('publish')?.result).toBe('failure')

    const pauses = stage.listCalls().filter(([program]) => program === 'sleep')
    expect(pauses.map(([, , seconds]) => seconds)).toEqual(['0', '15', '45', '120'])
    expectNothingAsked(stage)
  })
})

onPosix('the nightly audit opens an issue for a missing release (POSIX shell)', async () => {
  stage.addRelease('v1.4.0', {})
  const played = await stage.play('check-every-night-for-missed-releases', { event: 'schedule' })
  expect(outcomesOf(played)).toEqual({ 'audit.audit': 'failed' })
  expect(stage.listCalls().flat()).toContain('issue')
})

onPosix('licenses: listed, and kept for a week (POSIX shell)', async () => {
  const list = await stage.play('list-the-licenses-of-your-shop', { event: 'hand' })
  expect(outcomesOf(list)).toEqual({ 'list.licenses': 'listed' })
  expect(list.get('list')?.result).toBe('success')
})

describe('catching up on missing releases', () => {
  const heading = 'catch-up-on-missed-releases'
  const broken = Buffer.from('<!DOCTYPE html><title>Sign in</title>')

  /** A release that was made so many days ago, with its file. */
  const addRelease = (version: string, daysAgo: number, file = zipOf({ 'a.php': version })) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    stage.addRelease(`v${version}`, { [`gallery-${version}.zip`]: file }, false, at)
  }

  const playNight = async () => {
    const played = await stage.play(heading, { event: 'schedule' })
    return {
      audit: played.get('audit')?.result,
      missing: played.get('audit.audit')?.outputs.missing,
      publish: played.get('publish')?.result,
      reason: played.get('publish.0')?.outputs.reason,
      versions: stage.service.versions.map(({ versionName }) => versionName)
    }
  }

  onPosix('three are missing, the newest is broken, one is passed over (POSIX shell)', async () => {
    addRelease('1.4.0', 9)
    addRelease('1.4.1', 8)
    addRelease('1.4.2', 7)
    for (const version of ['1.4.0', '1.4.2']) {
      const played = await stage.play('the-workflow', {
        event: 'hand',
        inputs: { mode: 'mark-published', tag: `v${version}` }
      })
      expect(outcomesOf(played)).toEqual({ 'publish.0': 'marked' })
    }
    addRelease('1.4.3', 6)
    addRelease('1.4.4', 5)
    addRelease('1.4.5', 4, broken)

    expect(await playNight()).toEqual({
      audit: 'failure',
      missing: '["v1.4.5","v1.4.4","v1.4.3"]',
      publish: 'failure',
      reason: 'bad-file',
      versions: []
    })

    addRelease('1.4.5', 4)
    expect(await playNight()).toEqual({
      audit: 'failure',
      missing: '["v1.4.5","v1.4.4","v1.4.3"]',
      publish: 'success',
      reason: '',
      versions: ['1.4.5']
    })

    expect(await playNight()).toEqual({
      audit: 'success',
      missing: '[]',
      publish: 'skipped',
      reason: undefined,
      versions: ['1.4.5']
    })
  })

  onPosix('an audit that lists nothing starts nothing (POSIX shell)', async () => {
    // There is no release with the tag of `audit-since`.
    expect(await playNight()).toEqual({
      audit: 'failure',
      missing: '',
      publish: 'skipped',
      reason: undefined,
      versions: []
    })
  })
})

test('every workflow of the documentation is played here', () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  // The same as on pull requests, by hand.
  const others = ['rehearse-publishing-without-emailing-anyone']
  const headings = new Set(readRecipes().map(({ heading }) => heading))
  const played = [...headings].filter(heading => source.includes(`'${heading}'`))
  expect(played.sort()).toEqual([...headings].sort())
  expect(others.every(heading => headings.has(heading))).toBe(true)
})
