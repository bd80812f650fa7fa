// Owns the job summary on dist/, word for word, with what differs from run to run replaced.
import { expect, test } from '@jest/globals'
import { openShop, summaryOf } from '../support/shop.ts'

const off = { inputs: { record: 'false' } }
const SHA = 'b9dd5944bbb5e6cd9d22445fa96061b74771030aa831294aa63dc140ab30481e'
const LINKS = `Release <a href="https://github.com/acme/gallery/releases/tag/v1.4.2">v1.4.2</a>`
const FILE = `<tr><th align="left">File</th><td>dist/gallery-1.4.2.zip (315 bytes)</td></tr>
<tr><th align="left">Contents</th><td>2 files, 65 bytes unpacked: "gallery/"</td></tr>
<tr><th align="left">SHA-256</th><td><code>${SHA}</code></td></tr>`
const TEXT = `\`\`\`text
## What is new

- Albums can be sorted by date.
- Faster thumbnails.
\`\`\`

</details>`
const PAGES = 'https://github.com/octo-org/publish-version/blob/v1/docs'

test('published, from a private repository', async () => {
  await using shop = await openShop(off)
  expect(summaryOf(await shop.publish({ inputs: { benefit: '34' } }))).toBe(
    `## ✅ Published: Gallery 1.4.2

${LINKS}

Published at <code>SHOP</code>, a simulated shop on this machine: nobody was emailed.

<table>
<tr><th align="left">Product</th><td>12</td></tr>
<tr><th align="left">Benefit</th><td>34 (Gallery for studios)</td></tr>
<tr><th align="left">Version</th><td>1.4.2</td></tr>
<tr><th align="left">Title</th><td>Gallery 1.4.2</td></tr>
<tr><th align="left">Version id</th><td>1001</td></tr>
${FILE}
<tr><th align="left">Download</th><td><a href="http://SHOP/downloads/UUID/gallery-1.4.2.zip">gallery-1.4.2.zip</a></td></tr>
</table>

<details><summary>Changelog</summary>

${TEXT}

See also: <a href="${PAGES}/re-runs.md#what-a-re-run-does">What a re-run does</a>
`
  )
})

test('planned', async () => {
  await using shop = await openShop(off)
  const summary = summaryOf(await shop.publish({ inputs: { mode: 'plan' } }))
  expect(summary.replace(/^[\da-f]{64}$/m, 'DIGEST')).toBe(
    `## 📋 Plan, nothing sent: Gallery 1.4.2

${LINKS}

It would be published, without a record on GitHub (<code>once: off</code>).

<table>
<tr><th align="left">Product</th><td>12</td></tr>
<tr><th align="left">Version</th><td>1.4.2</td></tr>
<tr><th align="left">Title</th><td>Gallery 1.4.2</td></tr>
${FILE}
</table>

The file was not compared with the one that buyers have now: the record of what is published was not read.

### What buyers will read

<blockquote><h2>What is new</h2>
<ul>
<li>Albums can be sorted by date.</li>
<li>Faster thumbnails.</li>
</ul></blockquote>

<details><summary>Changelog, as text</summary>

${TEXT}

See also: <a href="${PAGES}/recipes.md#approve-without-protected-environments">Approve a plan</a>

To approve this plan, set <code>approved-plan</code> to its digest:

\`\`\`text
DIGEST
\`\`\`
`
  )
})

test('already published: what buyers have is shown, and nothing of what this run holds', async () => {
  await using shop = await openShop()
  await shop.publish()
  await shop.write('dist/gallery-1.4.2.zip', 'another build')
  const event = shop.event({ name: 'Gallery 1.4.2, renamed', body: 'Edited since.' })
  const run = await shop.publish({ event, attempt: 2 })
  expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  const again =
    'The file was built again since: the published one has the SHA-256 b9dd5944bbb5…, this one has'
  const reason = `Reason: <a href="${PAGES}/troubleshooting.md#already-published">already-published</a>`
  const summary = summaryOf(run)
  expect(summary).toMatch(/^## ⏭️ Skipped: Gallery 1\.4\.2\n/)
  expect(summary).toContain(again)
  expect(summary.slice(summary.indexOf('Reason'))).toMatch(`${reason}

<table>
<tr><th align="left">Product</th><td>12</td></tr>
<tr><th align="left">Version</th><td>1.4.2</td></tr>
<tr><th align="left">Title</th><td>Gallery 1.4.2</td></tr>
<tr><th align="left">Version id</th><td>1001</td></tr>
<tr><th align="left">File</th><td>gallery-1.4.2.zip (315 bytes)</td></tr>
<tr><th align="left">SHA-256</th><td><code>${SHA}</code></td></tr>
<tr><th align="left">Download</th><td><a href="http://SHOP/downloads/`)
  expect(summary).not.toMatch(/renamed|Edited|Changelog|Contents/)
})
