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
  'Version 1.2.2 is next\n---'
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
