// Tests of src/publish with all that it calls: what the preflight decides, and the words after the tail, each with
// the run that comes next.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { SHORTEST_UPLOAD } from '../../sandbox/service.ts'
import { sampleOf } from '../support/deep.ts'
import { breachesOf } from './invariants.ts'
import { firstNote, openStage } from './stage.ts'

const PAGE = '<html><title>Welcome</title></html>'
const MISSED = { message: 'No.', errors: { title: ['is required'] } }
const DOCUMENTED = { message: 'No.' }
const NGINX = { server: 'nginx/1' }
/** Short, for silence that has to end by them; nothing else reaches a limit, however busy the machine is. */
const LIMITS = { 'stall-timeout': '0.5', 'response-timeout': '0.5' }

const answer = (status: number, body: unknown = '', headers = {}): Fault => {
  return {
    kind: 'answer',
    status,
    body,
    headers,
    stored: false
  }
}
const many = (fault: Fault) => Array.from({ length: 4 }, () => fault)
const RESET: Fault = { kind: 'reset-before-body' }
const SILENCE: Fault = { kind: 'silence-after-body', stored: false }

/** A run where these faults wait. `checks` and `uploads` are its requests; `next` is the run after it, if recorded. */
async function play(faults: readonly Fault[], inputs: Readonly<Record<string, string>> = {}) {
  await using stage = await openStage({}, { sparesChecks: false })
  stage.service.misbehave(...faults)
  const limits = faults.includes(SILENCE) ? LIMITS : {}
  const run = await stage.run({ inputs: { ...limits, ...inputs } })

  const sizes = stage.service.requests.map(({ headers }) => Number(headers['content-length']))
  const uploads = sizes.filter(size => size >= SHORTEST_UPLOAD).length
  const played = {
    run,
    outcome: run.outputs.outcome,
    uploads,
    checks: sizes.length - uploads,
    claims: stage.histories()
  }
  expect(breachesOf(run, stage)).toEqual([])

  // Without a record, the next run would publish again, and nobody promises otherwise.
  if (inputs.record === 'false') return { ...played, next: {} }

  const next = await stage.run({ attempt: 2 })
  expect(breachesOf(next, stage)).toEqual([])
  return { ...played, next: next.outputs }
}

type PreflightCase = readonly [says: string, faults: readonly Fault[], checks: number]

test.each<PreflightCase>([
  ['401 with missed fields', [answer(401, MISSED)], 1],
  ['200 with a web page', [answer(200, PAGE)], 1],
  ['a redirect', [answer(302, '', { location: '/login' })], 1],
  ['silence', [SILENCE], 1],
  ...sampleOf([429, 502, 503, 504], 2).map(
    (status): PreflightCase => [`${status} for ever`, many(answer(status)), 4]
  ),
  ['429 with missed fields for ever', many(answer(429, MISSED)), 4],
  ['503 and a pause of an hour', [answer(503, '', { 'retry-after': '3600' })], 1],
  ['resets for ever', many(RESET), 4],
  ['resets at connect for ever', many({ kind: 'reset-at-connect' }), 0]
])(
  'a preflight that is answered by %s fails: nothing is uploaded or claimed',
  async (_, faults, checks) => {
    const played = await play(faults)

    expect(played).toMatchObject({
      outcome: 'failed',
      checks,
      uploads: 0,
      claims: []
    })
    expect(firstNote(played.run)).toMatch(/^Nothing was (?:uploaded|published)/)
    expect(played.next.outcome).toBe('published')
  }
)

test.each<PreflightCase>([
  ['missed fields', [answer(422, MISSED)], 1],
  ['a message alone', [answer(400, DOCUMENTED)], 1],
  ['a page and 413', [answer(413, PAGE)], 1],
  ...sampleOf([429, 502, 503, 504], 2).map(
    (it): PreflightCase => [`${it} once`, [answer(it, PAGE)], 2]
  ),
  ['503 thrice, with pauses', many(answer(503, '', { 'retry-after': '110' })).slice(1), 4],
  ['a reset', [RESET], 2],
  ['a reset at connect', [{ kind: 'reset-at-connect' }], 1]
])('a preflight that is answered by %s lets the upload go on', async (_, faults, checks) => {
  const { next, ...played } = await play(faults)
  expect(played).toMatchObject({ outcome: 'published', checks, uploads: 1 })
  expect(next).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
})

test.each([
  {
    status: 200,
    body: PAGE,
    reason: 'inconclusive',
    said: 'answered 200 (nginx, a page called "Welcome")'
  },
  {
    status: 201,
    body: { data: { id: 7 } },
    reason: 'inconclusive',
    said: 'should have been refused: check in the shop'
  },
  {
    status: 403,
    body: DOCUMENTED,
    reason: 'rejected',
    said: 'check whose token it is'
  }
])(
  'a preflight that is answered by $status says what that means',
  async ({ status, body, reason, said }) => {
    const { run } = await play([answer(status, body, NGINX)])
    expect(run.outputs.reason).toBe(reason)
    expect(firstNote(run)).toContain(said)
  }
)

const location = 'https://www.shop.example.com/api/products/12/versions'
const EXISTS = { message: 'Exists.' }
const UNSAID = ', which does not say whether the version was published.'

/** An answer that is given in place of the shop's. */
interface LateAnswer {
  readonly name: string
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** In the first note of the run. */
  readonly said: string | RegExp
}

test.each<LateAnswer>([
  {
    name: 'a page',
    status: 404,
    body: PAGE,
    headers: NGINX,
    said: ` answered 404 (nginx, a page called "Welcome")${UNSAID}`
  },
  {
    name: 'a bare status',
    status: 403,
    body: '',
    said: ` answered 403${UNSAID}`
  },
  {
    name: 'another’s JSON',
    status: 422,
    body: { error: 'x' },
    said: ` answered 422${UNSAID}`
  },
  {
    name: 'a redirect',
    status: 307,
    body: '',
    headers: { location },
    said: ' answered 307 and points to "https://www.shop'
  },
  {
    name: 'a redirect with words',
    status: 308,
    body: DOCUMENTED,
    headers: { location },
    said: /answered 308 and points to ".*" and says "No\.", which/
  },
  ...sampleOf([409, 500, 408, 425], 2).map(status => ({
    name: `a documented ${status}`,
    status,
    body: EXISTS,
    said: new RegExp(`127.0.0.1:\\d+ answered ${status} and says "Exists\\."`)
  }))
])(
  '$name after the tail is in doubt, and nothing is sent again',
  async ({ status, body, headers = {}, said }) => {
    const late = {
      kind: 'answer',
      status,
      body,
      headers,
      least: SHORTEST_UPLOAD
    } as const

    const { next, run, ...played } = await play([late])

    expect(played).toMatchObject({
      outcome: 'unknown',
      uploads: 1,
      claims: ['in_progress error']
    })
    expect(firstNote(run)).toMatch(said)
    expect(next).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
  }
)

test.each([
  ...sampleOf([400, 429, 401, 404, 413], 2).map(status => ({ status, body: DOCUMENTED })),
  ...[403, 422].map(status => ({ status, body: MISSED }))
])(
  'a documented $status after the tail is a refusal, and the next run publishes',
  async ({ status, body }) => {
    const { next, ...played } = await play([{ ...answer(status, body), least: SHORTEST_UPLOAD }])

    expect(played).toMatchObject({
      outcome: 'failed',
      uploads: 1,
      claims: ['in_progress failure']
    })
    expect(next.outcome).toBe('published')
  }
)
