// Owns what a user is told of a wrong input or a wrong file, before anything is sent.
import { mkdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Run } from '../support/runner.ts'
import { FILE, openShop, summaryOf } from '../support/shop.ts'

/** Every message: the annotations, and what has no room among them, in the log; without titles. */
function complaintsOf({ log }: Run): readonly string[] {
  return log.split('\n').flatMap(line => /^error: (?:\S+: (?=\S+: ))?(.*)/i.exec(line)?.[1] ?? [])
}

describe('wrong inputs', () => {
  const wrong = {
    'base-url': 'http://shop.example.com',
    token: 'two words',
    product: '0x12',
    benefit: '-1',
    file: '# only a comment\n!dist/**',
    order: 'falling',
    'tag-pattern': 'plugin-v',
    'version-name': '{nope}',
    title: '{versoin}'
  }
  const more = {
    prerelease: 'yes',
    upload: 'ftp',
    'base64-file': '[]',
    once: 'twice',
    'download-link': 'maybe',
    'stall-timeout': '7days',
    'response-timeout': '0',
    'github-token': 'two words'
  }

  test('few are told in an annotation each', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: wrong })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    const titles = run.annotations.map(({ kind, title }) => `${kind}: ${title}`)
    const names = Object.keys(wrong).map(name => `error: ${name}`)
    expect([titles[0], ...titles.slice(1).sort()]).toEqual([
      'error: Not published',
      ...names.sort()
    ])
    for (const [name, value] of Object.entries(wrong)) {
      const { message = '' } = run.annotations.find(({ title }) => title === name) ?? {}
      expect(message).toMatch(new RegExp(`^${name}: `))
      if (name !== 'token' && name !== 'file') expect(message).toContain(value)
    }
    expect(run.log).not.toContain('two words')
    expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
  })

  test('of more than fit on the page, all are in the log and the summary', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: { ...wrong, ...more } })
    const summary = summaryOf(run)
    for (const name of Object.keys({ ...wrong, ...more })) {
      expect(complaintsOf(run).filter(line => line.startsWith(`${name}: `))).toHaveLength(1)
      expect(summary).toContain(`\n- ${name}: `)
    }
    expect(run.annotations[0]?.message).toBe(
      'Nothing was published: 17 problems have to be fixed first.'
    )
  })

  test('what is missing is named', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: { 'base-url': '', token: '', product: '', file: '' } })
    const missing = ['base-url', 'token', 'product', 'file']
    expect(run.annotations.map(({ message }) => message)).toEqual([
      'Nothing was published: 4 problems have to be fixed first.',
      ...missing.map(name => expect.stringContaining(`${name}: is required`))
    ])
  })

  test('an address with a password is refused and not quoted', async () => {
    await using shop = await openShop()
    const url = 'https://user:pass-word-in-an-address@shop.example.com'
    const credentials = ['pass-word-in-an-address']
    const run = await shop.publish({ inputs: { 'base-url': url }, credentials })
    expect(run.annotations[0]).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^base-url: contains a user name, a query or a fragment/)
    })
  })
})

describe('wrong texts', () => {
  test('faults of the release and of the inputs are reported together', async () => {
    await using shop = await openShop({ release: { body: '\r\n ', name: 'x'.repeat(256) } })
    const run = await shop.publish({ inputs: { 'tag-pattern': 'plugin-v{version}' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(run.annotations.map(({ title }) => title)).toEqual([
      'Not published',
      'tag-pattern',
      'title',
      'changelog'
    ])
    const [, pattern, title, changelog] = run.annotations.map(({ message }) => message)
    expect(pattern).toMatch(/"plugin-v\{version\}".*"v1\.4\.2"/)
    expect(changelog).toMatch(/v1\.4\.2 has no notes/)
    expect(title).toMatch(/256 characters.*255/)
    expect(shop.service.requests).toEqual([])
    expect(shop.github.requests).toEqual([])
  })
})

describe('files', () => {
  test('none: the patterns, the nearest files and the likely cause', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: { file: 'build/out/*.zip\n!**/*-debug.zip' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-file' })
    expect(run.annotations).toHaveLength(1)
    const lines = run.annotations[0]?.message.split('\n').map(line => line.trim()) ?? []
    expect(lines[0]).toBe('file: No file matches:')
    expect(lines.slice(1, 3)).toEqual(['build/out/*.zip', '!**/*-debug.zip'])
    expect(lines[3]).toMatch(/There is no "build"\..*built, or downloaded, in this job/)
    expect(lines.at(-1)).toContain(FILE)
    expect(shop.github.requests).toEqual([])
  })

  test('none, in a workspace that is empty: what makes it so', async () => {
    await using shop = await openShop()
    await mkdir(join(shop.workspace, 'empty'))
    const run = await shop.publish({ workspace: join(shop.workspace, 'empty') })
    expect(run.annotations[0]?.message).toMatch(/workspace is empty.*actions\/download-artifact/)
  })

  test('several: a table, and how to narrow', async () => {
    await using shop = await openShop()
    await shop.write('dist/gallery-1.4.2-debug.zip', 'debug')
    await shop.write('dist/old/gallery-1.4.1.zip', 'old')
    const run = await shop.publish({ inputs: { file: 'dist/**/*.zip' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'several-files' })
    const lines = run.annotations[0]?.message.split('\n') ?? []
    expect(lines[0]).toMatch(/^file: 3 files match.*exactly one/)
    for (const [path, size] of [
      [FILE, 315],
      [`${FILE.slice(0, -4)}-debug.zip`, 133],
      ['dist/old/gallery-1.4.1.zip', 131]
    ]) {
      const row = lines.find(line => line.includes(`${path}`) && line.includes(`${size} bytes`))
      expect(row).toMatch(/\d{4}-\d\d-\d\d/)
    }
    expect(lines.at(-1)).toBe('  dist/gallery-{version}.zip')
    expect(shop.github.requests).toEqual([])
  })

  test.each([
    ['an empty file', 'dist/none.zip', '', /"dist\/none\.zip" is empty/],
    ['a name with a line break', 'dist/a\nb.zip', 'x', /control character.*Rename/]
  ])('%s is refused', async (_, path, content, message) => {
    await using shop = await openShop()
    await shop.write(path, content)
    const run = await shop.publish({ inputs: { file: 'dist/*.zip\n!dist/gallery*' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
    expect(run.annotations[0]?.message).toMatch(message)
    expect(shop.github.requests).toEqual([])
  })

  test('a link that leads out of the workspace is refused', async () => {
    await using shop = await openShop()
    await using other = await openShop()
    await symlink(join(other.workspace, 'dist/gallery-1.4.2.zip'), join(shop.workspace, 'a.zip'))
    const temp = join(tmpdir(), 'nothing-here')
    const run = await shop.publish({ inputs: { file: '*.zip' }, env: { RUNNER_TEMP: temp } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
    expect(run.annotations[0]?.message).toMatch(/"a\.zip".* outside the workspace/)
  })
})
