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
    ['New maps!%0A* Faster%0A* Fix', '%0A'],
    ['- Albums\\n- Thumbnails', '\\\\n'],
    ["## What's Changed\\r\\n\\r\\n* Albums by @octocat", '\\\\r'],
    ['"## 1.4.2\\n\\n1. Albums"', '\\\\n'],
    ['- Albums%0D%0A- Thumbnails', '%0D'],
    ['Albums.%250A- Sorted%250A- Faster', '%250A'],
    ['* Albums\\\\n* Thumbnails', '\\\\\\\\n'],
    ['+ Albums\\u000a+ Thumbnails', '\\\\u000'],
    ['# 1.4.2&#10;# Albums', '&#10;'],
    ['Hello,\n\n- [Albums](https://a.example)\\n- **Faster**', '\\\\n']
  ])
)('notes that some step escaped are refused for that reason: %j', async (body, mark) => {
  await using shop = await openShop({ release: { body } })

  const message = await refusalOf(shop, 'no-changelog')

  expect(message).toMatch(
    new RegExp(`^The notes of the release v1\\.4\\.2 contain escaped line breaks, such as "${mark}`)
  )
  expect(message).toContain(`\n  ${body.split('\n').at(-1)}\n`)
  expect(message).toContain('`changelog-file`), or in a heredoc of GITHUB_OUTPUT (`notes<<END`)')
})

test('long notes, which a worker reads, are refused in the same way', async () => {
  const body = `${'Albums and thumbnails.\n'.repeat(400)}- Albums%0A- Thumbnails`
  await using shop = await openShop({ release: { body } })

  const message = await refusalOf(shop, 'no-changelog')

  expect(message).toContain('such as "%0A":\n  - Albums%0A- Thumbnails\n')
})

test('`changelog` and the section of a file are refused in the same way', async () => {
  await using shop = await openShop()
  const inputs = { changelog: '## New\\n- Albums' }

  expect(await refusalOf(shop, 'no-changelog', { inputs })).toMatch(
    /^changelog: the text contains escaped line breaks, such as "\\n":\n {2}## New\\n- Albums\n/
  )

  const fromFile = { inputs: { 'changelog-file': 'CHANGELOG.md' } }
  const texts = [
    '## 1.4.2\n- Albums%0A- Thumbnails\n\n## 1.4.1\n- Older',
    '# Changelog\\n\\n## 1.4.2\\n- Albums',
    '## 1.4.2%0A- Albums'
  ]
  for (const text of texts) {
    await shop.write('CHANGELOG.md', text)
    expect(await refusalOf(shop, 'no-changelog', fromFile)).toMatch(
      /^changelog-file: "CHANGELOG\.md" contains escaped line breaks/
    )
  }
})

test.each(
  sampleOf([
    '- Write `\\n- ` between items\n- `a%0A- b` is decoded',
    '- Split at "\\n- " and at %0A\n- Albums',
    '- A path such as C:\\new - old works\n- and D:\\n',
    '```\n- a\\n- b\n```\nAlbums.',
    'Albums.\\nThumbnails.',
    '- [Search](https://a.example/?q=a%0A-b)'
  ])
)('breaks that the text is about stay: %j', async body => {
  await using shop = await openShop({ private: false, release: { body } })
  expect((await shop.publish()).outputs.outcome).toBe('published')
  expect(shop.service.versions).toMatchObject([{ record: { changelog: body } }])
})

const HALF = 'Albums\n<<<<<<< HEAD\n- Sorted\n=======\n- Faster\n>>>>>>> next'

test('the markers of a merge are refused, in notes, in a section and in the step’s own words', async () => {
  await using shop = await openShop({ release: { body: HALF } })
  expect(await refusalOf(shop, 'no-changelog')).toMatch(
    /^The notes of the release v1\.4\.2 contain conflict markers of a merge:\n {2}<<<<<<< HEAD\n/
  )

  const own = await refusalOf(shop, 'no-changelog', { inputs: { changelog: HALF } })
  expect(own).toMatch(/^changelog: the text contains conflict markers/)

  // Two halves of a merge hold a section each.
  const file = `# Changelog\n\n<<<<<<< HEAD\n## 1.4.2\n\n${'- Sorted\n=======\n'}## 1.4.1\n\n- Faster\n`
  await shop.write('CHANGELOG.md', file)
  const inputs = { 'changelog-file': 'CHANGELOG.md' }
  expect(await refusalOf(shop, 'no-changelog', { inputs })).toMatch(
    /^changelog-file: "CHANGELOG\.md" contains conflict markers/
  )
})

test.each(
  sampleOf([
    '$CHANGES',
    `## 1.4.2\n\n${inBraces('{ steps.notes.outputs.text }')}`,
    'Changes:\n\n$(cat notes.md)',
    '- {{ .Version }}',
    `**${inBraces('NOTES')}**`
  ])
)('a line that is a template and nothing else is refused: %j', async body => {
  await using shop = await openShop({ release: { body } })
  expect(await refusalOf(shop, 'no-changelog')).toMatch(
    /^The notes of the release v1\.4\.2 contain a template that nobody filled in:\n {2}/
  )
})

