// What a hostile record does to outputs and summary: too long, no text at all, or with a credential in it.
import { describe, expect, jest, test } from '@jest/globals'
import { findCredential } from '../support/credentials.ts'
import { MAX_OUTPUT_BYTES, measureOutputs } from '../support/files.ts'
import type { Run } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop, type Shop, TOKEN } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

const answer = (data: object, status = 201) =>
  ({ kind: 'answer', status, body: { data: { id: 7, title: 'Spring', ...data } } }) as const

function versionsOf(run: Run): readonly Record<string, unknown>[] {
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  return Array.isArray(versions) ? versions : []
}

function warningsOf(run: Run): string[] {
  return run.annotations.filter(({ kind }) => kind === 'warning').map(({ message }) => message)
}

describe('outputs never hold more than a job can pass on', () => {
  test('a changelog of 900,000 characters is left out, and a warning says so', async () => {
    await using shop = await openShop()
    shop.service.misbehave(answer({ changelog: 'c'.repeat(900_000), file_name: 'a.zip' }))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({
      ...{ outcome: 'published', version_id: '7', title: 'Spring', changelog: '' },
      ...{ file_name: 'a.zip', sha256: shop.sha256 }
    })
    expect(versionsOf(run)).toMatchObject([{ id: 7, title: 'Spring', changelog: null }])
    expect(warningsOf(run)).toEqual([
      expect.stringMatching(/1 MB.*null in `versions`: changelog\. .*stands in the log/)
    ])
  })

  test('a record of 2 MB is not read to its end: nobody knows', async () => {
    await using shop = await openShop()
    shop.service.misbehave(answer({ changelog: 'c'.repeat(2_000_000) }))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
    expect(run.summary).toContain('longer than 1048576 bytes')
  })

  test('of ten targets with 125,000 characters each every id stays', async () => {
    await using shop = await openShop()
    await shop.write('notes.md', 'n'.repeat(125_000))
    const targets = Array.from({ length: 10 }, (_, index) => `- version-name: 1.4.${index}`)
    const inputs = { targets: targets.join('\n'), 'changelog-file': 'notes.md' }
    const run = await shop.publish({ inputs })
    expect(run.outputs.outcome).toBe('published')
    const versions = versionsOf(run)
    expect(versions.map(({ id }) => id)).toEqual(shop.service.versions.map(it => it.record.id))
    expect(versions).toHaveLength(10)
    const left = versions.filter(({ changelog }) => changelog !== null)
    expect(left.length).toBeGreaterThan(0)
    expect(warningsOf(run).join()).toContain('changelog of versions[0], ')
    expect(run.summary.match(/characters more, not shown here/g)).toHaveLength(10)
  })

  test.each([
    ['one field that no document names', { channel: { deep: 'x'.repeat(700_000) } }],
    [
      'so many fields that no document names',
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field-${index}`, 1]))
    ],
    ['a name of a field', { ['n'.repeat(700_000)]: 1 }]
  ])('%s is left out', async (_, data) => {
    await using shop = await openShop()
    shop.service.misbehave(answer(data))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'published', id: '7', title: 'Spring' })
    expect(versionsOf(run)).toMatchObject([{ id: 7, title: 'Spring' }])
    expect(measureOutputs(run.outputs)).toBeLessThan(MAX_OUTPUT_BYTES)
    expect(warningsOf(run)).toHaveLength(1)
  })

  test('an id of 100,000 digits is left out, too', async () => {
    await using shop = await openShop({ inputs: { once: 'off' } })
    const body = `{"data":{"id":${'7'.repeat(100_000)},"title":"Spring"}}`
    shop.service.misbehave({ kind: 'answer', status: 201, body })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({
      outcome: 'published',
      title: 'Spring',
      sha256: shop.sha256
    })
  })

  test('a summary of endless complaints still says what was to be published', async () => {
    await using shop = await openShop()
    const complaints = Array.from({ length: 9000 }, (_, index) => [
      `field-${index}`,
      ['*'.repeat(60)]
    ])
    const body = { message: '*'.repeat(200_000), errors: Object.fromEntries(complaints) }
    shop.service.misbehave({ kind: 'answer', status: 422, stored: false, body })
    const run = await shop.publish()
    expect(run.outputs.reason).toBe('rejected')
    expect(run.summary).toContain('- … and 8950 more, in the log')
    expect(run.summary).toContain('| SHA-256 |')
    expect(run.log).toContain('field-8999')
  })
})

describe('values come out byte for byte, or not at all', () => {
  const ODD =
    '\u0000\ufeffa\r\nb\rc\u2028<<EOF\nEOF\nghadelimiter_\nid=9\n::set-output name=id::9\n🎉\n'

  test('NUL, line ends of all kinds, delimiters and commands', async () => {
    await using shop = await openShop()
    shop.service.misbehave(answer({ title: ODD, changelog: ODD, benefit_name: '\n' }))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ id: '7', title: ODD, changelog: ODD, benefit_name: '\n' })
    expect(versionsOf(run)).toMatchObject([{ title: ODD, changelog: ODD }])
  })

  test('half a character is refused, and stays in `versions`', async () => {
    await using shop = await openShop()
    shop.service.misbehave(answer({ title: 'a\ud83d', file_name: 'a.zip' }))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'published', title: '', file_name: 'a.zip' })
    expect(versionsOf(run)).toMatchObject([{ title: 'a\ud83d' }])
    expect(warningsOf(run)).toEqual([expect.stringContaining('The output title holds half')])
  })
})

describe('a credential that the service sends back is shown nowhere', () => {
  const spellings: readonly (readonly [name: string, text: string])[] = [
    ['as it is', TOKEN],
    ['percent-encoded', encodeURIComponent(TOKEN)],
    ['percent-encoded in small letters', encodeURIComponent(TOKEN).toLowerCase()],
    ['with every character in percents', percents(TOKEN)],
    ['in base64', Buffer.from(TOKEN).toString('base64')],
    ['in the middle of base64', Buffer.from(`user:${TOKEN}!`).toString('base64url')],
    ['as GitHub’s token', GITHUB_TOKEN]
  ]

  function expectNoLeak(run: Run, shop: Shop) {
    const raw = { ...run.raw, env: JSON.stringify(shop.github.deployments) }
    expect(findCredential({ ...run, raw }, [TOKEN, GITHUB_TOKEN])).toBeUndefined()
    for (const [name, text] of spellings) {
      // The runner hides in the log what it knows; what is printed must not lean on that.
      const printed = run.stdout.split('\n').filter(line => !line.startsWith('::add-mask::'))
      const everywhere = [...printed, run.raw.output, run.raw.summary, raw.env].join('\n')
      expect([name, everywhere.includes(text)]).toEqual([name, false])
    }
  }

  test.each(spellings)('in a record, %s', async (_, text) => {
    await using shop = await openShop()
    const url = `https://shop.example.com/d?token=${text}&x=1`
    shop.service.misbehave(answer({ download_url: url, title: `a ${text} b`, [text]: [{ text }] }))
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({
      ...{ outcome: 'published', id: '7', title: expect.stringMatching(/^a \S{0,8}\*{3} b$/) },
      download_url: expect.stringMatching(/^https:\/\/shop\.example\.com\/d\?token=\S{0,8}\*{3}/)
    })
    expectNoLeak(run, shop)
    expect(warningsOf(run)).toEqual([expect.stringContaining('tell the service')])
    const statuses = shop.github.deployments.flatMap(deployment => deployment.statuses)
    expect(statuses.map(({ environment_url }) => environment_url).join('')).toBe('')
    expect((await shop.publish({ attempt: 2 })).outputs).toMatchObject({
      outcome: 'skipped',
      id: '7'
    })
  })

  test.each(spellings)('in a refusal, %s', async (_, text) => {
    await using shop = await openShop()
    const body = { message: `No: ${text}`, errors: { title: [text], [text]: [text] } }
    const headers = { location: `https://evil.example.com/?t=${text}` }
    shop.service.misbehave({ kind: 'answer', status: 422, stored: false, headers, body })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expectNoLeak(run, shop)
    expect(run.summary).toMatch(/No&#58;<!-- --> \S{0,8}&#42;&#42;&#42; /)
  })
})

function percents(text: string): string {
  return [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
