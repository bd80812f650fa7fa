// Tests of dist/: hostile words and files end in seconds, and show nothing that they should not.
import { chmod, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { env as own } from 'node:process'
import { expect, test } from '@jest/globals'
import { DEEP } from '../support/deep.ts'
import { makeFolder } from '../support/folders.ts'
import { openPeak } from '../support/peak.ts'
import { onPosix } from '../support/platform.ts'
import {
  openShop,
  type PublishOptions,
  type Shop,
  type ShopOptions,
  summaryOf,
  TOKEN
} from '../support/shop.ts'

const HOME = 'https://github.com/acme/gallery'
/** In milliseconds: a generous bound, for machines that are busy. */
const SECONDS = 25_000
/** In MiB: the most memory of a process that reads texts. */
const MEBIBYTES = 900

const openWith = (options: ShopOptions): Promise<Shop> =>
  openShop({ ...options, inputs: { ...options.inputs } })

/** Publishes, and measures how long that takes. */
async function publishIn(shop: Shop, options: PublishOptions = {}) {
  const started = performance.now()
  const run = await shop.publish(options)
  return { ...run, time: performance.now() - started }
}

test.each([
  ['many people', `* x by @a${', and @o'.repeat(30)}! by @mona in ${HOME}/pull/12`],
  ['many references', `* x (${'[#1], '.repeat(60)}x) by @mona in ${HOME}/pull/12`],
  ['many commits', `* x (${'`1a2b3c4`, '.repeat(35)}x) by @mona in ${HOME}/pull/12`],
  ['many links', `* x (${`[#1](${HOME}/issues/1)/`.repeat(60)}x)`],
  ['a comparison', `* x\n\nfull changelog: ${'a.'.repeat(750)} ! ${HOME}`]
])('notes with %s are published in seconds', async (_, body) => {
  await using shop = await openWith({ release: { body } })

  const { outputs, time } = await publishIn(shop)

  expect(outputs.outcome).toBe('published')
  expect(time).toBeLessThan(SECONDS)
})

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
    await using shop = await openWith({ inputs })
    const item = '- [a](b)\n'
    await shop.write('CHANGELOG.md', `## 1.4.2\n\n${item.repeat(size / item.length)}`)

    const peak = openPeak(makeFolder())
    const { outputs, log, time } = await publishIn(shop, peak)

    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
    expect(log).toMatch(said)
    expect(time).toBeLessThan(SECONDS)
    expect(await peak.read()).toBeLessThan(MEBIBYTES)
  }
)

onPosix('git gets no input, and would not be taken from the workspace (POSIX shell)', async () => {
  await using shop = await openWith({})
  const folder = join(shop.workspace, 'bin')
  const seen = join(shop.workspace, 'seen')
  await shop.write('bin/git', `#!/bin/sh\nenv > '${seen}'\necho ${'a'.repeat(40)}\n`)
  await chmod(join(folder, 'git'), 0o755)
  await shop.write('.git/HEAD', '')

  const { PATH = '' } = own
  const { outputs } = await shop.publish({ env: { PATH: folder + delimiter + PATH } })
  expect(outputs.outcome).toBe('published')
  const variables = await readFile(seen, 'utf8')
  expect(variables).toContain('NoDefaultCurrentDirectoryInExePath=1')
  expect(variables).not.toMatch(/^INPUT_/m)
  expect(variables).not.toContain(TOKEN)
})

const COMMAND = 'gh api repos/acme/gallery/deployments/1/statuses -f state=success'

test('the shop’s words are on one line, in quotes, and never like advice of ours', async () => {
  await using shop = await openWith({})
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
  await using shop = await openWith({})

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
