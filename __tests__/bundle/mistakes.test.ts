// Owns what a user is told on dist/ of wrong inputs and wrong files, before anything is sent.
import { expect, test } from '@jest/globals'
import { openShop, summaryOf } from '../support/shop.ts'

const WRONG = {
  'base-url': 'https://user:pass-word-in-an-address@shop.example.com',
  token: 'two words',
  product: '0x12',
  benefit: '-1',
  file: '# only a comment\n!dist/**',
  order: 'falling',
  'tag-pattern': 'plugin-v',
  'version-name': '{nope}',
  title: '{versoin}',
  prerelease: 'yes',
  upload: 'ftp',
  'base64-file': '[]',
  once: 'twice',
  'download-link': 'maybe',
  'stall-timeout': '7days',
  'response-timeout': '0',
  'github-token': 'two words'
}
const UNQUOTED = ['base-url', 'token', 'file', 'github-token']

test('of wrong inputs, ten are on the page, and all in the log and the summary', async () => {
  await using shop = await openShop()
  const credentials = ['pass-word-in-an-address', 'two words']
  const run = await shop.publish({ inputs: WRONG, credentials })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations).toHaveLength(10)
  const first = /^Nothing was published: 17 problems have to be fixed first\.\n.*start it by hand/
  expect(run.annotations[0]?.message).toMatch(first)
  const lines = run.log.split('\n').filter(line => /^error: /i.test(line))
  for (const [name, value] of Object.entries(WRONG)) {
    const told = lines.filter(line => line.includes(` ${name}: `))
    expect(told).toEqual([expect.stringContaining(UNQUOTED.includes(name) ? name : value)])
    expect(summaryOf(run)).toContain(`\n- ${name}: `)
  }
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
})

test('faults of the release and of the inputs are reported together', async () => {
  await using shop = await openShop({ release: { body: '\r\n ', name: 'x'.repeat(256) } })
  const run = await shop.publish({ inputs: { 'tag-pattern': 'plugin-v{version}' } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  const said = (text: RegExp) => expect.stringMatching(text)
  const misfit = /: "plugin-v\{version\}" does not match the tag "v1\.4\.2"$/
  expect(run.annotations.slice(1)).toMatchObject([
    { title: 'tag-pattern', message: said(misfit) },
    { title: 'title', message: said(/256 characters.*255/) },
    { title: 'changelog', message: said(/v1\.4\.2 has no notes/) }
  ])
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
})

test('several files: a table, and how to narrow', async () => {
  await using shop = await openShop()
  await shop.write('dist/old/gallery-1.4.1.zip', 'old')
  const run = await shop.publish({ inputs: { file: 'dist/**/*.zip' } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'several-files' })
  const message = run.annotations[0]?.message ?? ''
  expect(message).toMatch(/^file: 2 files match, and exactly one can be published:\n/)
  expect(message).toMatch(/1\.4\.2\.zip" +315 bytes +\d{4}-\d\d-\d\dT[\d:]+Z +fits 1\.4\.2\n/)
  expect(message).toMatch(/old\/gallery-1\.4\.1\.zip" +131 bytes .* another version\n/)
  expect(message).toContain('\n  dist/gallery-{version}.zip\n')
})
