// The scenes of the advice: runs with one mistake, or one misfortune, in every mode.
import { MODE_NAMES } from '../../src/report/modes.ts'
import { DEEP } from '../support/deep.ts'
import type { EventOption } from '../support/runner.ts'
import { FILE, type PublishOptions, type Shop, type ShopOptions } from '../support/shop.ts'

type Texts = Readonly<Record<string, string>>

/** A run with one mistake, or one misfortune. */
export interface Scene {
  readonly name: string
  /** The mode that was asked for: by the step, by the button, or by a release. */
  readonly asked: (typeof MODE_NAMES)[number] | 'unclear'
  readonly shop?: ShopOptions
  readonly before?: (shop: Shop) => unknown
  readonly run: (shop: Shop) => PublishOptions
  /** Set where a release's own run failed, and no re-run can mend it. */
  readonly needsCorrection?: boolean
}

/** A run by the button, with these inputs. */
export const press = (inputs: Texts): EventOption => ({
  name: 'workflow_dispatch',
  payload: { inputs }
})
const pushTag: PublishOptions = {
  event: { name: 'push', payload: { repository: {} } },
  env: { GITHUB_REF: 'refs/tags/v9.9.9' }
}
const lost = { kind: 'reset-after-body', stored: true } as const
const noRecord = { permissions: { deployments: 'none' } } as const

/** A wrong input, for every way to start. */
const WRONG: readonly Texts[] = [{ product: 'gallery' }]
/** More of them, for the deep suite: `guidance.test.ts` tries every reason in every mode. */
const MORE_WRONG: readonly Texts[] = [
  { 'base-url': 'https://shop.example.com/api' },
  { 'version-name': '' },
  { file: 'dist/*.zip\n!dist/*', changelog: 'CHANGELOG.md' }
]
const wrong = DEEP ? [...WRONG, ...MORE_WRONG] : WRONG
const wrongInputs: readonly Scene[] = wrong.flatMap((inputs): readonly Scene[] => {
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
    name: 'a lost answer',
    asked: 'publish',
    before: shop => shop.service.misbehave(lost),
    run: () => ({})
  },
  {
    name: 'empty notes',
    asked: 'publish',
    shop: { release: { body: '' } },
    run: () => ({})
  },
  {
    name: 'a refusal by fields',
    asked: 'publish',
    before: shop =>
      shop.service.misbehave({
        kind: 'answer',
        status: 422,
        body: { message: 'No.', errors: { file: ['is ugly'] } },
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

export const SCENES: readonly Scene[] = [...wrongInputs, ...buttons, ...others]
