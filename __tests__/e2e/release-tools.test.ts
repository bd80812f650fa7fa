// Tests of dist/: the recipe for release tools, and the file for several packages, which their tags choose.
import { afterEach, beforeEach, describe, expect } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import { onPosix } from '../support/platform.ts'
import { ATTACHED, EXPIRED, forChangesets, forOwnTags, forPro, TESTERS } from './recipe-edits.ts'
import { openStage, outcomesOf, type RecipeStage, type Start } from './recipe-stage.ts'

let stage: RecipeStage
beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage[Symbol.asyncDispose]())

describe('several packages in one repository', () => {
  const press = (mode: string, tag: string) =>
    stage.play('monorepo', { event: 'hand', inputs: { mode, tag } })

  onPosix('a check is for every package (POSIX shell)', async () => {
    expect(outcomesOf(await press('check', ''))).toEqual({ 'publish.2': 'checked' })
    expect(stage.service.checks.map(({ path }) => path)).toEqual([
      '/api/products/12/versions',
      '/api/products/14/versions'
    ])
  })

  onPosix.each([
    ['gallery-v1.4.2', '12', 'Gallery 1.4.2', 'gallery-1.4.2.zip'],
    ['gallery-vue-v1.4.2', '14', 'Gallery for Vue 1.4.2', 'gallery-vue-1.4.2.zip']
  ])('%s is of one package alone (POSIX shell)', async (tag, product, title, file) => {
    stage.addRelease(tag, {})
    const played = await stage.play('monorepo', { tag })

    expect(outcomesOf(played)).toEqual({ 'publish.2': 'published' })
    expect(stage.service.versions).toMatchObject([
      { versionName: '1.4.2', record: { product_id: product, title, file_name: file } }
    ])
  })

  onPosix.each(['1.4.2', 'slider-v1.4.2', 'gallery-video', ''])(
    'the tag “%s”, which is of no package, is red (POSIX shell)',
    async tag => {
      const played = await press('publish', tag)
      expect(played.get('choose')?.result).toBe('failure')
      expect(played.get('choose.choose')?.printed).toBe(
        `::error::No package has the tag "${tag || 'main'}". A package's tags begin with gallery-v, gallery-vue-v. If a package is missing, add it to PACKAGES.\n`
      )
      expect(outcomesOf(played)).toEqual({})
      expectNothingAsked(stage)
    }
  )

  onPosix('a release of a package that the file does not have is red (POSIX shell)', async () => {
    stage.addRelease('slider-v1.4.2', {})
    const played = await stage.play('monorepo', { tag: 'slider-v1.4.2' })
    expect(played.get('choose')?.result).toBe('failure')
    expectNothingAsked(stage)
  })
})

