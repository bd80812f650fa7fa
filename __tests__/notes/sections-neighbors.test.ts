// Tests of src/notes/sections.ts: the text of a neighbor is never sent, however its title is written.
import { expect, test } from '@jest/globals'
import { ActionError } from '../../src/runner/action-error.ts'
import { take } from './taking.ts'

// Lines that people write over the text of a version that has no title like that of others.
test.each([
  '**v1.2.2** - 2024-01-02',
  '**1.2.2**',
  '__1.2.2__',
  '***1.2.2***',
  'Gallery 1.2.2 - 2024-01-01',
  'Gallery 1.2.2',
  '* 1.2.2 (2024-01-02)',
  '[1.2.2] 2024-01-02',
  '[1.2.2](https://a.example) - 2024-01-02',
  '1.2.2 | 2024-01-02',
  '| 1.2.2 | 2024-01-02 |',
  '| **1.2.2** | Faster |',
  'Ver. 1.2.2',
  'ver 1.2.2:',
  'Version 1.2.2',
  'Version: 1.2.2',
  'VERSION 1.2.2 - JANUARY 2, 2024',
  'Release 1.2.2',
  'Changes in 1.2.2',
  'v1.2.2',
  '1.2.2',
  '1.2.2:',
  '1.2.2 - Faster than ever',
  '1.2.2 (Jan 2, 2024)',
  '1.2.2, 2 January 2024',
  '2024-01-02 1.2.2',
  '2024-01-02: v1.2.2',
  'January 2, 2024 - 1.2.2',
  '- 1.2.2',
  '- **1.2.2**',
  '- # 1.2.2',
  '1. 1.2.2',
  '> ## 1.2.2',
  '##1.2.2',
  '##v1.2.2',
  '-----1.2.2-----',
  '*** 1.2.2 ***',
  '== 1.2.2',
  '= 1.2.2 ==',
  '===== 1.2.2 =====',
  '<summary>1.2.2</summary>',
  '<b>1.2.2</b>',
  '<p><strong>Version 1.2.2</strong></p>',
  '`1.2.2`',
  '    1.2.2',
  '- 1.2.2\n  -----',
  '1.2.2\n~~~~~',
  '2024-01-02 - version 1.2.2',
  '20012-01-02 - version 1.2.2',
  '<h4>1.2.2</h4>',
  '### 1.2.2',
  '# 1.2.2',
  '## Gallery 1.2.2',
  '## Gallery 2',
  '## 12',
  '## 2024',
  '## January 2024',
  '## Version 12',
  '2024',
  '12',
  'January 2, 2024',
  'v2',
  '## Unreleased',
  '## Next',
  '## Older versions',
  '## Build 12',
  '## RC 1',
  '## Spring Release',
  // With another label, or none, between signs
  '| Version | 1.2.2 |',
  'Version # 1.2.2',
  'Version – 1.2.2',
  'V. 1.2.2',
  'V.1.2.2',
  'Rev. 1.2.2',
  'Hotfix 1.2.2',
  'Release 1.2.2 (stable)',
  'Gallery (1.2.2)',
  'h4. Version 1.2.2',
  '***********\n* 1.2.2   *\n***********',
  '-----\n1.2.2\n-----',
  '1.2.2\n^^^^^',
  '- 1.2.2\n-------',
  '=-=-= 1.2.2 =-=-=',
  '/****** 1.2.2 ******/',
  '🎉 Version 1.2.2',
  '► v1.2.2',
  // In words
  "What's new in 1.2.2",
  '**What’s New in Version 1.2.2**',
  'Changelog for 1.2.2',
  'Changes for version 1.2.2:',
  'Fixed in 1.2.2',
  'Версия 1.2.2',
  'バージョン 1.2.2',
  '版本1.2.2',
  // After other dates
  'Tuesday, January 2, 2024 - 1.2.2',
  'Tue, 2 Jan 2024: v1.2.2',
  'Tuesday, January 2, 2024',
  // Of other parts
  '* 1.2 (2024-01-02)',
  '- **1.2.2.1** (2024-01-02)',
  '1.2.2.1',
  'Version 2',
  '**Release 12**',
  'Build 1234:',
  '### Release 12',
  '### Alpha 3',
  // In HTML
  '<summary>Gallery 1.2.2 – the fast one</summary>',
  '<tr><td>1.2.2</td><td>2024-01-02</td></tr>',
  '<div class="version">1.2.2</div>',
  '<h4>Version 1.2.2',
  '<details>\n## gallery@1.2.2',
  // In a list by mistake, after a date, and called by a package
  '- ## Gallery 1.2.2',
  '1. ## gallery@1.2.2',
  '2024-01-02 - version 1.2.2 in a hurry for all',
  'gallery@1.2.2',
  '**gallery@1.2.2**',
  '## gallery@v.1.2.2',
  // Without a version
  'Older versions',
  '**Older versions**',
  'Initial release',
  'Initial release.',
  '**First public release**',
  '### Initial release',
  '<b>Previous releases</b>',
  '**Hotfix - 2024-01-20**',
  '### Dark mode - January 20, 2024',
  'Version 1.2.2 is next\n---',
  '**Gallery `1.2.2`**',
  '`1.2.2` - `2024-01-02`',
  '**Summer update 2024**',
  '**Summer update (January 2024)**',
  '### Summer update - 31/01/2024',
  'Spring 2026',
  '31 janvier 2026',
  // In code that is open by mistake, and closed by the next one
  '```\nopen\n\n## 1.2.2\n\n- theirs\n\n```js\ncode\n```'
])('the text under %j is never sent', async title => {
  const file = `## 1.2.3\n\n- mine\n\n${title}\n\n- theirs\n`

  const end = await take(file).catch((error: unknown) => error)
  if (end instanceof ActionError) expect(end.message).toContain('does not say where "1.2.3" ends')
  else expect(end).toBe('- mine')
})

