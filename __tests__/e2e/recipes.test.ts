// Tests of dist/: the workflows of the documentation do what their pages say, with stand-ins for all around them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readRecipes } from '../../scripts/workflows.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { onPosix } from '../support/platform.ts'
import {
  APPROVAL,
  ATTACHED,
  COMES_AFTER,
  forLoaders,
  forNpm,
  forOptions,
  forPro,
  TESTERS
} from './recipe-edits.ts'
import { built, rebuilt } from './recipe-sources.ts'
import { openStage, outcomesOf, type RecipeStage, type Start, WEBHOOK } from './recipe-stage.ts'

let stage: RecipeStage
beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage[Symbol.asyncDispose]())

const EDITIONS = { 'everybody.0': 'published', 'testers.0': 'published' }

describe('a release is published', () => {
  onPosix.each<[heading: string, start: Start, outcomes: Record<string, string>, versions: number]>(
    [
      ['publish-version', {}, { 'publish.0': 'published' }, 1],
      ['attached-file', {}, { 'publish.0': 'published' }, 1],
      ['built-file', {}, { 'publish.2': 'published' }, 1],
      ['wordpress-plugin', {}, { 'publish.4': 'published' }, 1],
      ['a-minecraft-plugin', {}, { 'publish.3': 'published' }, 1],
      ['a-minecraft-plugin', { edit: forLoaders }, { 'publish.3': 'published' }, 1],
      ['a-composer-or-npm-package', {}, { 'publish.2': 'published' }, 1],
      ['a-composer-or-npm-package', { edit: forNpm }, { 'publish.2': 'published' }, 1],
      [TESTERS, {}, EDITIONS, 2],
      [TESTERS, { edit: forPro }, EDITIONS, 2],
      [TESTERS, { edit: forOptions }, EDITIONS, 2],
      [APPROVAL, {}, { 'plan.plan': 'planned', 'publish.0': 'published' }, 1],
      [COMES_AFTER, {}, { 'publish.publish': 'published' }, 1]
    ]
  )('%s (POSIX shell) %j', async (heading, start, outcomes, versions) => {
    const jars = { 'gallery-fabric-1.4.2.jar': built, 'gallery-neoforge-1.4.2.jar': built }
    stage.addRelease('v1.4.2', { ...ATTACHED, ...jars })
    const played = await stage.play(heading, start)

    expect([outcomesOf(played), stage.service.versions.length]).toEqual([outcomes, versions])
  })
})

const BUTTONS = [
  'attached-file',
  'built-file',
  'wordpress-plugin',
  'a-minecraft-plugin',
  'a-composer-or-npm-package'
]

