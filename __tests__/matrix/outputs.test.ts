// What a hostile record does to outputs and summary: too long, or no text at all.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'
import { breachesOf } from './invariants.ts'
import { openStage } from './stage.ts'

const answer = (data: object) =>
  ({ kind: 'answer', status: 201, body: { data: { id: 7, title: 'Spring', ...data } } }) as const

test('a changelog of 900,000 characters is left out, and a warning says so', async () => {
  await using stage = await openStage()
  stage.service.misbehave(answer({ changelog: 'c'.repeat(900_000), file_name: 'a.zip' }))
  const run = await stage.run()
  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs).toMatchObject({ outcome: 'published', changelog: '', file_name: 'a.zip' })
  expect(JSON.parse(run.outputs.versions ?? '')).toMatchObject([{ id: 7, changelog: null }])
  const warnings = run.annotations.filter(({ kind }) => kind === 'warning')
  const message = expect.stringMatching(/1 MB.*null in `versions`: changelog\. .*is in the log/)
  expect(warnings).toMatchObject([{ message }])
})

test('a summary of endless complaints still says what was to be published', async () => {
  await using stage = await openStage()
  const complaints = Array.from({ length: 9000 }, (_, at) => [`field-${at}`, ['*'.repeat(60)]])
  const body = { message: '*'.repeat(200_000), errors: Object.fromEntries(complaints) }
  stage.service.misbehave({ kind: 'answer', status: 422, stored: false, body })
  const run = await stage.run()
  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs.reason).toBe('rejected')
  expect(run.summary).toContain('- … and 8950 more, in the log')
  expect(run.summary).toContain('SHA-256')
  expect(run.log).toContain('field-8999')
})

test('NUL, line ends of all kinds, delimiters and commands come out byte for byte', async () => {
  const odd =
    '\u0000\ufeffa\r\nb\rc\u2028<<EOF\nEOF\nghadelimiter_\nid=9\n::set-output name=id::9\n🎉\n'
  await using shop = await openShop()
  shop.service.misbehave(answer({ title: odd, changelog: odd, benefit_name: '\n' }))
  const { outputs } = await shop.publish()
  expect(outputs).toMatchObject({ id: '7', title: odd, changelog: odd, benefit_name: '\n' })
})
