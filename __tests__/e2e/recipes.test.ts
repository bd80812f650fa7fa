// Tests of dist/: the workflows of the documentation do what their pages say, with stand-ins for all around them.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readRecipes } from '../../scripts/workflows.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { onPosix } from '../support/platform.ts'
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
/** Changes the recipe of the Pro edition as its page says. */
function forTesters(text: string): string {
  return text
    .replace('[released]', '[published, released]')
    .replace('benefit: 34', 'benefit: 35')
    .replace(
      'asset: gallery-pro-{version}.zip',
      'asset: gallery-{version}.zip\n          prerelease: publish'
    )
}

const EDITIONS = { 'publish.standard': 'published', 'publish.pro': 'published' }
const JOBS = { 'publish.2': 'published', 'pro.2': 'published' }
const BOTH = 'a-product-and-its-pro-edition'

describe('a release is published', () => {
  onPosix.each<[heading: string, start: Start, outcomes: Record<string, string>, versions: number]>(
    [
      ['publish-version', {}, { 'publish.0': 'published' }, 1],
      ['attached-file', {}, { 'publish.0': 'published' }, 1],
      ['built-file', {}, { 'publish.2': 'published' }, 1],
      ['wordpress-plugin', {}, { 'publish.4': 'published' }, 1],
      ['release-please', { event: 'push' }, JOBS, 2],
      ['monorepo-changesets', { event: 'push' }, { 'publish.3': 'published' }, 2],
      ['a-minecraft-plugin', {}, { 'publish.3': 'published' }, 1],
      ['a-laravel-or-composer-package', {}, { 'publish.2': 'published' }, 1],
      ['release-on-a-tag', { event: 'tag' }, { 'publish.0': 'published' }, 1],
      ['a-reusable-workflow', CALLED, { 'publish.0': 'published' }, 1],
      ['a-product-and-its-pro-edition', {}, EDITIONS, 2],
      ['a-product-and-its-pro-edition', { edit: forTesters }, EDITIONS, 2]
    ]
  )('%s (POSIX shell) %j', async (heading, start, outcomes, versions) => {
    stage.addRelease('v1.4.2', ATTACHED)
    const played = await stage.play(heading, start)

    expect([outcomesOf(played), stage.service.versions.length]).toEqual([outcomes, versions])
  })
})

describe('the button', () => {
  onPosix.each<[heading: string]>([
    ['attached-file'],
    ['built-file'],
    ['wordpress-plugin'],
    ['a-minecraft-plugin'],
    ['release-on-a-tag']
  ])(
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
})

describe('a product and its Pro edition', () => {
  onPosix.each(['release-please', BOTH])(
    '%s: the button checks both editions, and does all else with one (POSIX shell)',
    async heading => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (inputs: Readonly<Record<string, string>>) => {
        const played = await stage.play(heading, { event: 'hand', inputs })
        return Object.values(outcomesOf(played))
      }
      const places = () => stage.github.deployments.map(({ environment }) => environment)
      const { host } = new URL(stage.service.url)
      const tag = 'v1.4.2'

      expect(await press({ mode: 'check', tag: '', edition: 'standard' })).toEqual([
        'checked',
        'checked'
      ])
      expect(await press({ mode: 'mark-published', tag, edition: 'pro' })).toEqual(['marked'])
      expect(places()).toEqual([`${host}/products/12/benefits/34`])

      expect(await press({ mode: 'publish', tag, edition: 'standard' })).toEqual(['published'])
      expect(await press({ mode: 'publish', tag, edition: 'pro' })).toEqual(['skipped'])
      expect(stage.service.versions).toMatchObject([{ versionName: '1.4.2' }])

      // A button without that field marks one edition, too.
      expect(await press({ mode: 'mark-published', tag })).toEqual(['marked'])
    }
  )

  onPosix('one edition is published when the other fails (POSIX shell)', async () => {
    const page = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
    stage.addRelease('v1.4.2', { ...ATTACHED, 'gallery-1.4.2.zip': page })

    const played = await stage.play(BOTH)
    expect(outcomesOf(played)).toEqual({ ...EDITIONS, 'publish.standard': 'failed' })
    expect([played.get('publish')?.result, stage.service.versions.length]).toEqual(['failure', 1])
  })
})

onPosix(
  'release-please without a Pro edition: its job and its field are deleted (POSIX shell)',
  async () => {
    const edit = (text: string) => {
      const [rest = ''] = text.split(
        '  pro: # no Pro edition: delete the lines from here to the end'
      )
      return rest.replace(/^ {6}edition:\n(?: {8}.*\n)+/m, '')
    }
    const played = await stage.play('release-please', { event: 'push', edit })
    expect(outcomesOf(played)).toEqual({ 'publish.2': 'published' })
    expect(stage.service.versions).toMatchObject([{ record: { title: 'Gallery 1.4.2' } }])
  }
)

describe('several packages in one repository', () => {
  const press = (mode: string, tag: string) =>
    stage.play('monorepo-changesets', { event: 'hand', inputs: { mode, tag } })

  onPosix('the button’s tag chooses the package; a check is for all (POSIX shell)', async () => {
    stage.addRelease('pkg-a@1.4.2', {})
    stage.addRelease('pkg-b@1.4.2', {})

    expect(outcomesOf(await press('check', ''))).toEqual({ 'publish.3': 'checked' })
    expect(stage.service.checks.map(({ path }) => path)).toEqual([
      '/api/products/12/versions',
      '/api/products/14/versions'
    ])

    expect(outcomesOf(await press('publish', 'pkg-b@1.4.2'))).toEqual({ 'publish.3': 'published' })
    const version = { record: { product_id: '14', title: 'pkg-b 1.4.2' } }
    expect(stage.service.versions).toMatchObject([version])
  })

  onPosix.each(['1.4.2', 'pkg-c@1.4.2', ''])(
    'the tag “%s”, which does not exist, ends red, with those that do (POSIX shell)',
    async tag => {
      stage.addRelease('pkg-a@1.4.2', {})
      stage.addRelease('pkg-b@1.4.2', {})

      const played = await press('plan', tag)
      expect(played.get('tag')?.result).toBe('failure')
      expect(played.get('tag.0')?.printed).toBe(
        `::error::There is no tag "${tag}". Press the button again, with one of these: pkg-a@1.4.2 pkg-b@1.4.2\n`
      )
      expect(outcomesOf(played)).toEqual({})
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

  const bare = await stage.play('several-plugins-in-one-repository', {
    event: 'hand',
    inputs: { mode: 'plan', tag: '1.4.2' }
  })
  expect(outcomesOf(bare)).toEqual({ 'gallery.0': 'failed' })
})

onPosix('a plan that is approved in the same run (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  const played = await stage.play('a-person-approves-what-is-published')

  expect(outcomesOf(played)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'published' })
})

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

onPosix('licenses: listed, and kept for a week (POSIX shell)', async () => {
  const list = await stage.play('list-the-licenses-of-your-shop', { event: 'hand' })
  expect(outcomesOf(list)).toEqual({ 'list.licenses': 'listed' })
  expect(list.get('list')?.result).toBe('success')
})

test('every workflow of the documentation is played here', () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  const headings = new Set(readRecipes().map(({ heading }) => heading))
  const played = [...headings].filter(heading => source.includes(`'${heading}'`))
  expect(played.sort()).toEqual([...headings].sort())
})
