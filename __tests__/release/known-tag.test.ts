// Tests of src/release/known-tag.ts: how long a tag is looked for, and which one is named in place of it.
import { describe, expect, test } from '@jest/globals'
import { findKnown } from '../../src/release/known-tag.ts'
import type { TaggedRelease } from '../../src/release/tagged.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { down, openReleases, raw, release } from './released.ts'

const COMMIT = '/commits/{ref}'
const TAGS = '/tags'
const TAG = '/tags/{tag}'

type Answers = Readonly<Record<string, unknown>>

interface Given extends Partial<TaggedRelease> {
  /** True when left out. */
  readonly isGitHub?: boolean
}

/** Looks for a tag without a release, on a GitHub that answers these routes. */
async function findTag(tag: string, answers: Answers, { isGitHub = true, ...given }: Given = {}) {
  const { api, asked } = openReleases(answers)
  let waited = 0
  const tagged = {
    tag,
    release: undefined,
    ownCommit: false,
    standsIn: false,
    ...given
  }

  const found = await findKnown({
    api: { ...api, isGitHub },
    look: async () => tagged,
    sleep: async ms => {
      waited += ms
    }
  }).catch((error: unknown) => {
    if (error instanceof ActionError) return `${error.reason}: ${error.message}`
    throw error
  })

  return { found, waited, asked }
}

const named = (...names: readonly string[]) => {
  return { [TAGS]: names.map(name => ({ name })), '/releases': [raw] }
}

describe('a tag that exists', () => {
  test.each<[string, [tag: string, answers: Answers, given?: Given]]>([
    ['has a release', ['v1', {}, { release }]],
    ['started the run', ['v1', {}, { ownCommit: true }]],
    ['has a commit', ['v1', { [COMMIT]: { sha: 'c0ffee' } }]],
    [
      'is known to Gitea by a route of its own',
      ['v1', { [TAG]: { name: 'v1', commit: { sha: 'c0ffee' } } }, { isGitHub: false }]
    ]
  ])('is not waited for: it %s', async (_, given) => {
    expect(await findTag(...given)).toMatchObject({ found: { tag: 'v1' }, waited: 0 })
  })
})

describe('a tag that does not exist', () => {
  test.each([
    ['1.2.3', ['v9'], ' Did you mean "v1.2.3"?'],
    ['V2.0.0', ['v2.0.0'], ' Did you mean "v2.0.0"?'],
    ['2.0.0', ['plugin-v2.0.0'], ' Did you mean "plugin-v2.0.0"?'],
    ['v1.42', ['v1.4.2'], ' Did you mean "v1.4.2"?'],
    ['nightly', [], ' The newest tags: "v1.2.3".']
  ])(
    'is looked for during 10 seconds, and then the tag that is meant is named: %s',
    async (tag, tags, hint) => {
      const { found, waited } = await findTag(tag, named(...tags))
      expect(found).toBe(`event: GitHub knows neither a release nor a tag "${tag}".${hint}`)
      expect(waited).toBe(10_000)
    }
  )

  test('is not what GitHub’s failure says', async () => {
    await expect(findTag('v1', { [COMMIT]: down })).rejects.toThrow('502')
    await expect(findTag('v1', { [TAGS]: down })).rejects.toThrow('502')
  })
})
