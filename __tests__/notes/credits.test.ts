// Tests of src/notes/credits.ts: by each rule, real lines lose what is for GitHub's readers, and no word more.
import { describe, expect, test } from '@jest/globals'
import { strip, withHome } from './notes.ts'

const COMMIT = '[12ab34c](HOME/commit/12ab34c0000000000000000000000000000000)'
const MONA = '[@mona](https://github.com/mona)'

function becomes(rows: readonly (readonly [line: string, left: string])[]): void {
  test.each(rows)('%s', async (line, left) => {
    expect(await strip(`- ${line}`)).toBe(`- ${withHome(left)}`)
  })
}

const stays = (lines: readonly string[]) => becomes(lines.map(line => [line, line]))

describe('brackets with nothing but references, people and joining words go', () => {
  becomes([
    // Leaflet
    ['Fix drag and drop (#8891 by @mona)', 'Fix drag and drop'],
    [`Add a dialog (#8177 by ${MONA} and #8193, #8194 by @hubot)`, 'Add a dialog'],
    [`Fix tiles (by ${MONA}, [#5185](HOME/pull/5185)).`, 'Fix tiles.'],
    // 10up
    [`Bump \`axios\` to 1.7.4 (props ${MONA}, @hubot via #1260).`, 'Bump `axios` to 1.7.4.'],
    [`Version setting (Props ${MONA})`, 'Version setting'],
    // antispam-bee, statify
    ['Escape the link (Refs #534) (Thanks @mona!)', 'Escape the link'],
    ['Show total visits (#134, props @mona)', 'Show total visits'],
    // lerna-changelog
    [`[#12](HOME/pull/12) Sort albums (${MONA})`, '#12 Sort albums'],
    // changelogs of WordPress plugins
    ['Enabled again (fix #5611)', 'Enabled again'],
    ['Check the type (#163). (12ab34c)', 'Check the type'],
    ['Update locales (PR #4014)', 'Update locales'],
    // tj-actions
    [`Update the library (${COMMIT}) - (renovate[bot])`, 'Update the library'],
    // pulsar-client-go
    ['Add `eventTime` ([#1400](HOME/pull/1400)) by @mona', 'Add `eventTime`'],
    // conventional-changelog
    [`Sort albums (${COMMIT}), closes [#12](HOME/issues/12) #13`, 'Sort albums'],
    // axios, fullcalendar
    ['Fix the payload; (#6524) (12ab34c)', 'Fix the payload'],
    ['Bootstrap 4 (#4032, #4065, thx @mona)', 'Bootstrap 4']
  ])

  stays([
    'Documented tags (@param, @returns)',
    'Support queries (`@media`)',
    'Support @media',
    'Sort albums (see [the guide](https://a.example))',
    'Fixed ([#12](https://github.com/other/plugin/issues/12))',
    'Buy it ([pricing](https://a.example/pricing))',
    // Words before them need them.
    'Fixed in (#12)',
    'Fixes (#12)',
    'See also (#12)',
    'The update, which fixes (#12)',
    'A bug, fixes (#12)',
    'Works like (@mona, #12)'
  ])
})

describe('what stands at the end without brackets', () => {
  becomes([
    ['Sort albums by @mona in HOME/pull/12', 'Sort albums'],
    ['Sort by date by @mona in #12', 'Sort by date'],
    ['Sort albums 12ab34c by @mona', 'Sort albums 12ab34c'],
    ['Sort albums, see #12', 'Sort albums, see #12']
  ])

  stays(['When idle, closes #12', 'Sort by @date', 'New: #12'])
})

describe('commits, references and thanks before an item go', () => {
  becomes([
    ['12ab34c: Sort albums', 'Sort albums'],
    ['521205d: Sort albums', 'Sort albums'],
    [`[#12](HOME/pull/12) ${COMMIT} Thanks ${MONA}! - Sort albums`, 'Sort albums'],
    [`${COMMIT} - Sort albums`, 'Sort albums'],
    ['12ab34c Sort albums', 'Sort albums']
  ])

  stays(['#12: Sort albums', '#12 Sort albums', 'bcf2000: faders', 'Thanks @mona! Sorted.'])
})

test('updated dependencies lose their commits', async () => {
  expect(await strip(`- Updated dependencies [${COMMIT}]:\n  - @acme/core@1.2.3`)).toBe(
    '- Updated dependencies:\n  - @acme/core@1.2.3'
  )
})

describe('plain numbers in brackets that were no link', () => {
  test.each([
    // Where at least two items or paragraphs end so
    ['- Fix crash (#12)\n- Faster grid (#13)', '- Fix crash\n- Faster grid'],
    // A noun, not a verb
    ['- Collected import fixes (#12)\n- Doc fixes (#13)', '- Collected import fixes\n- Doc fixes'],
    ['Fix crash (#12).\n\n- Faster grid (#13 and #14)', 'Fix crash.\n\n- Faster grid'],
    ['- a\n  - Fix crash (#12)\n- Faster [#13]', '- a\n  - Fix crash\n- Faster'],
    // One that was a link, here or elsewhere
    ['- Fix crash ([#12](HOME/issues/12))', '- Fix crash'],
    ['- Fix crash (HOME/pull/12)', '- Fix crash'],
    ['[#12](HOME/pull/12) is in.\n\n- Fix crash (#12)', '#12 is in.\n\n- Fix crash']
  ])('go: %j', async (source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    '- We are now ranked (#1)!',
    '- We are now ranked (#1)!\n- Faster grid (#13) for all',
    '- We are now ranked (#1)!\n- Faster grid, see (#13)',
    '- The color is `(#1)`\n- Fix crash (#12)'
  ])('stay: %j', async source => {
    expect(await strip(source)).toBe(source)
  })

  test('with a person, a commit or a word that joins them, one is enough', async () => {
    expect(await strip('- a (#12, @mona)\n- b (12ab34c)')).toBe('- a\n- b')
    expect(await strip('- a (fixes #12)')).toBe('- a')
  })
})

test.each([
  '**Full Changelog**: HOME/compare/v1.4.1...v1.4.2',
  '**Full Changelog**: [v1.4.1...v1.4.2](HOME/compare/v1.4.1...v1.4.2)',
  '[View changes](HOME/compare/v1.4.1...v1.4.2)',
  'HOME/compare/v1.4.1...v1.4.2',
  'Reviewed-by: Mona <mona@example.com>',
  `## New Contributors\n\n* ${MONA} made their first contribution in HOME/pull/12\n\n[Changes](HOME/compare/a...b)`,
  '### Committers: 1\n- Mona Lisa <mona@example.com>'
])('lines for GitHub’s readers go: %j', async line => {
  expect(await strip(`- Sort albums\n\n${line}`)).toBe('- Sort albums')
})