describe('the button', () => {
  onPosix.each(BUTTONS)(
    '%s: settings, a plan, the tag’s own code, and what a person found (POSIX shell)',
    async heading => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (mode: string, tag = 'v1.4.2') => {
        const inputs = { mode, tag }
        const played = await stage.play(heading, { event: 'hand', inputs })
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

  onPosix.each([...BUTTONS, 'monorepo'])(
    '%s: a mark takes a tag that is not there, and builds nothing (POSIX shell)',
    async heading => {
      stage.addRelease('v1.4.2', {})
      const inputs = {
        mode: 'mark-published',
        tag: heading === 'monorepo' ? 'gallery-v0.9.0' : 'v0.9.0'
      }
      const played = await stage.play(heading, { event: 'hand', inputs })

      expect(Object.values(outcomesOf(played))).toEqual(['marked'])
      expect(stage.listCalls().flat()).toEqual([])
    }
  )
})

onPosix(
  'WordPress: the archive has no credentials, whatever the tag is like (POSIX shell)',
  async () => {
    const tag = 'release/v1.4.2'
    stage.addRelease(tag, {})
    const played = await stage.play('wordpress-plugin', { tag })

    expect(outcomesOf(played)).toEqual({ 'publish.4': 'published' })
    expect(stage.service.versions).toMatchObject([
      { versionName: '1.4.2', record: { file_name: 'gallery-1.4.2.zip' } }
    ])
  }
)

describe('for testers, or a Pro edition', () => {
  onPosix('the button checks both, and marks the one that is chosen (POSIX shell)', async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    const press = async (inputs: Readonly<Record<string, string>>) => {
      const played = await stage.play(TESTERS, { event: 'hand', inputs })
      return outcomesOf(played)
    }
    const tag = 'v1.4.2'

    expect(await press({ mode: 'check', tag: '', for: 'both' })).toEqual({
      'everybody.0': 'checked',
      'testers.0': 'checked'
    })

    expect(await press({ mode: 'mark-published', tag, for: 'testers' })).toEqual({
      'testers.0': 'marked'
    })
    const { host } = new URL(stage.service.url)
    const places = stage.github.deployments.map(({ environment }) => environment)
    expect(places).toEqual([`${host}/products/12/benefits/35`])

    expect(await press({ mode: 'publish', tag, for: 'both' })).toEqual({
      'everybody.0': 'published',
      'testers.0': 'skipped'
    })
  })

  onPosix('a pre-release is for the testers alone (POSIX shell)', async () => {
    const tag = 'v1.5.0-beta.1'
    stage.addRelease(tag, { 'gallery-1.5.0-beta.1.zip': built }, { prerelease: true })
    const edit = (text: string) =>
      text.replaceAll('          asset:', '          allow-other-version: true\n          asset:')

    const played = await stage.play(TESTERS, { tag, action: 'published', edit })
    expect(outcomesOf(played)).toEqual({ 'everybody.0': 'skipped', 'testers.0': 'published' })
    expect(stage.service.versions).toHaveLength(1)
  })

  onPosix(
    'a pre-release whose box is not ticked is no release for everybody (POSIX shell)',
    async () => {
      const tag = 'v1.5.0-beta.1'
      stage.addRelease(tag, { 'gallery-1.5.0-beta.1.zip': built })
      const played = await stage.play(TESTERS, { tag })
      expect(played.get('everybody.0')?.outputs).toMatchObject({ reason: 'unmarked-prerelease' })
    }
  )

  onPosix('one edition is published when the other fails (POSIX shell)', async () => {
    const page = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
    stage.addRelease('v1.4.2', { ...ATTACHED, 'gallery-1.4.2.zip': page })

    const played = await stage.play(TESTERS, { edit: forPro })
    expect(outcomesOf(played)).toEqual({ ...EDITIONS, 'everybody.0': 'failed' })
    expect(stage.service.versions).toHaveLength(1)
  })
})

describe('a person approves', () => {
  const press = async (mode: string) => {
    const inputs = { mode, tag: mode === 'check' ? '' : 'v1.4.2' }
    return outcomesOf(await stage.play(APPROVAL, { event: 'hand', inputs }))
  }

  onPosix('the button plans without the shop, and marks without a plan (POSIX shell)', async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    expect(await press('plan')).toEqual({ 'plan.plan': 'planned' })
    expectNothingAsked(stage)

    expect(await press('check')).toEqual({ 'publish.0': 'checked' })
    expect(await press('publish')).toEqual({ 'plan.plan': 'planned', 'publish.0': 'published' })
    expect(await press('mark-published')).toEqual({ 'publish.0': 'marked' })
  })

  onPosix(
    'another file than the planned one is red, until all jobs run again (POSIX shell)',
    async () => {
      stage.addRelease('v1.4.2', ATTACHED)
      const planned = await stage.play(APPROVAL, { token: '' })
      expect(planned.get('publish')?.result).toBe('failure')

      stage.addRelease('v1.4.2', { 'gallery-1.4.2.zip': rebuilt })
      const other = await stage.play(APPROVAL, { attempt: 2, failed: planned })
      expect(outcomesOf(other)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'failed' })
      expect(other.get('publish.0')?.outputs).toMatchObject({ reason: 'bad-file' })
      expect(stage.service.versions).toEqual([])

      const all = await stage.play(APPROVAL, { attempt: 3 })
      expect(outcomesOf(all)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'published' })
    }
  )

  onPosix('an environment without the token sends nothing (POSIX shell)', async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    const played = await stage.play(APPROVAL, { token: '' })
    expect(outcomesOf(played)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'failed' })
    expectNothingAsked(stage)
  })
})

