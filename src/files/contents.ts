// What must not be in an archive for buyers, by a file’s path or text, and what must be, by the input `contents`. Pure.
import { posix } from 'node:path'
import { listNames, quoteName } from '../runner/words.ts'
import { hasWildcard, isExclusion, matcherOf, pathOf } from './patterns.ts'

/** A file of an archive, and what is wrong with it, worded to follow its name. */
export type Finding = Readonly<{ path: string; what: string }>

/** A sentence for each thing that is wrong, which begins with a verb. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(findings, ({ what }) => what)]
  return groups.map(([what, those]) => `contains ${listNames(those.map(it => it.path))}, ${what}`)
}

type Patterns = readonly (readonly [pattern: RegExp, what: string])[]

const ENV = /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i
const FORBIDDEN: Patterns = [
  [ENV, 'which often contains passwords'],
  [/(?:^|\/)\.git\//i, 'the Git history of your source code']
]
const USELESS: Patterns = [
  [
    /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i,
    'left there by an operating system, and of no use to buyers'
  ],
  [/(?:^|\/)node_modules\//i, 'the packages of a development install']
]

/** What OpenSSL, OpenSSH, GnuPG, Apple, Java and PuTTY call their keys. */
const KEY_NAME = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk))$/i
const NPMRC = /(?:^|\/)\.npmrc$/i
/** In bytes: so much of such a file is read. */
const SECRET = 64 * 1024

/** A line may follow a byte order mark; a certificate may precede the key. */
const PRIVATE_KEY =
  /^[^\w\s-]{0,3}[ \t]*(?:-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d)/m
/** Whatever begins a line for `^` also ends it here: else each empty line would be searched to the end of the text. */
const NPM_TOKEN = /^[^#;\r\n\u2028\u2029]*_(?:authToken|auth|password)[ \t]*=[ \t]*(?!\$\{)\S/m

/** How many bytes to read of a file that may hold a secret, by its path; 0 of all others. */
export function secretBytes(path: string): number {
  return KEY_NAME.test(path) || NPMRC.test(path) ? SECRET : 0
}

/** What secret a file holds, worded to follow its name, by its first bytes; empty if none. */
export function secretIn(path: string, bytes: Buffer): string {
  // In UTF-16, every other byte of this text is 0.
  const text = bytes.toString('latin1').replaceAll('\0', '')
  if (NPMRC.test(path)) return NPM_TOKEN.test(text) ? 'which holds an npm token' : ''
  return PRIVATE_KEY.test(text) ? 'which holds a private key' : ''
}

/** A line of `contents`. */
export interface Rule {
  readonly line: string
  /** Whether it names a file outright, so that it may be what is refused otherwise. */
  allows(path: string): boolean
  matches(path: string): boolean
}

/** Parses a line, which matches a file, or all that is in a folder. */
export async function parseRule(line: string): Promise<Rule> {
  const path = pathOf(line).replace(/\/+$/, '')
  // A folder’s line allows no file in it, unless the folder itself is what would be refused.
  const inside = /(?:^|\/)(?:\.git|node_modules|__MACOSX)$/i.test(path) ? [`${path}/**`] : []
  const isOutright = !isExclusion(line) && !hasWildcard(posix.basename(path))
  const allows = isOutright ? await matcherOf([path, ...inside]) : () => false
  // An exclusion that names no folder counts everywhere.
  const place = isExclusion(line) && !path.includes('/') ? `**/${path}` : path
  return { line, allows, matches: await matcherOf([place, `${place}/**`]) }
}

/**
 * Sentences that begin with a verb, about the files of an archive. `secrets` are its files that hold one; `part` is
 * empty, or says that only a part of the archive was read.
 */
export function judgePaths(
  paths: readonly string[],
  secrets: readonly Finding[],
  rules: readonly Rule[],
  part: string
) {
  const find = (patterns: Patterns): Finding[] =>
    patterns.flatMap(([pattern, what]) =>
      paths.filter(path => pattern.test(path)).map(path => ({ path, what }))
    )
  const isRefused = ({ path }: Finding) => !rules.some(({ allows }) => allows(path))
  const describe = (found: Finding[]) => describeFindings(found.filter(isRefused))
  // The last line that matches a file decides.
  const excluded = paths.filter(path => {
    const last = rules.findLast(({ matches }) => matches(path))
    return last !== undefined && isExclusion(last.line)
  })
  const what = 'which a `!` line of `contents` excludes'
  const unmet = rules.filter(({ line, matches }) => !isExclusion(line) && !paths.some(matches))
  const missing = unmet.map(
    ({ line }) => `contains nothing that matches ${quoteName(line)} of \`contents\`${part}`
  )
  return {
    forbidden: describe([...secrets, ...find(FORBIDDEN)]),
    useless: describe(find(USELESS)),
    broken: [...describeFindings(excluded.map(path => ({ path, what }))), ...missing]
  }
}
