// Tests of src/publish with all that it calls: how many requests it sends to GitHub, whose job tokens have 1,000 an
// hour.
import { expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'
import { openStage } from './stage.ts'

test('a publication over 100 ms takes 12 requests at most, and 6 seconds of waiting', async () => {
  await using stage = await openStage({ hidesLag: true })
  const { clock, requests } = stage.github
  const far: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const exchange: typeof connection.exchange = request => {
      if (origin === stage.github.url) clock.advance(100)
      return connection.exchange(request)
    }
    return {
      exchange,
      startUpload: request => connection.startUpload(request),
      close: () => connection.close()
    }
  }

  let pauses = 0
  const pausing = () => {
    pauses++
  }

  const { outputs } = await stage.run({
    connect: far,
    pausing,
    inputs: { file: 'medium/*.zip' }
  })

  expect([outputs.outcome, pauses]).toEqual(['published', 1])
  expect(requests.length).toBeLessThanOrEqual(12)
})

test.each([-60_000, 2000, 60_000])(
  'a `Date` that is %i ms ahead neither shortens nor lengthens the wait',
  async dateAhead => {
    await using stage = await openStage({ hidesLag: true, dateAhead })
    const start = stage.github.clock.now().getTime()
    const pauses: number[] = []
    const pausing = () => void pauses.push(stage.github.clock.now().getTime() - start)

    const { outputs } = await stage.run({ pausing })

    expect(outputs.outcome).toBe('published')
    expect(pauses).toHaveLength(1)
    expect(pauses[0]).toBeGreaterThanOrEqual(6000)
  }
)

test('with 100 failed claims, a publication takes 250 requests at most, and reads each claim at each look', async () => {
  await using stage = await openStage({ hidesLag: true })
  for (let count = 0; count < 100; count++) {
    stage.claim(`${count}`, 'in_progress', 'failure')
  }
  stage.github.clock.advance(60_000)

  const { outputs } = await stage.run()

  expect(outputs.outcome).toBe('published')
  const { requests } = stage.github
  expect(requests.length).toBeLessThanOrEqual(250)

  const reads = requests.filter(({ path }) => path.includes('/statuses?')).map(({ path }) => path)
  const own = stage.github.deployments.at(-1)?.id
  const others = reads.filter(path => !path.includes(`/${own}/`))
  // At arrival, and before the last bytes: a person may have corrected a slip on any of them meanwhile.
  expect([others.length, new Set(others).size]).toEqual([200, 100])
})
