// What a hostile record does to outputs and summary: too long, no text at all, or with a credential in it.
import { describe, expect, jest, test } from '@jest/globals'
import { findCredential } from '../support/credentials.ts'
import type { Run } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop, TOKEN } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

const answer = (data: object) =>
  ({ kind: 'answer', status: 201, body: { data: { id: 7, title: 'Spring', ...data } } }) as const

function warningsOf(run: Run): string[] {
  return run.annotations.filter(({ kind }) => kind === 'warning').map(({ message }) => message)
}

test('a changelog of 900,000 characters is left out, and a warning says so', async () => {
  await using shop = await openShop()
  shop.service.misbehave(answer({ changelog: 'c'.repeat(900_000), file_name: 'a.zip' }))
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({
    ...{ outcome: 'published', version_id: '7', title: 'Spring', changelog: '' },
    ...{ file_name: 'a.zip', sha256: shop.sha256 }
  })
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  expect(versions).toMatchObject([{ id: 7, title: 'Spring', changelog: null }])
  expect(warningsOf(run)).toEqual([
    expect.stringMatching(/1 MB.*null in `versions`: changelog\. .*is in the log/)
  ])
})

test('a summary of endless complaints still says what was to be published', async () => {
  await using shop = await openShop()
  const complaints = Array.from({ length: 9000 }, (_, at) => [`field-${at}`, ['*'.repeat(60)]])
  const body = { message: '*'.repeat(200_000), errors: Object.fromEntries(complaints) }
  shop.service.misbehave({ kind: 'answer', status: 422, stored: false, body })
  const run = await shop.publish()
  expect(run.outputs.reason).toBe('rejected')
  expect(run.summary).toContain('- … and 8950 more, in the log')
  expect(run.summary).toContain('SHA-256')
  expect(run.log).toContain('field-8999')
})

describe('values come out byte for byte', () => {
  const ODD =
    '\u0000\ufeffa\r\nb\rc\u2028<<EOF\nEOF\nghadelimiter_\nid=9\n::set-output name=id::9\n🎉\n'

  test('NUL, line ends of all kinds, delimiters and commands', async () => {
    await using shop = await openShop()
    shop.service.misbehave(answer({ title: ODD, changelog: ODD, benefit_name: '\n' }))
    const { outputs } = await shop.publish()
    expect(outputs).toMatchObject({ id: '7', title: ODD, changelog: ODD, benefit_name: '\n' })
  })
})

describe('a credential that the service sends back is shown nowhere', () => {
  test.each([
    ['as it is', TOKEN],
    ['percent-encoded', encodeURIComponent(TOKEN)],
    ['in base64', Buffer.from(TOKEN).toString('base64')],
    ['as GitHub’s token', GITHUB_TOKEN]
  ])('%s', async (_, text) => {
    await using shop = await openShop()
    const refusal = { message: `No: ${text}`, errors: { title: [text], [text]: [text] } }
    const url = `https://shop.example.com/d?token=${text}&x=1`
    shop.service.misbehave(
      { kind: 'answer', status: 422, stored: false, headers: { location: url }, body: refusal },
      answer({ download_url: url, title: `a ${text} b`, [text]: [{ text }] })
    )
    const runs = [await shop.publish(), await shop.publish({ attempt: 2 })]
    expect(runs.map(({ outputs }) => outputs.reason)).toEqual(['rejected', ''])
    expect(runs[1]?.outputs).toMatchObject({
      id: '7',
      title: expect.stringMatching(/^a .*\*{3} b/)
    })
    for (const run of runs) {
      const raw = { ...run.raw, env: JSON.stringify(shop.github.deployments) }
      expect(findCredential({ ...run, raw }, [TOKEN, GITHUB_TOKEN])).toBeUndefined()
      // The runner hides in the log what it knows; what is printed must not lean on that.
      const printed = run.stdout.split('\n').filter(line => !line.startsWith('::add-mask::'))
      expect([...printed, run.raw.output, run.raw.summary, raw.env].join('\n')).not.toContain(text)
    }
    const links = shop.github.deployments.flatMap(({ statuses }) => statuses)
    expect(links.map(({ environment_url }) => environment_url).join('')).toBe('')
  })
})
