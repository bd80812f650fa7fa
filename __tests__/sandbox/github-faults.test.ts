// Owns the proof that the stand-in for GitHub misbehaves as it is told to.
import { describe, expect, test } from '@jest/globals'
import { call, deploy, github, ids, plain, repo } from './calling.ts'

describe('faults', () => {
  const create = { method: 'POST', path: /\/deployments$/ }

  test.each([
    ['lost before', { kind: 'reset-before-processing' }, 0],
    ['lost after', { kind: 'reset-after-processing' }, 1],
    ['answered by 502 for nothing', { kind: 'status', status: 502 }, 0],
    ['answered by 502 after all', { kind: 'status', status: 502, processed: true }, 1],
    ['limited', { kind: 'secondary-limit', retryAfter: 3 }, 0],
    ['answered in HTML', { kind: 'html' }, 0],
    ['answered in half', { kind: 'broken-json' }, 1],
    ['late', { kind: 'slow', ms: 50 }, 1]
  ] as const)('a creation that is %s', async (_, fault, count) => {
    github.misbehave({ ...fault, on: create })
    expect((await call(repo)).status).toBe(200)
    const text = await call(`${repo}/deployments`, plain).then(
      ({ status, headers }) => `${status} ${headers.get('retry-after') ?? ''}`.trim(),
      error => (error instanceof SyntaxError ? 'syntax' : 'lost')
    )
    expect(github.deployments).toHaveLength(count)
    const expected = { status: '502', html: '502', slow: '201', 'broken-json': 'syntax' }
    const others = { 'secondary-limit': '403 3', ...expected }
    expect(text).toBe(Object.entries(others).find(([kind]) => kind === fault.kind)?.[1] ?? 'lost')
    expect((await deploy()).status).toBe(201)
  })

  test('hit the nth request, can be silent, and let others act meanwhile', async () => {
    const run = () => void github.createDeployment(plain)
    github.misbehave({ kind: 'meanwhile', run, on: { path: /deployments\?page=1/, nth: 2 } })
    expect([await ids('?page=1'), await ids('?page=1')]).toEqual([[], []])
    expect(await ids()).toEqual([1])
    github.misbehave({ kind: 'silence', processed: true, on: create })
    const signal = AbortSignal.timeout(100)
    const headers = { authorization: 'token t' }
    const body = JSON.stringify(plain)
    const sent = fetch(`${github.url}${repo}/deployments`, {
      method: 'POST',
      headers,
      body,
      signal
    })
    await expect(sent).rejects.toThrow()
    expect(github.deployments).toHaveLength(2)
    expect(github.requests.at(-1)).toMatchObject({ method: 'POST', body: plain })
  })

  test('a body that is no JSON is refused', async () => {
    expect((await call(`${repo}/deployments`, '{')).status).toBe(400)
  })
})
