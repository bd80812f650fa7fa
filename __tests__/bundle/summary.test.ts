// Owns the job summary of a success, word for word, with what differs from run to run replaced.
import { expect, test } from '@jest/globals'
import { openShop, summaryOf } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

test('published, from a private repository', async () => {
  await using shop = await openShop(off)
  expect(summaryOf(await shop.publish({ inputs: { benefit: '34' } }))).toMatchInlineSnapshot(`
"## ✅ Published: 1.4.2

| | |
|---|---|
| Product | 12 |
| Benefit | 34 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
| Version id | 1001 |
| File | dist/gallery-1.4.2.zip (315 bytes) |
| Contents | 2 files, 65 bytes unpacked: "gallery/" |
| SHA-256 | <code>b9dd5944bbb5e6cd9d22445fa96061b74771030aa831294aa63dc140ab30481e</code> |
| Download | <a href="http://SHOP/downloads/UUID/gallery-1.4.2.zip">gallery-1.4.2.zip</a> |

<details><summary>Changelog</summary>

\`\`\`text
## What is new

- Albums can be sorted by date.
- Faster thumbnails.
\`\`\`

</details>
"
`)
})

test('published, from a public repository', async () => {
  await using shop = await openShop({ ...off, private: false })
  expect(summaryOf(await shop.publish())).toMatchInlineSnapshot(`
"## ✅ Published: 1.4.2

| | |
|---|---|
| Product | 12 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
| Version id | 1001 |
| File | dist/gallery-1.4.2.zip (315 bytes) |
| Contents | 2 files, 65 bytes unpacked: "gallery/" |
| SHA-256 | <code>b9dd5944bbb5e6cd9d22445fa96061b74771030aa831294aa63dc140ab30481e</code> |

<details><summary>Changelog</summary>

\`\`\`text
## What is new

- Albums can be sorted by date.
- Faster thumbnails.
\`\`\`

</details>
"
`)
})

test('already published', async () => {
  await using shop = await openShop()
  await shop.publish()
  expect(summaryOf(await shop.publish({ attempt: 2 }))).toMatchInlineSnapshot(`
"## ⏭️ Nothing to publish: 1.4.2

The version "1.4.2" is already published, by run 9000001 (https://github.com/acme/gallery/actions/runs/9000001). Nothing was sent.

| | |
|---|---|
| Product | 12 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
| Version id | 1001 |
| File | dist/gallery-1.4.2.zip (315 bytes) |
| Contents | 2 files, 65 bytes unpacked: "gallery/" |
| SHA-256 | <code>b9dd5944bbb5e6cd9d22445fa96061b74771030aa831294aa63dc140ab30481e</code> |
| Download | <a href="http://SHOP/downloads/UUID/gallery-1.4.2.zip">gallery-1.4.2.zip</a> |

<details><summary>Changelog</summary>

\`\`\`text
## What is new

- Albums can be sorted by date.
- Faster thumbnails.
\`\`\`

</details>
"
`)
})

test('skipped', async () => {
  await using shop = await openShop({ ...off, release: { prerelease: true } })
  expect(summaryOf(await shop.publish())).toMatchInlineSnapshot(`
"## ⏭️ Nothing to publish

Nothing was published: v1.4.2 is marked as a pre-release. Set <code>prerelease: publish</code> to publish pre-releases too.
"
`)
})

test('other people’s text is shown, and is no markup', async () => {
  const markup = ['<img src=x>', '| x', '**bold**', '[link]', 'http://evil.example', '@octocat']
  const name = [...markup, '#1', '`code`', 'www.evil.example'].join(' ')
  const body = 'Text\n```\n</details>\n~~~\n<script>alert(1)</script>\n````\n- [ ] end'
  await using shop = await openShop({ ...off, release: { name, body } })
  const run = await shop.publish()
  expect(summaryOf(run)).toContain(`| Title | ${name} |`)
  const row = run.summary.split('\n').find(line => line.startsWith('| Title |')) ?? ''
  for (const text of [...markup, '#1 ', '`', 'www.evil']) expect(row.slice(9)).not.toContain(text)
  expect(run.summary).toContain(`\n\`\`\`\`\`text\n${body}\n\`\`\`\`\`\n\n</details>\n`)
})
