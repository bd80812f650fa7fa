// Owns two rewrites of what ncc and terser give, by which an action starts sooner (`npm run bench -- startup`).
import { type AnyNode, parse } from 'acorn'

const REQUIRE = /^import \{ createRequire as (\w+) \} from "module";$/m

/**
 * The bundle with its built-in modules taken from the process: `createRequire` is in a module that loads a
 * dozen others. Throws for a bundle that asks for them in another way.
 */
export function withoutRequire(code: string): string {
  const [line, name] = REQUIRE.exec(code) ?? []
  if (line === undefined) throw new Error('The bundle does not import createRequire as it did')
  return code.replace(line, `const ${name} = () => process.getBuiltinModule;`)
}

/**
 * The same code with each module's function in parentheses, which terser takes away. By them V8 knows that it
 * is called at once, and does not read it twice (https://v8.dev/blog/preparser#pife). Throws where none is found.
 */
export function withEagerModules(code: string): string {
  const modules = moduleFunctions(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  if (modules.length === 0) throw new Error('The bundle holds its modules in another way')
  const marks = modules.flatMap(({ start, end }) => [
    { at: start, mark: '(' },
    { at: end, mark: ')' }
  ])
  const cuts = marks.sort((a, b) => a.at - b.at)
  const pieces = cuts.map(({ at, mark }, index) => mark + code.slice(at, cuts[index + 1]?.at))
  return code.slice(0, cuts[0]?.at) + pieces.join('')
}

interface Span {
  readonly start: number
  readonly end: number
}

/** webpack keeps modules as functions in an object, by number. */
function moduleFunctions(node: AnyNode): Span[] {
  if (node.type === 'Property' && node.key.type === 'Literal' && isFunction(node.value)) {
    return typeof node.key.value === 'number' ? [node.value] : []
  }
  return childrenOf(node).flatMap(moduleFunctions)
}

function isFunction({ type }: AnyNode): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter(value => typeof value === 'object' && value !== null && 'type' in value)
}
