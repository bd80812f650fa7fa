// Tests of src/publish/inputs.ts: every input of the step, right and wrong, and all faults at once.
import { describe, expect, test } from '@jest/globals'
import { INPUT_NAMES, type InputName, parseInputs } from '../../src/publish/inputs.ts'
import { faultOf, type Given, GOOD, parse } from './given.ts'

describe('inputs that are right', () => {
  test('the least that can be given, with every default', async () => {
    const { inputs, faults } = await parse(GOOD)
    expect(faults).toEqual([])
    expect(inputs).toMatchObject({
      baseUrl: 'https://shop.example.com',
      token: 'pat_123',
      targets: [
        {
          place: '',
          product: 12,
          benefit: undefined,
          file: ['dist/*.zip'],
          asset: [],
          versionName: '{version}',
          title: '{name}',
          changelog: '',
          changelogFile: '',
          changelogFallback: '',
          changelogFormat: 'markdown',
          changelogLinks: 'auto',
          upload: 'multipart'
        }
      ],
      tag: '',
      tagPattern: '',
      prerelease: 'skip',
      mode: 'publish',
      fileVersion: 'agree',
      base64File: { before: '{"name":"{file_name}","content":"', after: '"}' },
      once: 'require',
      downloadLink: 'auto',
      stallTimeout: 60_000,
      responseTimeout: 300_000,
      githubToken: 'ghs_1'
    })
  })

  test('all that can be given, with white space around', async () => {
    const { inputs, faults } = await parse({
      'base-url': ' http://127.0.0.1:8080/shop/ ',
      token: ' pat_123\n',
      product: ' 12 ',
      benefit: ' 34 ',
      file: '# built\r\ndist/*.zip\r\n!dist/*-debug.zip\r\n',
      tag: ' v1.2.3 ',
      'tag-pattern': ' v{version} ',
      'version-name': ' {version} ({tag}) ',
      title: ' {name} ',
      changelog: ' - New ',
      'changelog-fallback': ' See {tag} ',
      'changelog-format': ' html ',
      'changelog-links': ' strip ',
      prerelease: ' only ',
      upload: ' multipart ',
      mode: ' plan ',
      'file-version': ' any ',
      once: ' off ',
      'download-link': ' show ',
      'stall-timeout': ' 0.5 ',
      'response-timeout': ' 86400 ',
      'github-token': ' ghs_1 '
    })
    expect(faults).toEqual([])
    expect(inputs).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080/shop',
      token: 'pat_123',
      targets: [
        {
          product: 12,
          benefit: 34,
          file: ['dist/*.zip', '!dist/*-debug.zip'],
          versionName: '{version} ({tag})',
          title: '{name}',
          changelog: '- New',
          changelogFallback: 'See {tag}',
          changelogFormat: 'html',
          changelogLinks: 'strip',
          upload: 'multipart'
        }
      ],
      tag: 'v1.2.3',
      tagPattern: 'v{version}',
      prerelease: 'only',
      mode: 'plan',
      fileVersion: 'any',
      once: 'off',
      downloadLink: 'show',
      stallTimeout: 500,
      responseTimeout: 86_400_000,
      githubToken: 'ghs_1'
    })
  })

  test('all that are declared are read, and no others', async () => {
    const asked = new Set<string>()
    await parseInputs(name => {
      asked.add(name)
      return GOOD[name] ?? ''
    })
    expect([...asked].toSorted()).toEqual(INPUT_NAMES.toSorted())
  })

  test('a file object of the user’s own', async () => {
    const given = { upload: 'base64', 'base64-file': '{"data": "{base64}"}' }
    const { inputs } = await parse({ ...GOOD, ...given })
    expect(inputs).toMatchObject({
      targets: [{ upload: 'base64' }],
      base64File: { before: '{"data":"', after: '"}' }
    })
  })
})

describe('an input that is wrong names itself, its value and what is accepted', () => {
  const SECONDS = 'is not a number of seconds, more than 0 and at most 86400'
  test.each<[InputName, string, string]>([
    ['tag', 'refs/tags/v1', '"refs/tags/v1" is a ref; give the tag alone: "v1"'],
    ['tag-pattern', 'v', '"v" must hold {version} exactly once'],
    ['tag-pattern', '{version}{version}', 'must hold {version} exactly once'],
    ['prerelease', 'true', '"true" is none of "skip", "publish", "only"'],
    ['prerelease', 'Skip', '"Skip" is none of'],
    ['base64-file', '{', 'is not JSON'],
    ['base64-file', '["{base64}"]', 'is not a JSON object'],
    ['base64-file', '{"a": "b"}', 'holds {base64} 0 times'],
    ['base64-file', '{"a": "{base64}{base64}"}', 'holds {base64} 2 times'],
    ['base64-file', '{"{base64}": ""}', 'in a key'],
    ['mode', 'dry-run', '"dry-run" is none of "publish", "check", "plan"'],
    ['file-version', 'no', '"no" is none of "agree", "any"'],
    ['github-token', '', 'is empty; leave it out to use the job’s own token, or set `once: off`'],
    ['once', 'no', '"no" is none of "require", "auto", "off"'],
    ['download-link', 'yes', '"yes" is none of "show", "hide", "auto"'],
    ['stall-timeout', '7days', `"7days" ${SECONDS}`],
    ['stall-timeout', '0', `"0" ${SECONDS}`],
    ['stall-timeout', '-5', `"-5" ${SECONDS}`],
    ['stall-timeout', '1e3', `"1e3" ${SECONDS}`],
    ['stall-timeout', '.5', `".5" ${SECONDS}`],
    ['response-timeout', '86401', `"86401" ${SECONDS}`],
    ['response-timeout', 'Infinity', `"Infinity" ${SECONDS}`]
  ])('%s: %j', async (input, value, text) => {
    expect(await faultOf(input, value)).toContain(text)
  })

  test('every fault is told at once', async () => {
    const wrong: Given = {
      'base-url': 'ftp://shop',
      token: 'a b',
      product: 'x',
      benefit: 'x',
      file: '!x',
      tag: 'refs/tags/x',
      'tag-pattern': 'x',
      'version-name': '{x}',
      title: '{x}',
      prerelease: 'x',
      upload: 'x',
      'base64-file': 'x',
      mode: 'x',
      'file-version': 'x',
      'changelog-fallback': '{x}',
      'changelog-format': 'x',
      'changelog-links': 'x',
      once: 'x',
      'download-link': 'x',
      'stall-timeout': 'x',
      'response-timeout': 'x',
      'github-token': 'a b'
    }
    const { faults } = await parse(wrong)
    expect(faults.map(({ place }) => place).toSorted()).toEqual(Object.keys(wrong).toSorted())
  })
})
