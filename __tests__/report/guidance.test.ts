// Tests of src/report/guidance.ts with result.ts: no advice asks for more than was asked for, whatever the mode, the reason and
// what mends it; and each remedy is one sentence, the same in every mode.
import { expect, test } from '@jest/globals'
import type { Asked } from '../../src/report/asked.ts'
import { describeRemedy } from '../../src/report/guidance.ts'
import { MODE_NAMES, type Mode } from '../../src/report/modes.ts'
import { resultOfError } from '../../src/report/result.ts'
import { ActionError, REASONS, type Remedy } from '../../src/runner/action-error.ts'
import { contextOf } from '../../src/runner/runner.ts'

const NEVER = new AbortController().signal

function askedFor(mode: Mode | undefined): Asked {
  const env = {
    GITHUB_WORKFLOW: 'Release',
    GITHUB_ACTION_REPOSITORY: 'acme/publish',
    GITHUB_ACTION_REF: 'v1'
  }
  return {
    context: contextOf(env, '/'),
    event: {
      action: '',
      release: undefined,
      inputs: {},
      isPrivate: undefined
    },
    stepMode: '',
    stepTag: '',
    button: {
      given: undefined,
      mode: undefined,
      tag: '',
      isBare: false,
      others: []
    },
    mode,
    eventTag: 'v1.4.2',
    tag: 'v1.4.2',
    baseUrl: ''
  }
}

const AGAIN = 'Press *Re-run failed jobs*.'
const EDIT = 'Edit the release, then press *Re-run failed jobs*.'
const CORRECT = 'Correct the workflow on your default branch, then start it again: '
const BUTTON = 'Actions → Release → Run workflow with mode'

test.each<[Remedy, Mode | undefined, string]>([
  ...[...MODE_NAMES, undefined].flatMap((mode): [Remedy, Mode | undefined, string][] => [
    ['run again', mode, AGAIN],
    ['edit release', mode, EDIT]
  ]),
  [
    'correct workflow',
    'publish',
    `${CORRECT}${BUTTON} \`check\`, and once that is green, with mode \`publish\` and tag \`v1.4.2\`.`
  ],
  ['correct workflow', 'check', `${CORRECT}${BUTTON} \`check\`.`],
  ['correct workflow', undefined, `${CORRECT}${BUTTON} \`check\`.`],
  ['correct workflow', 'plan', `${CORRECT}${BUTTON} \`plan\` and tag \`v1.4.2\`.`]
])('the remedy “%s” in the mode %s: %s', (remedy, mode, sentence) => {
  expect(describeRemedy(remedy, askedFor(mode))).toBe(sentence)
})

/** The modes that an advice tells to press. */
function modesIn(advice: string): string[] {
  return Array.from(advice.matchAll(/with mode `([\w-]+)`/g), ([, mode = '']) => mode)
}

const REMEDIES: readonly (Remedy | undefined)[] = [
  undefined,
  'run again',
  'edit release',
  'correct workflow'
]

test.each([...MODE_NAMES, undefined])(
  'after %s, no advice asks for another mode that does more',
  mode => {
    const advice = REASONS.flatMap(reason =>
      REMEDIES.map(remedy => {
        const error = new ActionError(reason, 'Wrong.', { remedy })
        return resultOfError(error, askedFor(mode), NEVER).advice
      })
    )
    const pressed = new Set(advice.flatMap(modesIn))
    const expected = mode === 'publish' ? ['check', 'publish'] : [mode ?? 'check']
    expect([...pressed].toSorted()).toEqual(expected)
  }
)
