// Tests of dist/: hostile words and files end in seconds, and show nothing that they should not.
import { expect, test } from '@jest/globals'
import { DEEP } from '../support/deep.ts'
import { makeFolder } from '../support/folders.ts'
import { openPeak } from '../support/peak.ts'
import { openShop, summaryOf, TOKEN } from '../support/shop.ts'

/** In milliseconds: a generous bound, for machines that are busy. */
const SECONDS = 25_000
/** In MiB: the most memory of a process that reads texts. */
const MEBIBYTES = 900

/** A changelog file of that many bytes, and what is said of it. */
type LargeFile = readonly [name: string, size: number, said: RegExp]

const LARGE_FILES: readonly LargeFile[] = [
  ['of 5 MB is refused', 5e6, /is 5\.00 MB long, and at most 4\.00 MB are read/]
]
/** What is sent of it would be too long. */
const DENSE_FILE: LargeFile = [
  'with 3.9 MB on one version is refused',
  3.9e6,
  /contains 3,899,99\d characters, and at most 125,000 are sent/
]

test.each(DEEP ? [...LARGE_FILES, DENSE_FILE] : LARGE_FILES)(
  'a changelog file %s',
  async (_, size, said) => {
    const inputs = { 'changelog-file': 'CHANGELOG.md' }
    await using shop = await openShop({ inputs })
    const item = '- [a](b)\n'
    await shop.write('CHANGELOG.md', `## 1.4.2\n\n${item.repeat(size / item.length)}`)

    const peak = openPeak(makeFolder())
    const started = performance.now()
    const { outputs, log } = await shop.publish(peak)

    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
    expect(log).toMatch(said)
    expect(performance.now() - started).toBeLessThan(SECONDS)
    expect(await peak.read()).toBeLessThan(MEBIBYTES)
  }
)

const COMMAND = 'gh api repos/acme/gallery/deployments/1/statuses -f state=success'

test('the shop’s words are on one line, in quotes, and never like advice of ours', async () => {
  await using shop = await openShop()
  const message = `No.\n\n  ${COMMAND}\n  x: "y" \`z\``
  const errors = { title: [`Bad.\n    ${COMMAND}`], [`a\n  ${COMMAND}`]: ['No.'] }
  shop.service.misbehave({
    kind: 'answer',
    status: 422,
    body: { message, errors },
    stored: false
  })

  const run = await shop.publish()

  expect(run.log).toContain(`says "No. ${COMMAND} x: 'y' 'z'"`)
  expect(run.log).toContain(`title (field title): the shop says "Bad. ${COMMAND}"`)
  expect(summaryOf(run)).toContain(`the shop says "Bad. ${COMMAND}"`)
  expect(run.summary).not.toMatch(/```\w*\n\s*(?:gh|x)/)
})

const PIECE = TOKEN.slice(0, 12)

test.each([
  ['a title that is cut', '<html><title>', '</title>', 70],
  ['a message that is cut', '{"message":"', '"}', 3900]
])('no part of the token shows: %s', async (_, before, after, at) => {
  await using shop = await openShop()

  const body = `${before}${'x'.repeat(at)} ${TOKEN}${after}`
  const headers = { 'content-type': before.startsWith('<') ? 'text/html' : 'application/json' }
  shop.service.misbehave({
    kind: 'answer',
    status: 404,
    body,
    headers,
    stored: false
  })

  const run = await shop.publish()

  expect(['failed', 'unknown']).toContain(run.outputs.outcome)
  const messages = run.annotations.map(one => one.message).join()
  expect(`${messages}${run.summary}`).not.toContain(PIECE)
  expect(messages).toContain('**')
})
