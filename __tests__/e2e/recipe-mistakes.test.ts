// Tests of dist/: in each workflow of the documentation, a mistake is red, and its way out leads to a publication.
import { afterEach, beforeEach, describe, expect } from '@jest/globals'
import { onPosix } from '../support/platform.ts'
import { APPROVAL, ATTACHED, COMES_AFTER, EXPIRED, TESTERS } from './recipe-edits.ts'
import { openStage, outcomesOf, type RecipeStage } from './recipe-stage.ts'

let stage: RecipeStage
beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage[Symbol.asyncDispose]())

/** Every workflow that publishes, and the tag that it publishes. */
const PUBLISHING: readonly (readonly [heading: string, tag: string])[] = [
  ['publish-version', 'v1.4.2'],
  ['attached-file', 'v1.4.2'],
  ['built-file', 'v1.4.2'],
  ['wordpress-plugin', 'v1.4.2'],
  ['monorepo', 'gallery-v1.4.2'],
  ['a-minecraft-plugin', 'v1.4.2'],
  ['a-composer-or-npm-package', 'v1.4.2'],
  [TESTERS, 'v1.4.2'],
  [APPROVAL, 'v1.4.2'],
  [COMES_AFTER, 'v1.4.2']
]

describe('a mistake is red, and another run mends it', () => {
  onPosix.each(PUBLISHING)(
    '%s: an expired token, then either re-run (POSIX shell)',
    async (heading, tag) => {
      stage.addRelease(tag, ATTACHED)
      const failed = await stage.play(heading, { tag, token: EXPIRED })
      expect(Object.values(outcomesOf(failed))).toContain('failed')
      expect(stage.service.versions).toEqual([])

      // Re-run failed jobs.
      const again = await stage.play(heading, { tag, attempt: 2, failed })
      expect(Object.values(outcomesOf(again))).toContain('published')
      const { length } = stage.service.versions

      // Re-run all jobs.
      const all = await stage.play(heading, { tag, attempt: 3 })
      expect(Object.values(outcomesOf(all))).toContain('skipped')
      expect(stage.service.versions).toHaveLength(length)
    }
  )

  onPosix.each(PUBLISHING)(
    '%s: the answer is lost, and no re-run sends it again (POSIX shell)',
    async (heading, tag) => {
      stage.addRelease(tag, ATTACHED)
      stage.service.misbehave({ kind: 'reset-after-body', stored: true })
      const lost = await stage.play(heading, { tag })
      expect(Object.values(outcomesOf(lost))).toContain('unknown')
      const { length } = stage.service.versions

      const again = await stage.play(heading, { tag, attempt: 2, failed: lost })
      expect(Object.values(outcomesOf(again))).toContain('unknown')
      expect(stage.service.versions).toHaveLength(length)
    }
  )

  onPosix.each(['attached-file', TESTERS, APPROVAL, COMES_AFTER])(
    '%s: the file is not attached yet (POSIX shell)',
    async heading => {
      const edit = (text: string) =>
        text.replaceAll('asset: ', 'asset-timeout: 0\n          asset: ')
      stage.addRelease('v1.4.2', {})
      const failed = await stage.play(heading, { edit })
      expect(new Set(Object.values(outcomesOf(failed)))).toEqual(new Set(['failed']))

      stage.addRelease('v1.4.2', ATTACHED)
      const again = await stage.play(heading, { edit, attempt: 2, failed })
      expect(Object.values(outcomesOf(again))).toContain('published')
    }
  )

  onPosix.each([
    'built-file',
    'wordpress-plugin',
    'a-minecraft-plugin',
    'a-composer-or-npm-package'
  ])(
    '%s: the tag of an older version has code that states another one (POSIX shell)',
    async heading => {
      stage.addRelease('v1.4.3', {})
      const played = await stage.play(heading, { tag: 'v1.4.3' })

      expect(Object.values(outcomesOf(played))).toEqual(['failed'])
      expect(stage.service.versions).toEqual([])
    }
  )
})
