// Tests of a run that an error stops which nobody caught: its claim is settled, and it says what happened.
import { expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'
import { openStage } from './stage.ts'

test('a claim is settled, and the next run publishes', async () => {
  await using stage = await openStage()
  const stopping = new AbortController()
  const claims = () => stage.github.deployments
  const stray: Connect = (origin, options) => {
    const connection = connect(origin, options)
    return {
      ...connection,
      exchange: request => {
        if (request.body && claims().length > 0) stopping.abort(new Error('lost'))
        return connection.exchange(request)
      }
    }
  }
  const run = await stage.run({ connect: stray, cancelled: stopping.signal })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'internal' })
  expect(run.stdout).toContain('Nothing was published. This should not have happened: lost')
  expect(claims().map(({ statuses }) => statuses.at(-1)?.state)).toEqual(['failure'])
  expect((await stage.run({ attempt: 2 })).outputs.outcome).toBe('published')
})
