// Tests the memory against a GitHub that fails: what is not answered, and what cannot be read.
import { describe, expect, test } from '@jest/globals'
import { type Api, openDeployments } from '../../src/ledger/deployments.ts'
import { AnswerLost } from '../../src/ledger/steps.ts'
import { errorOf, openBoth } from '../github/opened.ts'
import { claimant, publication, remember } from './deployed.ts'
import { isLost } from './remembering.ts'

describe('a claim whose creation is not answered', () => {
  const create = { method: 'POST', path: /\/deployments$/ }

  test.each([
    ['a connection that breaks off before', { kind: 'reset-before-processing' }, 0],
    ['a connection that breaks off after', { kind: 'reset-after-processing' }, 1],
    ['silence after', { kind: 'silence', processed: true }, 1],
    ['502', { kind: 'status', status: 502 }, 0],
    ['502 after all', { kind: 'status', status: 502, processed: true }, 1],
    ['HTML', { kind: 'html', status: 200, processed: true }, 1],
    ['half of the answer', { kind: 'broken-json' }, 1]
  ] as const)(
    'but by %s may have been created, and is not created again',
    async (_, fault, made) => {
      await using opened = await openBoth()
      opened.standIn.misbehave({ ...fault, on: create })
      const memory = remember({ github: opened.open({ patience: 1000 }) })
      await expect(memory.create(claimant)).rejects.toBeInstanceOf(AnswerLost)
      expect(opened.standIn.deployments).toHaveLength(made)
      expect(opened.standIn.requests).toHaveLength(1)
    }
  )

  test.each([
    ['403', 403],
    ['404', 404],
    ['409', 409],
    ['422', 422]
  ])('but by %s was not created', async (_, status) => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'status', status, on: create })
    const error = await errorOf(remember(opened).create(claimant))
    expect([error.status, error.denied]).toEqual([status, status < 405])
  })
})

describe('the memory cannot be read', () => {
  test.each([403, 404, 500])(
    'when a history answers %i, which is no missing permission',
    async status => {
      await using opened = await openBoth()
      const id = await remember(opened).create(claimant)
      const fault = { kind: 'status', status, on: { path: /statuses/ } } as const
      opened.standIn.misbehave(fault, fault, fault, fault)
      const look = remember(opened).look()
      await expect(look).rejects.toThrow(`The history of deployment ${id} could not be read`)
      await expect(look).rejects.not.toHaveProperty('denied')
    }
  )

  test('when an answer has no date, since no other clock will do', async () => {
    const answer = { items: [], now: Number.NaN }
    const written = { data: { id: 7 }, now: 0 }
    const api: Api = {
      read: async () => ({ data: {}, now: 0 }),
      write: async () => written,
      readAll: async () => answer
    }
    const memory = openDeployments(api, publication, 'v1.4.2', isLost)
    await expect(memory.look()).rejects.toThrow('no date')
    await expect(memory.history(7)).rejects.toThrow('no date')
  })
})