test.each(['## v.1.2.2', '= v.1.2.2 =', '= Ver.1.2.2 =', '### Version1.2.2', '= Gallery 1.2.2 ='])(
  'under %j in a readme another version begins, whatever follows',
  async title => {
    const file = `== Changelog ==\n\n= 1.2.3 =\n* mine\n\n${title}\n* theirs\n\n= 1.2.1 =\n* theirs`
    const end = await take(file).catch((error: unknown) => error)
    if (end instanceof ActionError) expect(end.message).toContain(title)
    else expect(end).toBe('* mine')
  }
)

test.each([
  // A pre-release of the next version has a title
  ['1.3.0', 'Gallery 1.2.3 - 2024-01-01', '1.2.3-beta.2'],
  ['1.3.0', '**Gallery 1.3.0 RC 1**', '1.2.9'],
  // Versions jump, so that nothing is between
  ['6.1.7', 'Gallery 6.1.6 - 2024-01-02', '7.0.0-beta.8\n\n- b\n\n## 6.1.5\n\n- c\n\n## 6.1.4'],
  ['6.1.7', '**Gallery `6.1.6`**', '7.0.0-beta.8\n\n- b\n\n## 6.1.5\n\n- c\n\n## 6.1.4']
])('between %s and a title below, %j makes the end unclear', async (version, line, below) => {
  const file = `## ${version}\n\n- mine\n\n${line}\n\n- theirs\n\n## ${below}\n\n- theirs`
  await expect(take(file, version)).rejects.toThrow('does not say where')
})

test.each([
  ['## theme@1.2.3\n\n- theirs\n\n## theme@1.2.2\n\n- theirs', 'plugin@1.2.3'],
  ['# theme\n\n## theme@1.2.3\n\n- theirs', '@acme/plugin@1.2.3'],
  ['## Theme 1.2.3\n\n- theirs\n\n## Theme 1.2.2\n\n- theirs', 'plugin-v1.2.3'],
  ['## core@1.2.3\n\n- theirs\n\n## theme@1.2.3\n\n- theirs', 'plugin@1.2.3'],
  ['## core 1.2.3\n- theirs\n## core 1.2.2\n- theirs\n## plugin 1.2.2\n- old', 'plugin@1.2.3'],
  ['## Monitor 1.2.3\n\n- theirs\n\n## 1.2.2\n\n- old', 'v1.2.3']
])('the text of another package is not sent: %j, tag %s', async (file, tag) => {
  await expect(take(file, '1.2.3', tag)).rejects.toThrow('has no heading for "1.2.3"')
})

test.each(['plugin@1.2.3', '@acme/plugin@1.2.3', 'plugin-v1.2.3', 'acme/plugin/1.2.3'])(
  'of several packages, that of the tag is sent, up to the next of any: %s',
  async tag => {
    const file =
      '## @acme/theme@1.2.3\n- theirs\n\n## @acme/plugin@1.2.3\n- mine\n\n## @acme/theme@1.2.2\n- theirs'
    expect(await take(file, '1.2.3', tag)).toBe('- mine')
  }
)
