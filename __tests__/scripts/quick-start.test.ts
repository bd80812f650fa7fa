// Tests of scripts/quick-start.ts: the rewrites change how soon the code runs, and not what it does.
import { describe, expect, test } from '@jest/globals'
import { withEagerModules, withoutRequire } from '../../scripts/quick-start.ts'

const EVALUATE = 'data:text/javascript,'

describe('modules are compiled at once', () => {
  test('each function of a module is in parentheses, and nothing else is touched', () => {
    const code = 'const t=1,m={12:(e,t)=>{e({3:4})},7:function(e){return e},"x":e=>e,9:1};'
    expect(withEagerModules(code)).toBe(
      'const t=1,m={12:((e,t)=>{e({3:4})}),7:(function(e){return e}),"x":e=>e,9:1};'
    )
  })

  test('in a chunk as webpack writes it, which then gives the same', async () => {
    const code = 'export const id=1;export const modules={5:(e,t,n)=>{e.exports=t+n}}'
    const { modules } = await import(EVALUATE + encodeURIComponent(withEagerModules(code)))
    const module = { exports: 0 }
    modules[5](module, 1, 2)
    expect(module.exports).toBe(3)
  })

  test('code without modules is refused: the bundler has changed', () => {
    expect(() => withEagerModules('const modules = []')).toThrow('in another way')
  })
})

describe('built-in modules come from the process', () => {
  test('where webpack asks createRequire for them', async () => {
    const code =
      'import { createRequire as __ask } from "module";\nexport const { sep } = __ask(import.meta.url)("path");\n'
    const rewritten = withoutRequire(code)
    expect(rewritten).not.toContain('createRequire')
    const { sep } = await import(EVALUATE + encodeURIComponent(rewritten))
    expect(['/', '\\']).toContain(sep)
  })

  test('and in no other code', () => {
    expect(() => withoutRequire('import { createRequire } from "node:module";')).toThrow(
      'createRequire'
    )
  })
})
