// Tests of src/publish/send.ts: what keeps an upload from starting, and which link is written down.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError, type Connect, type ExchangeRequest } from '../../src/http/exchange.ts'
import { openStage, told } from '../matrix/stage.ts'
import { TOKEN } from '../support/shop.ts'

const ODD = { toString: 1, valueOf: 1 }
// With a link that has no text; where no end can be recorded, and the command for that cannot be made; and with a
// log that breaks.
test.each<[string, unknown, Readonly<Record<string, string>>, string]>([
  ['require', ODD, {}, ''],
  ['off', ODD, {}, ''],
  ['require', 'https://a.example/1', { GITHUB_SERVER_URL: 'nowhere' }, ''],
  ['off', 'https://a.example/1', {}, 'Published. Version id: ']
])(
  'what is published stays so when telling it fails: once %s, %j, %j, %j',
  async (once, download_url, env, broken) => {
    await using stage = await openStage()
    if ('GITHUB_SERVER_URL' in env) {
      for (const nth of [2, 3, 4, 5]) {
        const on = { method: 'POST', path: /statuses/, nth }
        stage.github.misbehave({ kind: 'status', status: 502, on })
      }
    }
    const onLine = (line: string) => {
      if (broken !== '' && line.includes(broken)) throw new Error('The log is full')
    }
    const body = { data: { id: 77, download_url } }
    stage.service.misbehave({ kind: 'answer', status: 201, body, least: 1000 })
    const targets = '- title: Albums\n- product: 12\n  benefit: 34'
    const run = await stage.run({ inputs: { once, targets }, env, onLine })
    expect(run.outputs).toMatchObject({ outcome: 'published', reason: '', version_id: '77' })
    const ids: unknown = JSON.parse(run.outputs.versions ?? '')
    expect(ids).toMatchObject([
      { outcome: 'published', version_id: 77, download_url },
      { outcome: 'published', version_id: 1002 }
    ])
    expect([run.failed, run.after]).toEqual([false, 2])
    expect(run.summary).toMatch(/^## ✅ 2 published/)
  }
)

test.each([
  ['a wrong token', { token: 'one-that-opens-nothing' }, '401'],
  ['a product of somebody else', { product: '13' }, '403'],
  ['a product that is not there', { product: '99' }, '404']
])('%s ends the run at the first request', async (_, inputs, status) => {
  await using stage = await openStage()
  const run = await stage.run({ inputs })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations[0]?.message).toMatch(new RegExp(`^Nothing was uploaded\\. .*${status}`))
  expect([stage.service.requests, stage.github.deployments]).toEqual([[], []])
})

const denied = 'Resource not accessible by integration'
test.each([
  ['require', new TypeError('a bug')],
  ['auto', new GitHubError(denied, { status: 403 })],
  ['off', new GitHubError('It broke.')],
  ['off', new CancelledError()]
])('what is thrown after the tail ends in doubt: once %s, %s', async (once, thrown) => {
  await using stage = await openStage()
  const breaking: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const exchange = async (request: ExchangeRequest) => {
      const ended = await connection.exchange(request)
      if ((request.body?.length ?? 0) > 1000 && request.path.includes('/versions')) throw thrown
      return ended
    }
    return { ...connection, exchange }
  }
  const run = await stage.run({ connect: breaking, inputs: { once } })
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'internal' })
  expect(told(run)).toMatch(
    /^Nobody knows whether it is published\..*before you run this job again/s
  )
  expect([run.failed, run.after]).toEqual([true, 1])
})

test('what the shop refuses before the tail never comes into doubt', async () => {
  await using stage = await openStage()
  const ending: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const exchange = ({ body, ...request }: ExchangeRequest) => {
      if (!body || body.length < 1000 || origin !== stage.service.origin) {
        return connection.exchange(body ? { ...request, body } : request)
      }
      // As for a request that has an answer already.
      const tail = () => body.tail(AbortSignal.abort())
      return connection.exchange({ ...request, body: { ...body, tail } })
    }
    return { ...connection, exchange }
  }
  const run = await stage.run({ connect: ending })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'withheld' })
  expect([stage.histories(), run.after]).toEqual([['failure'], 0])
})

const address = 'https://shop.example.com/downloads/1'
test.each([
  ['that everyone may see', address, address],
  ['that holds the token', `${address}?token=${TOKEN}`, ''],
  ['that holds the token, encoded', `${address}?token=${encodeURIComponent(TOKEN)}`, ''],
  ['that leads elsewhere', 'javascript:alert(1)', '']
])('the deployment gets a link %s, or none', async (_, link, expected) => {
  await using stage = await openStage()
  const body = { data: { id: 1001, download_url: link } }
  stage.service.misbehave({ kind: 'answer', status: 201, body, stored: true })
  expect((await stage.run()).outputs.outcome).toBe('published')
  const [claim] = stage.github.deployments
  expect(claim?.statuses.at(-1)).toMatchObject({ state: 'success', environment_url: expected })
})
