// What a hostile record does to outputs and summary: too long, no text at all, or with a credential in it.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'
import { breachesOf } from './invariants.ts'
import { GITHUB_TOKEN, openStage, TOKEN } from './stage.ts'

const answer = (data: object) =>
  ({ kind: 'answer', status: 201, body: { data: { id: 7, title: 'Spring', ...data } } }) as const

test('a changelog of 900,000 characters is left out, and a warning says so', async () => {
  await using stage = await openStage()
  stage.service.misbehave(answer({ changelog: 'c'.repeat(900_000), file_name: 'a.zip' }))
  const run = await stage.run()
  expect(breachesOf(run, stage, false)).toEqual([])
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
  expect(breachesOf(run, stage, false)).toEqual([])
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

test.each([
  ['as it is', TOKEN],
  ['percent-encoded', encodeURIComponent(TOKEN)],
  ['in base64', Buffer.from(TOKEN).toString('base64')],
  ['as GitHub’s token', GITHUB_TOKEN]
])('a credential that the service sends back %s is shown nowhere', async (_, text) => {
  await using stage = await openStage()
  const refusal = { message: `No: ${text}`, errors: { title: [text], [text]: [text] } }
  const url = `https://shop.example.com/d?token=${text}&x=1`
  stage.service.misbehave(
    { kind: 'answer', status: 422, stored: false, headers: { location: url }, body: refusal },
    answer({ download_url: url, title: `a ${text} b`, [text]: [{ text }] })
  )
  const runs = [await stage.run(), await stage.run({ attempt: 2 })]
  expect(runs.map(({ outputs }) => outputs.reason)).toEqual(['rejected', ''])
  expect(runs[1]?.outputs.title).toMatch(/^a .*\*{3} b/)
  for (const run of runs) {
    expect(breachesOf(run, stage, false)).toEqual([])
    const shown = [run.stdout, JSON.stringify(run.outputs), run.summary]
    expect([...shown, JSON.stringify(stage.github.deployments)].join('\n')).not.toContain(text)
  }
  const links = stage.github.deployments.flatMap(({ statuses }) => statuses)
  expect(links.map(({ environment_url }) => environment_url).join('')).toBe('')
})
