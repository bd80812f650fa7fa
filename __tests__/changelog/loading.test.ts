// Tests of src/changelog/notes.ts as a process sees it: what is not needed is not loaded.
import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

const CHANGELOG = new URL('../../src/changelog/notes.ts', import.meta.url).href
const SECTION = new URL('../../src/changelog/section.ts', import.meta.url).href

/** The packages of parsers that a process has loaded after running the code. */
function loadedBy(code: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ resolve(name, context, next) { loaded.add(name); return next(name, context) } })
    const { writeForBuyers } = await import(${JSON.stringify(CHANGELOG)})
    const { takeSection } = await import(${JSON.stringify(SECTION)})
    const repository = { serverUrl: 'https://github.com', repository: 'acme/plugin' }
    ${code}
    process.stdout.write(JSON.stringify([...loaded]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: {}
  })
  const loaded: unknown = JSON.parse(output)
  const packages = ['mdast-util-from-markdown', 'xss']
  return Array.isArray(loaded) ? packages.filter(name => loaded.includes(name)) : []
}

test.each([
  ['nothing for plain notes', '- Faster\\n- Nicer, 100 %', 'expand', []],
  ['nothing for links that are kept', '[a](b) #12 @octocat', 'keep', []],
  ['no renderer for Markdown', 'by @octocat in #12', 'strip', ['mdast-util-from-markdown']]
])('%s', (_, source, links, packages) => {
  const code = `await writeForBuyers({ source: '${source}', links: '${links}', repository })`
  expect(loadedBy(code)).toEqual(packages)
})

test('nothing for a changelog without numbers', () => {
  expect(loadedBy(`await takeSection('- Faster', '1.0.0', 'v1.0.0')`)).toEqual([])
})
