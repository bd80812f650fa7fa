// Tests of dist/: whoever saves the README's first workflow, and follows what each run advises, comes to the end.
import { expect } from '@jest/globals'
import { onPosix } from '../support/platform.ts'
import { built } from './recipe-sources.ts'
import { openStage, outcomesOf, type RecipeStage, type Start } from './recipe-stage.ts'

const FIRST = 'publish-version'
const WHOLE = 'attached-file'

/** A run, and what is done before it. */
interface Turn {
  readonly before?: (stage: RecipeStage) => void
  /** The first workflow, or the whole file that its advice names. */
  readonly workflow: typeof FIRST | typeof WHOLE
  readonly start: Start
  readonly outcome: string
  /** What the run says: what the next turn does. */
  readonly says: RegExp
}

/** A story: its last turn is the end. */
interface Story {
  readonly name: string
  readonly turns: readonly Turn[]
  readonly versions: number
}

const BUTTON: Start = { event: 'hand' }

function press(mode: string, tag = 'v1.4.2'): Start {
  return { event: 'hand', inputs: { mode, tag } }
}

function replace(from: string, to: string): (text: string) => string {
  return text => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }
}

function addRelease(stage: RecipeStage): void {
  stage.addRelease('v1.4.2', { 'gallery-1.4.2.zip': built })
}

const PLAN_NEXT =
  /Next: with the tag of a release, see what its buyers would get: Actions → Publish → Run workflow with mode `plan`\./
const CHECKED: Turn = {
  workflow: FIRST,
  start: BUTTON,
  outcome: 'checked',
  says: PLAN_NEXT
}
const PLANNED: Turn = {
  before: addRelease,
  workflow: WHOLE,
  start: press('plan'),
  outcome: 'planned',
  says: /Next: if something is wrong, correct it, and plan again: Actions → Publish → Run workflow with mode `plan` and tag `v1\.4\.2`\./
}
const PUBLISHED: Turn = {
  workflow: FIRST,
  start: {},
  outcome: 'published',
  says: /The shop answered that the version is published/
}
const CORRECTED: Turn = {
  workflow: WHOLE,
  start: press('publish'),
  outcome: 'published',
  says: PUBLISHED.says
}

const CORRECT =
  /Correct the workflow on your default branch, then start it again: Actions → Publish → Run workflow with mode `check`/
const CORRECT_AND_PUBLISH =
  /with mode `check`, and once that is green, with mode `publish` and tag `v1\.4\.2`\./

/** A wrong line at the first check: corrected, checked, planned, published. */
function correcting(name: string, start: Start, says: RegExp): Story {
  const wrong: Turn = {
    workflow: FIRST,
    start: { ...BUTTON, ...start },
    outcome: 'failed',
    says
  }
  return { name, turns: [wrong, CHECKED, PLANNED, PUBLISHED], versions: 1 }
}

/** A wrong line that only a release meets: corrected, checked, and published with its tag. */
function correctingRelease(name: string, edit: (text: string) => string): Story {
  const wrong: Turn = {
    before: addRelease,
    workflow: FIRST,
    start: { edit },
    outcome: 'failed',
    says: CORRECT_AND_PUBLISH
  }
  return { name, turns: [wrong, CHECKED, CORRECTED], versions: 1 }
}

const NO_WAIT = replace('asset: gallery-', 'asset-timeout: 0\n          asset: gallery-')

/** The newest version that was sold before is marked, whose tag GitHub does not know. */
function marking(tag: string): Turn {
  return {
    before: addRelease,
    workflow: WHOLE,
    start: press('mark-published', tag),
    outcome: 'marked',
    says: /No run will send it\./
  }
}

const STORIES: readonly Story[] = [
  { name: 'all is well', turns: [CHECKED, PLANNED, PUBLISHED], versions: 1 },
  {
    name: 'versions were sold before: the next one is published',
    turns: [CHECKED, marking('v1.4.1'), { ...PUBLISHED, workflow: WHOLE }],
    versions: 1
  },
  {
    name: 'versions were sold before: an older one is not sent',
    turns: [
      CHECKED,
      marking('v1.5.0'),
      {
        workflow: WHOLE,
        start: {},
        outcome: 'failed',
        says: /"1\.4\.2" is lower than "1\.5\.0"/
      }
    ],
    versions: 0
  },
  correcting(
    'the secret is not saved',
    { token: '' },
    /Save the secret, then press \*Re-run failed jobs\*\./
  ),
  correcting('the token is wrong', { token: 'no-token-of-this-shop' }, /`token`/),
  correcting(
    'the product is a word',
    { edit: replace('product: 12', 'product: gallery') },
    CORRECT
  ),
  correcting(
    'the product is another one',
    { edit: replace('product: 12', 'product: 99') },
    /`product`/
  ),
  correcting(
    'the address has a path',
    { edit: replace(' # yours\n          token:', '/api # yours\n          token:') },
    CORRECT
  ),
  correctingRelease(
    'a release with a product that is a word',
    replace('product: 12', 'product: gallery')
  ),
  correctingRelease(
    'a release without the permission',
    replace('deployments: write', 'deployments: read')
  ),
  {
    name: 'the file is not attached',
    turns: [
      {
        before: stage => stage.addRelease('v1.4.2', {}),
        workflow: FIRST,
        start: { edit: NO_WAIT },
        outcome: 'failed',
        says: /If the file is still to come, attach it, then press \*Re-run failed jobs\*/
      },
      { ...PUBLISHED, before: addRelease, start: { attempt: 2 } }
    ],
    versions: 1
  },
  {
    name: 'the release has no notes',
    turns: [
      {
        before: stage => stage.addRelease('v1.4.2', { 'gallery-1.4.2.zip': built }, { notes: '' }),
        workflow: FIRST,
        start: {},
        outcome: 'failed',
        says: /Write what is new, then press \*Re-run failed jobs\*/
      },
      { ...PUBLISHED, before: addRelease, start: { attempt: 2 } }
    ],
    versions: 1
  },
  {
    name: 'the answer is lost: a person looks, and marks the version',
    turns: [
      {
        before: stage => {
          addRelease(stage)
          stage.service.misbehave({ kind: 'reset-after-body', stored: true })
        },
        workflow: FIRST,
        start: {},
        outcome: 'unknown',
        says: /Run workflow with mode `mark-published` or `mark-not-published` and tag `v1\.4\.2`\./
      },
      {
        workflow: WHOLE,
        start: press('mark-published'),
        outcome: 'marked',
        says: /No run will send it\.\nNext: nothing has to be done\. If it was a mistake, take it back on github\.com, with tag `v1\.4\.2` and environment `127\.0\.0\.1:\d+\/products\/12`/
      },
      {
        workflow: FIRST,
        start: { attempt: 2 },
        outcome: 'skipped',
        says: /is already published/
      }
    ],
    versions: 1
  }
]

onPosix.each(STORIES.map(story => [story.name, story] as const))(
  '%s (POSIX shell)',
  async (_, { turns, versions }) => {
    const stage = await openStage()
    try {
      for (const { before, workflow, start, outcome, says } of turns) {
        before?.(stage)
        const played = await stage.play(workflow, start)
        expect(outcomesOf(played)).toEqual({ 'publish.0': outcome })
        expect(played.get('publish.0')?.run?.log).toMatch(says)
      }
      expect(stage.service.versions).toHaveLength(versions)
    } finally {
      await stage[Symbol.asyncDispose]()
    }
  },
  30_000
)
