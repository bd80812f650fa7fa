// Tests of dist/: nothing unfinished is sent: texts that some step escaped or left empty, versions that no build filled
// in, and archives that were packed twice.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { sampleOf } from '../support/deep.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

/** A placeholder of Maven, Gradle or a shell. */
const inBraces = (name: string) => `\${${name}}`

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

test.each(
  sampleOf([
    ['- Albums\\n- Thumbnails', 'escaped line breaks'],
    ['New maps!%0A* Faster%0A* Fix', 'escaped line breaks'],
    ['- Faster\n<<<<<<< HEAD\n- Sorted', 'conflict markers of a merge'],
    [`Albums\n\n${inBraces('{ steps.x.outputs.notes }')}`, 'an expression that nobody filled in']
  ])
)('notes that nobody finished are refused, and the line is shown: %j', async (body, what) => {
  await using shop = await openShop({ release: { body } })
  const line = body.split('\n').find(it => /\\n|%0A|<<<|\$/.test(it))

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

test.each([
  ['of a conflict', '## 1.4.1\n\n<<<<<<< HEAD\n- Older'],
  ['that some step escaped', '## 1.4.1\n\n- One\\n- Two']
])('the section of another version %s changes nothing', async (_, older) => {
  await using shop = await openShop({ inputs: { 'changelog-file': 'CHANGELOG.md' } })
  await shop.write('CHANGELOG.md', `## 1.4.2\n\n- Albums\n\n${older}`)
  expect((await shop.publish()).outputs.changelog).toBe('- Albums')
})

test.each(
  sampleOf([
    '* {{ order.tracking_number }}\n* $CHANGES',
    'Changes in index.html',
    'See CHANGELOG.md for the full release notes.',
    'null\n\nTODO',
    '- Write `\\n- ` between items\n- `a%0A- b` is decoded',
    '```\n<<<<<<< HEAD\n- a\\n- b\n```\nAlbums.'
  ])
)('words that may be meant are sent: %j', async body => {
  await using shop = await openShop({ private: false, release: { body } })
  expect((await shop.publish()).outputs.outcome).toBe('published')
  expect(shop.service.versions).toMatchObject([{ record: { changelog: body } }])
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

test('notes without anything are refused for that reason', async () => {
  await using shop = await openShop({ release: { body: ' \n' } })
  expect(await refusalOf(shop, 'no-changelog')).toMatch(
    /^The notes of the release v1\.4\.2 contain nothing for buyers: the text is empty\.\n/
  )
})

test.each(
  sampleOf([
    '## 1.4.2\n\n## Fixed',
    '<!-- write here -->',
    "## What's Changed\n\n**Full Changelog**: https://github.com/acme/gallery/compare/v1.4.1...v1.4.2",
    '&nbsp;\n\n---'
  ])
)('notes without a word for buyers are shown: %j', async body => {
  await using shop = await openShop({ release: { body } })

  const message = await refusalOf(shop, 'no-changelog')

  expect(message.split('\n').slice(0, 2)).toEqual([
    'The notes of the release v1.4.2 contain nothing for buyers:',
    `  ${body.split('\n')[0]}`
  ])
})

const inJson = (name: string, version: string) => ({ [name]: JSON.stringify({ version }) })
const inPlugin = (version: string) => ({ 'plugin.yml': `name: Gallery\nversion: ${version}\n` })
const inHeader = (version: string) => {
  return {
    'gallery/gallery.php': `<?php\n/*\n * Plugin Name: Gallery\n * Version: ${version}\n */\n`
  }
}

test.each(
  sampleOf<[string, Record<string, string>]>([
    [inBraces('project.version'), inPlugin(inBraces('project.version'))],
    [`1.20-${inBraces('version')}`, inPlugin(`'1.20-${inBraces('version')}'`)],
    ['@version@', inPlugin('"@version@"')],
    ['unspecified', inPlugin('unspecified')],
    ['{{version}}', inJson('manifest.json', '{{version}}')],
    [inBraces('version'), inJson('fabric.mod.json', inBraces('version'))],
    ['__VERSION__', inJson('package.json', '__VERSION__')],
    ['%VERSION%', inHeader('%VERSION%')],
    ['%%VERSION%%', inHeader('%%VERSION%%')],
    ['@@VERSION@@', inHeader('@@VERSION@@')],
    ['@@pkg.version', inHeader('@@pkg.version')],
    ['__STABLE_TAG__', inHeader('__STABLE_TAG__')],
    ['<%= pkg.version %>', inHeader('<%= pkg.version %>')],
    ['{VERSION}', inHeader('{VERSION}')],
    ['$VERSION', inHeader('$VERSION')],
    ['x.x.x', inHeader('x.x.x')],
    ['X.Y.Z', inHeader('X.Y.Z')]
  ])
)('a version that was never filled in is not published: %s', async (version, files) => {
  await using shop = await openShop({ inputs: { file: 'out/gallery.jar' } })
  await shop.write('out/gallery.jar', zipOf(files))

  const message = await refusalOf(shop, 'file-version')

  const [path] = Object.keys(files)
  expect(message).toMatch(/^The file "gallery\.jar" has the version "/)
  expect(message).toContain(
    `"${version}" in "${path}", which was never filled in.\nLet the build write "1.4.2"`
  )
  expect(message).toMatch(
    /Let the build write "1\.4\.2" there, as “A Minecraft plugin” in docs\/recipes\.md shows/
  )

  const allowed = await shop.publish({ inputs: { 'allow-other-version': 'true' } })
  expect(allowed.outputs.outcome).toBe('published')
})

test.each([
  ['1.0-SNAPSHOT', 'v1.4.2', 'failed'],
  ['1.4.2-SNAPSHOT', 'v1.4.2', 'failed'],
  ['1.4.2-SNAPSHOT', 'v1.4.2-SNAPSHOT', 'published'],
  ['1.4.2', 'v1.4.2', 'published']
])('%s in the release %s: %s', async (version, tag, outcome) => {
  await using shop = await openShop({
    inputs: { file: 'out/gallery.jar', prerelease: 'publish' },
    release: { tag }
  })
  await shop.write('out/gallery.jar', zipOf(inPlugin(version)))

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({
    outcome,
    reason: outcome === 'failed' ? 'file-version' : ''
  })
  if (outcome === 'failed') expect(run.log).toContain(`states the version "${version}"`)
})

test.each([
  ['gallery-1.0-SNAPSHOT.jar', 'failed'],
  ['gallery-1.4.2-mc1.21-SNAPSHOT.jar', 'published']
])('the version in a file name that a wildcard chose counts, too: %s', async (name, outcome) => {
  await using shop = await openShop({ inputs: { file: 'target/*.jar' } })
  await shop.write(`target/${name}`, shop.zip)

  const run = await shop.publish()

  expect(run.outputs.outcome).toBe(outcome)
  if (outcome === 'failed') expect(run.log).toContain('says version "1.0-SNAPSHOT"')
})

test('another manifest’s version counts more than a placeholder in a developer’s own file', async () => {
  await using shop = await openShop()
  const files = { ...inHeader('1.4.2'), ...inJson('gallery/package.json', inBraces('version')) }

  await writeFile(join(shop.workspace, FILE), zipOf(files))
  expect((await shop.publish()).outputs.outcome).toBe('published')
})

const INNER = zipOf({ 'gallery/gallery.php': '<?php' }).toString('latin1')

test.each([
  ['alone', { 'gallery.zip': INNER }, '', 'bad-file'],
  [
    'in a folder, with leftovers around it',
    { 'gallery/gallery.zip': INNER, '__MACOSX/a': 'x' },
    '',
    'bad-file'
  ],
  ['alone, and named', { 'gallery.zip': INNER }, 'gallery.zip', ''],
  ['with a license', { 'gallery.zip': INNER, 'LICENSE.txt': 'MIT' }, '', '']
])('an archive of one archive: %s', async (_, files, contents, reason) => {
  await using shop = await openShop({ inputs: { contents } })
  await writeFile(join(shop.workspace, FILE), zipOf(files))

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: reason ? 'failed' : 'published', reason })
  if (reason) expect(run.log).toMatch(/contains only another archive, "[\w/]*gallery\.zip", which/)
  expect(shop.service.versions).toHaveLength(reason ? 0 : 1)
})
