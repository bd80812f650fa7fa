// Tests of src/notes/links.ts: addresses of the repository become text, and what only GitHub shows goes.
import { describe, expect, test } from '@jest/globals'
import { hasText } from '../../src/notes/text.ts'
import { strip, withHome, write } from './notes.ts'

function becomes(rows: readonly (readonly [source: string, text: string])[]): void {
  test.each(rows)('%j', async (source, text) => {
    expect(await strip(source)).toBe(withHome(text))
  })
}

const stays = (sources: readonly string[]) => becomes(sources.map(source => [source, source]))

const ASSET = 'https://github.com/user-attachments/assets/0a1b'
const IMG = `<img width="800" height="600" alt="Image" src="${ASSET}" />`

describe('pictures and videos that only GitHub shows go', () => {
  const shown: readonly string[] = [
    IMG,
    `![image](${ASSET})`,
    `![Screenshot 2026-01-31](${ASSET})`,
    ASSET,
    `<${ASSET}>`,
    `[![a.png](${ASSET})](${ASSET})`,
    `<a href="${ASSET}">${IMG}</a>`,
    'HOME/assets/12/0a1b',
    'https://private-user-images.githubusercontent.com/1/2.png?jwt=fake',
    `<video src="${ASSET}" controls></video>`,
    `<video controls>\n<source src="${ASSET}">\n</video>`,
    `<picture><source srcset="${ASSET}"><img alt="image" src="${ASSET}"></picture>`,
    `| ${IMG} | ${IMG} |\n| - | - |\n| ${IMG} | ![](${ASSET}) |`
  ]

  test.each(shown)('%s', async source => {
    expect(await strip(`Sort albums\n\n${source}\n\nby date`)).toMatch(/^Sort albums\n\n+by date$/)

    const { text, removed } = await write('strip', source)
    expect(hasText(text)).toBe(false)
    expect(removed.join('\n')).not.toMatch(/^$|jwt/)
  })

  becomes([
    [`![The new gallery](${ASSET}) is here`, 'The new gallery is here'],
    [
      `| Before | After |\n| - | - |\n| ${IMG} | ${IMG} |`,
      '| Before | After |\n| - | - |\n|  |  |'
    ],
    [`[The manual](${ASSET})`, 'The manual'],
    [`See ${ASSET}.`, 'See .'],
    ['See https://github.com/user-attachments/files/12/manual.pdf.', 'See manual.pdf.']
  ])

  stays([
    '![image](https://example.com/a.png)',
    '<video src="https://example.com/a.mp4"></video>',
    `\`${ASSET}\``
  ])
})

describe('a label stays, unless it is the number of its address', () => {
  becomes([
    ['[限制 189 字节](HOME/issues/7099)', '限制 189 字节'],
    ['[Исправлено 5 ошибок](HOME/issues/7)', 'Исправлено 5 ошибок'],
    ['[100%](HOME/issues/7)', '100%'],
    ['[12](HOME/issues/12) [GH-13](HOME/pull/13) [14](HOME/pull/15)', '#12 #13 14'],
    ['[PR 12](HOME/pull/12) and [PR #13](HOME/pull/13)', 'PR 12 and PR #13']
  ])
})

describe('an address is compared as what it opens', () => {
  becomes([
    ['https://github.com//acme/plugin/pull/12 is in', '#12 is in'],
    ['https://github.com./acme/plugin/pull/12 is in', '#12 is in'],
    ['https://github.com/./acme/plugin/pull/12 is in', '#12 is in'],
    ['[a](https://git\u00adhub.com/acme/plugin)', 'a'],
    ['https://git\u00adhub.com/acme/plugin/pull/12 is in', '#12 is in'],
    ['dividerhttps://github.com/acme/plugin/pull/383', 'divider#383'],
    ['見るhttps://github.com/acme/plugin/blob/main/Masks.md、', '見るMasks.md、'],
    ['Use git+https://github.com/acme/plugin.git@v1 now', 'Use plugin now'],
    ['Clone git@github.com:acme/plugin.git now', 'Clone plugin now'],
    ['Clone ssh://git@github.com/acme/plugin.git now', 'Clone plugin now'],
    ['Clone [it](ssh://git@ssh.github.com:443/acme/plugin.git)', 'Clone it'],
    ['New https://api.github.com/repos/acme/plugin/zipball/v1', 'New v1'],
    ['https://api.github.com/repos/acme/plugin/issues/12 is in', '#12 is in'],
    ['https://github.com/acme/plugin, https://github.com/acme/plugin/.', 'plugin, plugin.']
  ])

  stays([
    'Bump github.com/acme/plugin/types/v2 from 2.0.1 to 2.0.2',
    'Bump github.com/acme/plugin from 1.0.1 to 1.0.2',
    'https://github.com/acme/plugins and https://example.com/acme/plugin',
    'https://github.com/repos/acme and https://api.github.com/repos/acme/plugins',
    'git@github.com:acme/plugins.git, git@example.com:acme/plugin.git',
    'Open github.com/acme/plugin/issues'
  ])
})

describe('a relative address leads nowhere for buyers, in HTML, too', () => {
  becomes([
    [
      '- News <img src="docs/a.png" width="40"> and <a href="../../issues/5">five</a>',
      '- News  and five'
    ],
    ['News <img src="/a.png" alt="of the new grid"> here', 'News of the new grid here'],
    [
      '<a href="docs">a <a href="https://a.example">b</a> c</a>',
      'a <a href="https://a.example">b</a> c'
    ],
    ['News\n\n- ![](docs/a.png)\n- Grid', 'News\n\n- Grid']
  ])

  stays(['<a href="#news">a</a> <img src="https://a.example/a.png">', '<a name="x">a</a>'])
})
