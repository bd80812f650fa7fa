// Tests of src/publish with what it calls: a GitHub whose answers are broken is what failed, and nothing is published.
import { expect, test } from '@jest/globals'
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { CREATE, HISTORY, LIST } from './github-faults.ts'
import { openStage } from './stage.ts'

/** An answer of that body, as JSON. */
function answer(body: unknown, headers = {}): GitHubFault {
  return {
    kind: 'status',
    status: 200,
    body,
    headers
  }
}

const OWN_STATUS = {
  id: 1,
  state: 'success',
  description: 'publish-version: published as 7'
}

/** A broken answer of GitHub's. */
interface BrokenAnswer {
  readonly name: string
  /** The requests that are answered so. */
  readonly on: Matcher
  readonly fault: GitHubFault
  /** In the log. */
  readonly said: RegExp
}

const BROKEN_ANSWERS: readonly BrokenAnswer[] = [
  {
    name: 'a list of nothing',
    on: LIST,
    fault: answer([null]),
    said: /was not written by this action/
  },
  {
    name: 'an answer without a date',
    on: LIST,
    fault: answer([], { date: '' }),
    said: /has no date/
  },
  {
    name: 'a claim without an id',
    on: CREATE,
    fault: answer({ id: '7' }),
    said: /the claim without its id/
  },
  {
    name: 'a history without dates',
    on: HISTORY,
    fault: answer([OWN_STATUS]),
    said: /without an id or a date/
  }
]

test.each(BROKEN_ANSWERS)(
  'a GitHub that answers with $name is what failed, and nothing is published',
  async ({ on, fault, said }) => {
    await using stage = await openStage()
    // Where an answer may have been lost, it is asked for four times.
    stage.github.misbehave(...Array.from({ length: 4 }, () => ({ ...fault, on })))

    const { outputs, log } = await stage.run()

    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(log).toMatch(said)
    expect(stage.service.versions).toEqual([])
  }
)
