// Owns the job summary of a failure, word for word, with what differs from run to run replaced.
import { expect, test } from '@jest/globals'
import { openShop, summaryOf } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

test('wrong inputs', async () => {
  await using shop = await openShop(off)
  const inputs = { product: '', prerelease: 'yes' }
  expect(summaryOf(await shop.publish({ inputs }))).toMatchInlineSnapshot(`
"## ❌ Not published

Nothing was published: 2 problems have to be fixed first.

- prerelease: "yes" is none of "skip", "publish", "only"
- product: is required
"
`)
})

test('no file', async () => {
  await using shop = await openShop(off)
  expect(summaryOf(await shop.publish({ inputs: { file: 'build/*.zip' } }))).toMatchInlineSnapshot(`
"## ❌ Not published

\`\`\`text
file: No file matches:
  build/*.zip
There is no "build". Was the file built, or downloaded, in this job? Every job starts without files.
Files that end with .zip:
  "dist/gallery-1.4.2.zip"
\`\`\`
"
`)
})

test('refused, with field errors', async () => {
  await using shop = await openShop(off)
  const errors = { title: ['The title is taken.'], file: ['Too big.', 'No zip.'] }
  const body = { message: 'The title is taken. (and 2 more errors)', errors }
  shop.service.misbehave({ kind: 'answer', status: 422, body, stored: false })
  expect(summaryOf(await shop.publish())).toMatchInlineSnapshot(`
"## ❌ Not published: 1.4.2

SHOP did not publish it: it answered 422: The title is taken. (and 2 more errors)

- Input title (field title): The title is taken.
- Input file (field file): Too big. No zip.

**What to do:** Correct what is named above, and publish again. A re-run uses the workflow as it was: after changing it, start a new run.

| | |
|---|---|
| Product | 12 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
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

test('unknown', async () => {
  await using shop = await openShop(off)
  shop.service.misbehave({ kind: 'answer', status: 500, body: { message: 'Server Error' } })
  expect(summaryOf(await shop.publish())).toMatchInlineSnapshot(`
"## ⚠️ Nobody knows yet whether this was published: 1.4.2

Nobody knows whether it is published: the whole request was sent, but the service answered 500: Server Error.

**What to do:** Look in the shop’s admin panel whether the version is there before you run this again.

| | |
|---|---|
| Product | 12 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
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

test('the permission is missing', async () => {
  await using shop = await openShop({ github: { permissions: { deployments: 'none' } } })
  expect(summaryOf(await shop.publish())).toMatchInlineSnapshot(`
"## ❌ Not published: 1.4.2

Nothing was sent: the job may not write deployments, which remember what is published, so that nothing is published twice (listing the deployments: GitHub answered 403: Resource not accessible by integration - https://docs.github.com/rest).

**What to do:**

\`\`\`text
Add these lines to the job (or to the workflow):
permissions:
  contents: read
  deployments: write
Or set \`once: off\`, and go without that guard.
\`\`\`

| | |
|---|---|
| Product | 12 |
| Version | 1.4.2 |
| Title | Gallery 1.4.2 |
| File | dist/gallery-1.4.2.zip (315 bytes) |
| Contents | 2 files, 65 bytes unpacked: "gallery/" |

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

test('no line has blanks at its end, and no two lines in a row are empty', async () => {
  await using shop = await openShop({ github: { permissions: { deployments: 'none' } } })
  const denied = await shop.publish()
  const lost = await shop.publish({ inputs: { file: 'build/*.zip' } })
  for (const { summary } of [denied, lost]) expect(summary).not.toMatch(/[ \t]\n|\n\n\n/)
})