describe('what comes after', () => {
  const countAnnouncements = () =>
    stage.listCalls().filter(([program]) => program === 'curl').length

  onPosix('an announcement follows a publication, and no other run (POSIX shell)', async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    for (const outcome of ['published', 'skipped']) {
      const played = await stage.play(COMES_AFTER)
      expect(outcomesOf(played)).toEqual({ 'publish.publish': outcome })
      expect(countAnnouncements()).toBe(1)
    }
    expect(stage.listCalls().flat()).toContain(WEBHOOK)
  })

  onPosix(
    'one that failed comes with its failed jobs, and not with all (POSIX shell)',
    async () => {
      stage.addRelease('v1.4.2', ATTACHED)
      stage.breakProgram('curl')
      const failed = await stage.play(COMES_AFTER)
      expect(failed.get('announce')?.result).toBe('failure')

      const repeated = await stage.play(COMES_AFTER, { attempt: 2, failed })
      expect(repeated.get('announce')?.result).toBe('failure')
      expect(countAnnouncements()).toBe(2)

      const all = await stage.play(COMES_AFTER, { attempt: 3 })
      expect(all.get('announce')?.result).toBe('skipped')
    }
  )
})

onPosix(
  'a mark is taken back, and nothing else; without one, it is red (POSIX shell)',
  async () => {
    const environment = 'shop.example.com/products/12'
    const marked = 'publish-version: marked published by run 7'
    stage.showDeployments([
      { id: 1, tag: 'v1.4.1', status: marked },
      { id: 2, tag: 'v1.4.2', status: 'publish-version: published as 5 sha256:0' },
      { id: 3, tag: 'v1.4.2', status: marked }
    ])

    const inputs = { tag: 'v1.4.2', environment }
    const played = await stage.play('take-back-a-mark', { event: 'hand', inputs })
    expect(played.get('take-back')?.result).toBe('success')
    const [listed] = stage.listCalls().filter(call => call.includes('--paginate'))
    expect(listed).toEqual(expect.arrayContaining([`environment=${environment}`]))

    const deleted = stage.listCalls().filter(call => call.includes('DELETE'))
    expect(deleted.map(call => call.at(-1))).toEqual(['repos/acme/gallery/deployments/3'])

    const other = { ...inputs, tag: 'v9' }
    const none = await stage.play('take-back-a-mark', { event: 'hand', inputs: other })
    expect(none.get('take-back')?.result).toBe('failure')
  }
)

describe('licenses', () => {
  const LIST = 'list-the-licenses-of-your-shop'

  onPosix('listed each week, and kept as an artifact (POSIX shell)', async () => {
    const list = await stage.play(LIST, { event: 'schedule' })
    expect(outcomesOf(list)).toEqual({ 'list.licenses': 'listed' })
    expect(list.get('list')?.result).toBe('success')
    expect(list.has('list.1')).toBe(true)
  })

  onPosix.each<[mistake: string, start: Start, reason: string]>([
    ['the key is wrong', { apiKey: 'no-key-of-this-shop' }, 'rejected'],
    ['the secret is not saved', { apiKey: '' }, 'bad-input'],
    [
      'the format is none',
      { edit: text => text.replace('format: csv', 'format: xlsx') },
      'bad-input'
    ]
  ])('%s: red, and no artifact (POSIX shell)', async (_, start, reason) => {
    const list = await stage.play(LIST, { event: 'hand', ...start })
    expect(list.get('list.licenses')?.outputs).toMatchObject({ outcome: 'failed', reason })
    expect(list.has('list.1')).toBe(false)
  })
})

test('every workflow of the documentation is played', () => {
  const files = ['recipes.test.ts', 'recipe-edits.ts', 'release-tools.test.ts']
  const source = files.map(it => readFileSync(path.join(import.meta.dirname, it), 'utf8')).join('')
  const headings = new Set(readRecipes().map(({ heading }) => heading))
  const played = [...headings].filter(heading => source.includes(`'${heading}'`))
  expect(played.sort()).toEqual([...headings].sort())
})
