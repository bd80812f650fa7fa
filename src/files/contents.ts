// Whether what is in an archive is fit for buyers: what must not be in it, and what must (the input `contents`).
import { posix } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { hasWildcard, includes, inTime, matcherOf, pathOf } from './glob.ts'
import { findOtherVersions } from './manifests.ts'
import { listed, quoteName } from './names.ts'

/** The files of an archive. `texts` has those that may matter, as Latin-1. Sizes are in bytes. */
export interface Listing {
  readonly paths: readonly string[]
  readonly texts: ReadonlyMap<string, string>
  readonly unpacked: number
}

/** Paths that no buyer should get, worded to follow their names. */
const FORBIDDEN: readonly (readonly [path: RegExp, what: string])[] = [
  [
    /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i,
    'which often holds passwords'
  ],
  [/(?:^|\/)\.git\//i, 'the Git history of your source code'],
  [/\.ppk$/i, 'a private key']
]
const USELESS: typeof FORBIDDEN = [
  [/(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i, 'left there by an operating system'],
  [/(?:^|\/)node_modules\//i, 'the packages of a development install']
]
const KEY_FILE = /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p8|pk8|asc)$/i
/** In bytes as Latin-1, perhaps behind a byte order mark. */
const PRIVATE_KEY = /^(?:\xef\xbb\xbf)?\s*-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----/
const NPM_TOKEN = /^[^#;\r\n]*_(?:authToken|auth|password)[ \t]*=[ \t]*(?!\$\{)\S/m

/** Whether a file may hold a key or a token, by its path. */
export function mayHoldSecret(path: string): boolean {
  return KEY_FILE.test(path) || /(?:^|\/)\.npmrc$/i.test(path)
}

/** Returns warnings. Throws an `ActionError` about what must not be sent; `name` is the archive's, in quotes. */
export async function judgeContents(
  name: string,
  { paths, texts }: Listing,
  lines: readonly string[],
  versions: readonly string[] | undefined
): Promise<string[]> {
  const rules = await Promise.all(lines.map(parseRule))
  return inTime('contents', () => {
    const isAllowed = (path: string) => rules.some(({ allows }) => allows(path))
    const describe = (signs: typeof FORBIDDEN) =>
      signs.flatMap(([sign, what]) => {
        const found = paths.filter(path => sign.test(path) && !isAllowed(path))
        return found.length === 0 ? [] : [`${listed(found)}, ${what}`]
      })
    const secrets = [...texts].flatMap(([path, text]) => {
      if (isAllowed(path)) return []
      if (KEY_FILE.test(path) && PRIVATE_KEY.test(text))
        return [`${quoteName(path)}, a private key`]
      const isToken = /(?:^|\/)\.npmrc$/i.test(path) && NPM_TOKEN.test(text)
      return isToken ? [`${quoteName(path)}, which holds an npm token`] : []
    })
    const forbidden = [...describe(FORBIDDEN), ...secrets]
    if (forbidden.length > 0) {
      const message = `${name} contains ${forbidden.join('; ')}.`
      const advice = 'Leave it out of the build; if buyers should have it, name it in `contents`.'
      throw new ActionError('bad-file', message, { advice })
    }
    const broken = brokenRules(rules, paths)
    if (broken.length > 0) {
      throw new ActionError(
        'bad-file',
        `${name} ${broken.join('; it ')}. It contains ${listed(paths)}.`,
        {
          advice: 'Correct the build, or `contents`.'
        }
      )
    }
    const others = versions ? findOtherVersions(texts, paths, versions) : []
    if (others.length > 0) {
      throw new ActionError('file-version', `In ${name}, ${others.join('; ')}.`, {
        advice: `Set it to "${versions?.[0]}", and release a new tag; if the number means something else, set \`allow-other-version: true\`.`
      })
    }
    return describe(USELESS).map(what => `${name} contains ${what}.`)
  })
}

/** A line of `contents`. */
interface Rule {
  readonly line: string
  /** Whether it names a file outright, so that it may be what is refused otherwise. */
  readonly allows: (path: string) => boolean
  readonly matches: (path: string) => boolean
}

/** Parses a line, which matches a file, or all that is in a folder. */
async function parseRule(line: string): Promise<Rule> {
  const path = pathOf(line).replace(/\/+$/, '')
  // A folder's line allows no file in it, unless the folder itself is what would be refused.
  const inside = /(?:^|\/)(?:\.git|node_modules|__MACOSX)$/i.test(path) ? [`${path}/**`] : []
  const isPlain = includes(line) && !hasWildcard(posix.basename(path))
  const allows = isPlain ? await matcherOf([path, ...inside]) : () => false
  // An exclusion that names no folder counts everywhere.
  const place = includes(line) || path.includes('/') ? path : `**/${path}`
  return { line, allows, matches: await matcherOf([place, `${place}/**`]) }
}

/** A clause about each line that is not met; the last line that matches a file decides. */
function brokenRules(rules: readonly Rule[], paths: readonly string[]): string[] {
  const missed = rules.filter(
    ({ line, matches }) => includes(line) && !paths.some(path => matches(path))
  )
  // Before the first exclusion, none needs to be asked.
  const first = rules.findIndex(({ line }) => !includes(line))
  const deciding = first < 0 ? [] : rules.slice(first)
  const excluded = paths.filter(path => {
    const rule = deciding.findLast(({ matches }) => matches(path))
    return rule !== undefined && !includes(rule.line)
  })
  return [
    ...missed.map(({ line }) => `contains nothing that matches ${quoteName(line)} of \`contents\``),
    ...(excluded.length > 0 ? [`contains ${listed(excluded)}, which \`contents\` excludes`] : [])
  ]
}
