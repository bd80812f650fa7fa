// Tests of src/publish/tell.ts: what the log says before the first byte and after the last.
import { describe, expect, test } from '@jest/globals'
import { openArtifact } from '../../src/file/artifact.ts'
import { endedEarly, type Reason, type Report } from '../../src/publish/report.ts'
import { announce, faulty, tell } from '../../src/publish/tell.ts'
import { makeFolder } from '../support/folders.ts'
import { listen } from './errands.ts'
import { inputsOf } from './given.ts'

describe('before the first byte', () => {
  test.each([
    ['a product', { product: 12 }, '- New', 'product 12', '1 line of markdown'],
    [
      'a benefit',
      { product: 12, benefit: 34 },
      'a\nb\n\nc',
      'product 12, benefit 34',
      '4 lines of markdown'
    ]
  ])('what goes to %s', async (_, route, changelog, where, count) => {
    const workspace = makeFolder({ 'app.zip': 'x'.repeat(1500) })
    const artifact = await openArtifact(`${workspace}/app.zip`, workspace, [workspace])
    const [inputs] = (await inputsOf()).targets
    if (!inputs) throw new Error('there is no target')
    const { log, lines } = listen()
    const planned = {
      ...{ inputs, route, tag: 'v1.2.3', versionName: '1.2.3', title: 'Spring', artifact },
      ...{ changelog, changelogFormat: 'markdown' as const }
    }
    announce(log, planned, 'https://shop.example.com')
    await artifact.close()
    expect(lines).toEqual([
      `info: Version "1.2.3" of ${where} at https://shop.example.com`,
      'info:   title      Spring',
      'info:   file       app.zip (1.50 kB)',
      `info:   changelog  ${count}:`,
      `block: ${changelog}`
    ])
  })
})

describe('what has to be mended first', () => {
  const faults = [
    { place: 'product', message: '"x" is not a positive integer' },
    { place: 'title', message: 'is long' }
  ]
  test('is told all at once, each by itself', () => {
    const report = faulty(faults)
    expect(report).toMatchObject({
      outcome: 'failed',
      reason: 'bad-input',
      message: 'Nothing was published: 2 things have to be mended first.'
    })
    const { log, lines } = listen()
    tell(log, report)
    expect(lines).toEqual([
      'error: Not published: Nothing was published: 2 things have to be mended first.',
      'error: product: product: "x" is not a positive integer',
      'error: title: title: is long'
    ])
  })

  test('one is told as it is', () => {
    const report = faulty(faults.slice(0, 1))
    expect(report.message).toBe('product: "x" is not a positive integer')
    const { log, lines } = listen()
    tell(log, report)
    expect(lines).toEqual(['error: Not published: product: "x" is not a positive integer'])
  })

  test.each<[string, (Reason | undefined)[], Reason]>([
    ['one that has a word of its own', ['no-file'], 'no-file'],
    ['several with the same', ['no-file', 'no-file'], 'no-file'],
    ['several with different ones', ['no-file', 'no-changelog'], 'bad-input'],
    ['several, one of them without', ['no-file', undefined], 'bad-input'],
    ['one without', [undefined], 'bad-input']
  ])('has the reason of %s', (_, reasons, expected) => {
    const given = reasons.map((reason, index) => {
      return { place: `p${index}`, message: 'm', ...(reason === undefined ? {} : { reason }) }
    })
    expect(faulty(given).reason).toBe(expected)
  })
})

describe('the end', () => {
  const published: Report = {
    ...endedEarly('published', '', 'Published as version 7.'),
    fields: { id: 7, download_url: 'https://shop.example.com/d/7' }
  }
  const sha256 = 'ab'.repeat(32)
  const subject = { route: { product: 12 }, versionName: '1', title: 't', changelog: 'c' }
  const DOWNLOAD = 'info:   download   https://shop.example.com/d/7'
  test.each<[string, Report, string[]]>([
    ['published, and no link', published, ['info: Published as version 7.']],
    [
      'published, with its digest',
      { ...published, subject: { ...subject, sha256 } },
      ['info: Published as version 7.', `info:   sha256     ${sha256}`]
    ],
    [
      'published, and a link',
      { ...published, showLink: true },
      ['info: Published as version 7.', DOWNLOAD]
    ],
    [
      'published, and a link that is null',
      { ...published, fields: { id: 7, download_url: null }, showLink: true },
      ['info: Published as version 7.']
    ],
    [
      'planned is told as it is',
      endedEarly('planned', '', 'It is not published yet.'),
      ['info: It is not published yet.']
    ],
    [
      'checked is told as it is',
      endedEarly('checked', '', 'The shop knows the token.'),
      ['info: The shop knows the token.']
    ],
    [
      'skipped is a notice',
      endedEarly('skipped', 'prerelease', 'A pre-release.'),
      ['notice: Skipped: A pre-release.']
    ],
    [
      'failed is an error, with advice',
      endedEarly('failed', 'event', 'No tag.', 'Set one.'),
      ['error: Not published: No tag.\nSet one.']
    ],
    [
      'failed, and not while publishing',
      { ...endedEarly('failed', 'rejected', 'No.'), heading: 'Check failed' },
      ['error: Check failed: No.']
    ],
    [
      'unknown is an error of its own',
      endedEarly('unknown', 'in-doubt', 'Who knows.', 'Look.'),
      ['error: Outcome unknown: Who knows.\nLook.']
    ]
  ])('%s', (_, report, expected) => {
    const { log, lines } = listen()
    tell(log, report)
    expect(lines).toEqual(expected)
  })
})
