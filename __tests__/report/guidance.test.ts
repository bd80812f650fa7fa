// Tests of src/report/guidance.ts with result.ts: no advice asks for more than was asked for, whatever the mode, the event,
// the reason and what mends it.
import { expect, test } from '@jest/globals'
import type { RunFacts } from '../../src/report/guidance.ts'
import { MODE_NAMES, type Mode } from '../../src/report/modes.ts'
import { resultOfError } from '../../src/report/result.ts'
import { ActionError, REASONS, type Remedy } from '../../src/runner/action-error.ts'
import { contextOf } from '../../src/runner/runner.ts'

const REMEDIES: readonly (Remedy | undefined)[] = [
  undefined,
  'run again',
  'edit release',
  'correct workflow',
  'new version'
]
const EVENTS = ['release', 'push', 'workflow_dispatch', 'schedule']
const NEVER = new AbortController().signal

function factsOf(mode: Mode | undefined, eventName: string): RunFacts {
  const env = {
    GITHUB_EVENT_NAME: eventName,
    GITHUB_WORKFLOW: 'Release',
    GITHUB_ACTION_REPOSITORY: 'acme/publish',
    GITHUB_ACTION_REF: 'v1'
  }
  return {
    context: contextOf(env, '/'),
    mode,
    tag: 'v1.4.2',
    baseUrl: ''
  }
}

/** The advice about every kind of error. */
function adviceFor(facts: RunFacts): string[] {
  return REASONS.flatMap(reason =>
    REMEDIES.map(remedy => {
      const error = new ActionError(reason, 'Wrong.', { remedy })
      return resultOfError(error, facts, NEVER).advice
    })
  )
}

/** The modes that an advice tells to press. */
function modesIn(advice: string): string[] {
  return Array.from(advice.matchAll(/with mode `([\w-]+)`/g), ([, mode = '']) => mode)
}

test.each([...MODE_NAMES, undefined])(
  'after %s, no advice asks for another mode that does more',
  mode => {
    const pressed = new Set<string>()
    for (const eventName of EVENTS) {
      for (const advice of adviceFor(factsOf(mode, eventName))) {
        for (const one of modesIn(advice)) pressed.add(one)
      }
    }
    const expected = mode === 'publish' ? ['check', 'publish'] : [mode ?? 'check']
    expect([...pressed].toSorted()).toEqual(expected)
  }
)
