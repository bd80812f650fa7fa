// Tests of dist/: nothing unfinished is sent: texts that some step escaped or left empty, and versions that no build filled
// in.
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { openShop, type PublishOptions, type Shop } from '../support/shop.ts'

/** The message of a run that sent nothing. */
async function refusalOf(
  shop: Shop,
  reason: string,
  options: PublishOptions = {}
): Promise<string> {
  const run = await shop.publish(options)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])
  return run.annotations[0]?.message ?? ''
}

test.each([
  ['- Albums\\n- Thumbnails', 'escaped line breaks'],
  ['- Faster\n<<<<<<< HEAD\n- Sorted', 'conflict markers of a merge'],
  [`Albums\n\n$${'{{ steps.x.outputs.notes }}'}`, 'an expression that nobody filled in']
])('notes that nobody finished are refused, and the line is shown: %j', async (body, what) => {
  await using shop = await openShop({ release: { body } })
  const line = body.split('\n').find(it => /\\n|<<<|\$/.test(it))

  const [message, shown] = (await refusalOf(shop, 'no-changelog')).split('\n')

  expect(message).toBe(`The notes of the release v1.4.2 contain ${what}:`)
  expect(shown).toBe(`  ${line}`)
})

test('`changelog` and the section of a file are refused in the same way', async () => {
  await using shop = await openShop()
  const inputs = { changelog: '## New\\n- Albums' }
  expect(await refusalOf(shop, 'no-changelog', { inputs })).toMatch(
    /^changelog: the text contains escaped line breaks:\n {2}## New\\n- Albums\n/
  )

  const fromFile = { inputs: { 'changelog-file': 'CHANGELOG.md' } }
  await shop.write('CHANGELOG.md', '## 1.4.2\n- Albums%0A- Thumbnails\n\n## 1.4.1\n- Older')
  expect(await refusalOf(shop, 'no-changelog', fromFile)).toMatch(
    /^changelog-file: "CHANGELOG\.md" contains escaped line breaks/
  )
})

test('the section of another version that some step escaped changes nothing', async () => {
  await using shop = await openShop({ inputs: { 'changelog-file': 'CHANGELOG.md' } })
  await shop.write('CHANGELOG.md', '## 1.4.2\n\n- Albums\n\n## 1.4.1\n\n- One\\n- Two')
  expect((await shop.publish()).outputs.changelog).toBe('- Albums')
})

test('notes that begin with the heading of a lower version are refused, in `plan`, too', async () => {
  await using shop = await openShop({ release: { body: '## 1.4.1\n\n- Older' } })
  const said = /^The notes of the release begin with the heading "## 1\.4\.1", of another version/
  expect(await refusalOf(shop, 'no-changelog')).toMatch(said)
  expect(await refusalOf(shop, 'no-changelog', { inputs: { mode: 'plan' } })).toMatch(said)

  const own = await shop.publish({ inputs: { changelog: '## 1.4.1\n\n- Older' } })
  expect(own.outputs.outcome).toBe('published')
})

test('a text of more than 125,000 characters is refused, wherever it comes from', async () => {
  const body = 'Faster albums now. '.repeat(7000)
  await using shop = await openShop({ release: { body } })
  expect(await refusalOf(shop, 'no-changelog')).toMatch(
    /^The notes of the release v1\.4\.2 contain 133,000 characters, and at most 125,000 are sent\./
  )

  const inputs = { 'changelog-file': 'CHANGELOG.md' }
  await shop.write('CHANGELOG.md', `## 1.4.2\n\n${body}\n\n## 1.4.1\n\n- Older`)
  expect(await refusalOf(shop, 'no-changelog', { inputs })).toContain('132,999 characters')
})

const PICTURE =
  '<img width="800" height="600" alt="Image" src="https://github.com/user-attachments/assets/0a1b" />'

test('notes of nothing but pictures that only GitHub shows are refused, and pictures are listed in the log', async () => {
  await using shop = await openShop({ release: { body: PICTURE } })
  expect(await refusalOf(shop, 'no-changelog')).toContain('what is removed for buyers')

  await using other = await openShop({ release: { body: `Albums\n\n${PICTURE}` } })
  const { outputs, log, annotations } = await other.publish()
  expect(outputs).toMatchObject({ outcome: 'published', changelog: 'Albums' })
  expect(log).toContain(`Removed from the changelog, for buyers (1 piece):\n  | ${PICTURE}\n`)
  expect(annotations.filter(({ kind }) => kind === 'warning')).toEqual([])
})

test('notes without a word for buyers are shown', async () => {
  await using shop = await openShop({ release: { body: '## 1.4.2\n\n## Fixed' } })

  const message = await refusalOf(shop, 'no-changelog')

  expect(message).toMatch(/^The notes of .* contain nothing for buyers:\n {2}## 1\.4\.2\n/)
})

test('a version that was never filled in is not published, unless that is allowed', async () => {
  await using shop = await openShop({ inputs: { file: 'out/gallery.jar' } })
  await shop.write(
    'out/gallery.jar',
    zipOf({ 'plugin.yml': 'name: Gallery\nversion: @version@\n' })
  )

  expect(await refusalOf(shop, 'file-version')).toMatch(
    /^The file "gallery\.jar" has the version "@version@" in "plugin\.yml", which was never filled in\.\nLet the build write "1\.4\.2" there, as “A Minecraft plugin” in docs\/recipes\.md shows/
  )

  const allowed = await shop.publish({ inputs: { 'allow-other-version': 'true' } })
  expect(allowed.outputs.outcome).toBe('published')
})