test.each(
  sampleOf([
    '- Costs $AMOUNT at most\n- `{{ name }}` is filled in',
    '```\n<<<<<<< HEAD\n{{ .Version }}\n$CHANGES\n```\nAlbums.',
    'Albums\n=======\n\nSorted.'
  ])
)('such signs that the text is about stay: %j', async body => {
  await using shop = await openShop({ private: false, release: { body } })
  expect((await shop.publish()).outputs.outcome).toBe('published')
  expect(shop.service.versions).toMatchObject([{ record: { changelog: body } }])
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

test('a tag’s signature goes, also in a public repository', async () => {
  const body = 'Albums\n-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----'
  await using shop = await openShop({ private: false, release: { body } })
  expect((await shop.publish()).outputs.changelog).toBe('Albums')
})

test('notes without anything are refused for that reason', async () => {
  await using shop = await openShop({ release: { body: ' \n' } })
  expect(await refusalOf(shop, 'no-changelog')).toMatch(
    /^The notes of the release v1\.4\.2 contain nothing for buyers: the text is empty\.\n/
  )
})

test.each(
  sampleOf([
    ['null', 'what a program writes for no text'],
    ['undefined', 'what a program writes for no text'],
    ['[object Object]', 'what a program writes for no text'],
    ['## 1.4.2\n\nTODO', 'headings, words such as TODO'],
    ['<!-- write here -->', 'comments'],
    [
      "## What's Changed\n\n**Full Changelog**: https://github.com/acme/gallery/compare/v1.4.1...v1.4.2",
      'headings, what is removed for buyers'
    ],
    ['&nbsp;\n\n---', 'invisible characters, marks and tags']
  ])
)('notes without a word for buyers are shown, and why they do not count: %j', async (body, why) => {
  await using shop = await openShop({ release: { body } })

  const message = await refusalOf(shop, 'no-changelog')

  expect(message.split('\n').slice(0, 2)).toEqual([
    'The notes of the release v1.4.2 contain nothing for buyers:',
    `  ${body.split('\n')[0]}`
  ])
  expect(message).toContain(`\nThis does not count: ${why}.\n`)
})

test.each(
  sampleOf([
    'See CHANGELOG.md for the full release notes.',
    '## 1.4.2\n\nPlease refer to [CHANGELOG.md](https://github.com/acme/gallery/blob/v1.4.2/CHANGELOG.md) for details.',
    'For the complete list of changes, see the [changelog](docs/changes.md).',
    '- See `docs/releases/1.4.2.md`\n\n**Full Changelog**: https://github.com/acme/gallery/compare/v1...v2',
    'Release notes: https://github.com/acme/gallery/releases/tag/v1.4.2',
    '<!-- generated -->\n[What’s new](CHANGELOG.md)',
    'See the [commit log](https://github.com/acme/gallery/commits/main)',
    '[Milestone 1.4.2](https://github.com/acme/gallery/milestone/5?closed=1)',
    'View the [diff](https://github.com/acme/gallery/compare/v1...v2)',
    'Changes since last release: [v1...v2](https://github.com/acme/gallery/compare/v1...v2)',
    '- See [#12](https://github.com/acme/gallery/pull/12)\n- See [#13](https://github.com/acme/gallery/pull/13)',
    '(no CHANGELOG entry found for 1.4.2)',
    'No release notes provided.'
  ])
)('notes that only point to the repository count as empty: %j', async body => {
  await using shop = await openShop({ release: { body } })
  const message = await refusalOf(shop, 'no-changelog')

  expect(message).toMatch(/^The notes of the release v1\.4\.2 contain nothing but a pointer to the/)
  expect(message).toContain('`changelog-file`')

  const run = await shop.publish({ inputs: { 'changelog-fallback': 'Fixes.' } })
  expect(run.outputs.changelog).toBe('Fixes.')
})

test.each(
  sampleOf([
    'See docs/albums.md for the new albums.',
    'Added CHANGELOG.md',
    '新功能 [CHANGELOG.md](CHANGELOG.md)',
    '* readme.txt',
    'See https://docs.example.com/changelog for details.',
    'Fixes. See CHANGELOG.md.',
    'See CHANGELOG.md.\n\n- Albums',
    '[Albums can be sorted](https://github.com/acme/gallery/pull/12)',
    'No changes but new notes in the albums.'
  ])
)('notes that say more, or point elsewhere, are sent: %j', async body => {
  await using shop = await openShop({ private: false, release: { body } })
  expect((await shop.publish()).outputs.outcome).toBe('published')
  expect(shop.service.versions).toMatchObject([{ record: { changelog: body } }])
})

test('a pointer is sent if the step itself says it', async () => {
  await using shop = await openShop({ private: false })
  const changelog = 'See CHANGELOG.md for details.'
  const run = await shop.publish({ inputs: { changelog } })

  expect(run.outputs.changelog).toBe(changelog)
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
    inputs: { file: 'out/gallery.jar' },
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