describe('after a release tool', () => {
  const TOOL = 'after-a-release-tool'
  const MONOREPO = 'monorepo'
  const RELEASE_PLEASE: Start = { event: 'push' }
  const CHANGESETS: Start = { event: 'push', edit: forChangesets }

  /** Tags of changesets in the monorepo's file, as its comment says. */
  const forTheirTags = (text: string) => text.replaceAll(/"(gallery(?:-vue)?)-v"/g, '"$1@"')

  /** Plays the runs that a tool's workflow has started since `from`. */
  const playStarted = async (heading: string, start: Start = {}, from = 0) => {
    const outcomes: string[] = []
    for (const { file, ref, inputs } of stage.listStarted().slice(from)) {
      expect(file).toBe('publish.yml')
      const played = await stage.play(heading, {
        ...start,
        event: 'started',
        tag: ref,
        inputs
      })
      outcomes.push(...Object.values(outcomesOf(played)))
    }
    return outcomes
  }

  onPosix.each<[name: string, tool: Start, tags: readonly string[], heading: string, start: Start]>(
    [
      ['release-please', RELEASE_PLEASE, ['v1.4.2'], 'built-file', {}],
      [
        'release-please, with two packages',
        RELEASE_PLEASE,
        ['gallery-v1.4.2', 'gallery-vue-v1.4.2'],
        MONOREPO,
        {}
      ],
      [
        'changesets, with two packages',
        CHANGESETS,
        ['gallery@1.4.2', 'gallery-vue@1.4.2'],
        MONOREPO,
        { edit: forTheirTags }
      ]
    ]
  )('%s: each tag is published (POSIX shell)', async (_, tool, tags, heading, start) => {
    stage.setDue(...tags)
    const released = await stage.play(TOOL, tool)
    expect(released.get('release')?.result).toBe('success')

    const inputs = (tag: string) => ({ mode: 'publish', tag })
    const wanted = tags.map(tag => ({ file: 'publish.yml', ref: tag, inputs: inputs(tag) }))
    expect(stage.listStarted()).toEqual(wanted)

    expect(await playStarted(heading, start)).toEqual(tags.map(() => 'published'))
    expect(stage.service.versions).toHaveLength(tags.length)
  })

  onPosix(
    'semantic-release, or a script that leaves its tags on the commit (POSIX shell)',
    async () => {
      stage.addRelease('v1.4.2', {})
      await stage.play(TOOL, { event: 'push', edit: forOwnTags })
      expect(await playStarted('built-file')).toEqual(['published'])
    }
  )

  onPosix.each<[name: string, tool: Start]>([
    ['release-please', RELEASE_PLEASE],
    ['changesets', CHANGESETS]
  ])(
    '%s: a push that releases nothing is green, and starts nothing (POSIX shell)',
    async (_, tool) => {
      const played = await stage.play(TOOL, tool)
      expect(played.get('release')?.result).toBe('success')
      expect(stage.listStarted()).toEqual([])
    }
  )

  onPosix('Pro: the started run publishes both editions (POSIX shell)', async () => {
    stage.setDue('v1.4.2')
    await stage.play(TOOL, RELEASE_PLEASE)
    stage.addRelease('v1.4.2', ATTACHED)
    expect(await playStarted(TESTERS, { edit: forPro })).toEqual(['published', 'published'])
  })

  onPosix(
    'an expired token: the started run is red, and a re-run of it publishes (POSIX shell)',
    async () => {
      stage.setDue('gallery-v1.4.2', 'gallery-vue-v1.4.2')
      await stage.play(TOOL, RELEASE_PLEASE)
      expect(await playStarted(MONOREPO, { token: EXPIRED })).toEqual(['failed', 'failed'])

      // Re-run all jobs of the tool's workflow: its releases exist, so it starts nothing.
      const again = await stage.play(TOOL, { ...RELEASE_PLEASE, attempt: 2 })
      expect(again.get('release')?.result).toBe('success')
      expect(stage.listStarted()).toHaveLength(2)
      expect(stage.service.versions).toEqual([])

      expect(await playStarted(MONOREPO, { attempt: 2 })).toEqual(['published', 'published'])
      expect(await playStarted(MONOREPO, { attempt: 3 })).toEqual(['skipped', 'skipped'])
      expect(stage.service.versions).toHaveLength(2)
    }
  )

  onPosix(
    'a workflow that does not start is red; the others start, and the button helps (POSIX shell)',
    async () => {
      stage.setDue('gallery-v1.4.2', 'gallery-vue-v1.4.2')
      stage.refuseToStart('gallery-v1.4.2')
      const failed = await stage.play(TOOL, RELEASE_PLEASE)

      expect(failed.get('release')?.result).toBe('failure')
      expect(failed.get('release.1')?.printed).toContain(
        '::error::The publishing workflow was not started for gallery-v1.4.2. '
      )
      expect(stage.listStarted().map(({ ref }) => ref)).toEqual([
        'gallery-v1.4.2',
        'gallery-vue-v1.4.2'
      ])

      // Re-run failed jobs of the tool's workflow does not help, as the message says.
      await stage.play(TOOL, { ...RELEASE_PLEASE, attempt: 2, failed })
      expect(stage.listStarted()).toHaveLength(2)

      const inputs = { mode: 'publish', tag: 'gallery-v1.4.2' }
      const pressed = await stage.play(MONOREPO, { event: 'hand', inputs })
      expect(outcomesOf(pressed)).toEqual({ 'publish.2': 'published' })
    }
  )

  onPosix('a tag of no package is red (POSIX shell)', async () => {
    stage.setDue('slider-v1.4.2')
    await stage.play(TOOL, RELEASE_PLEASE)
    expect(await playStarted(MONOREPO)).toEqual([])

    const inputs = { mode: 'publish', tag: 'slider-v1.4.2' }
    const played = await stage.play(MONOREPO, { event: 'started', tag: 'slider-v1.4.2', inputs })
    expect(played.get('choose')?.result).toBe('failure')
  })
})
