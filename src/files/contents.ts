// The rules for the files of an archive: what buyers must not have, by path or text, and what the input `contents` demands.
// Pure.
import { posix } from 'node:path'
import { listNames, literal, quoteName } from '../runner/words.ts'
import { hasWildcard, isExclusion, matcherOf, pathOf } from './patterns.ts'

/** A file of an archive, and what is wrong with it, worded to follow its name. */
export interface Finding {
  readonly path: string
  readonly what: string
}

/** A sentence for each thing that is wrong, which begins with a verb. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(findings, ({ what }) => what)]
  return groups.map(([what, those]) => `contains ${listNames(those.map(it => it.path))}, ${what}`)
}

/** Files that are recognized by their paths, and what is wrong with them, worded to follow the name. */
interface SuspectPattern {
  readonly pattern: RegExp
  /** Where all of a folder is meant: its name. */
  readonly folder?: string
  readonly what: string
}

/** All that is in folders of this name. */
function allOf(folder: string, what: string): SuspectPattern {
  return {
    pattern: new RegExp(`(?:^|/)${literal(folder)}/`, 'i'),
    folder,
    what
  }
}

/** The last word of `.env.example`, `.env.local.dist`, which are there to be filled in. */
const SAMPLE = /(?:example|sample|template|dist)/.source

const FORBIDDEN: readonly SuspectPattern[] = [
  {
    // `.env`, `a/.env.production`, not `.env.example`
    pattern: new RegExp(`(?:^|/)\\.env(?:\\.(?!(?:[^/]*\\.)?${SAMPLE}$)[^/]+)?$`, 'i'),
    what: 'which often contains passwords'
  },
  allOf('.git', 'the Git history of your source code')
]

const LEFT_THERE = 'left there by an operating system, and of no use to buyers'
const USELESS: readonly SuspectPattern[] = [
  allOf('__MACOSX', LEFT_THERE),
  {
    pattern: /(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/i,
    what: LEFT_THERE
  },
  allOf('node_modules', 'the packages of a development install'),
  allOf('.github', 'the workflows and settings of your repository')
]

/** In lower case: the folders that are meant as a whole. */
const FOLDERS = [...FORBIDDEN, ...USELESS].flatMap(({ folder }) => folder?.toLowerCase() ?? [])

/** `id_rsa`, `server.pem`: how OpenSSL, OpenSSH, GnuPG, Apple, Java and PuTTY call their keys. */
const KEY_NAME = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|ppk))$/i
const NPMRC = /(?:^|\/)\.npmrc$/i
/** So much of such a file is read. */
const SECRET_SCAN_BYTES = 64 * 1024

/**
 * `-----BEGIN RSA PRIVATE KEY-----`, not code that writes such a line. It may follow a byte order mark; a certificate may
 * precede the key.
 */
const PRIVATE_KEY =
  /^[^\w\s-]{0,3}[ \t]*(?:-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d)/m
/**
 * `//registry.example/:_authToken=abc`, not `_authToken=${TOKEN}` or a comment. All that begins a line for `^` also ends it
 * here: else each empty line would be searched to the end of the text.
 */
const NPM_TOKEN = /^[^#;\r\n\u2028\u2029]*_(?:authToken|auth|password)[ \t]*=[ \t]*(?!\$\{)\S/m

/** How many bytes to read of a file that may hold a secret, by its path; 0 of all others. */
export function secretBytes(path: string): number {
  return KEY_NAME.test(path) || NPMRC.test(path) ? SECRET_SCAN_BYTES : 0
}

/** The secret that a file holds, worded to follow its name, by its first bytes; empty if none. */
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
  const path = pathOf(line).replace(/(?<!\/)\/+$/, '')
  // A folder’s line allows no file in it, unless the folder itself is what would be complained about.
  const isSuspect = FOLDERS.includes(posix.basename(path).toLowerCase())
  const inside = isSuspect ? [`${path}/**`] : []
  const isOutright = !isExclusion(line) && !hasWildcard(posix.basename(path))
  const allows = isOutright ? await matcherOf([path, ...inside]) : () => false

  // An exclusion that names no folder counts everywhere.
  const place = isExclusion(line) && !path.includes('/') ? `**/${path}` : path
  return { line, allows, matches: await matcherOf([place, `${place}/**`]) }
}

/** About the files of an archive: sentences that begin with a verb. */
export interface Judgment {
  /** About files that buyers must not have. */
  readonly forbidden: readonly string[]
  /** About files that are of no use to buyers. */
  readonly useless: readonly string[]
  /** About files that a line of `contents` excludes. */
  readonly excluded: readonly string[]
  /** About lines of `contents` that no file matches. */
  readonly missing: readonly string[]
}

/**
 * Judges the files of an archive.
 * @param secrets Those that hold a secret.
 * @param part Empty, or says that only a part of the archive was read.
 */
export function judgePaths(
  paths: readonly string[],
  secrets: readonly Finding[],
  rules: readonly Rule[],
  part: string
): Judgment {
  const isRefused = ({ path }: Finding) => !rules.some(({ allows }) => allows(path))
  const describe = (found: readonly Finding[]) => describeFindings(found.filter(isRefused))
  return {
    forbidden: describe([...secrets, ...findSuspects(paths, FORBIDDEN)]),
    useless: describe(findSuspects(paths, USELESS)),
    excluded: findExcluded(paths, rules),
    missing: findUnmatched(paths, rules, part)
  }
}

function findSuspects(paths: readonly string[], suspects: readonly SuspectPattern[]): Finding[] {
  return suspects.flatMap(({ pattern, what }) =>
    paths.filter(path => pattern.test(path)).map(path => ({ path, what }))
  )
}

/** About files that `contents` excludes: the last line that matches a file decides. */
function findExcluded(paths: readonly string[], rules: readonly Rule[]): string[] {
  const excluded = paths.filter(path => {
    const last = rules.findLast(({ matches }) => matches(path))
    return last !== undefined && isExclusion(last.line)
  })
  const what = 'which a `!` line of `contents` excludes'
  return describeFindings(excluded.map(path => ({ path, what })))
}

/** About lines of `contents` that no file matches. */
function findUnmatched(paths: readonly string[], rules: readonly Rule[], part: string): string[] {
  const missing = rules.filter(({ line, matches }) => !isExclusion(line) && !paths.some(matches))
  return missing.map(
    ({ line }) => `contains nothing that matches ${quoteName(line)} of \`contents\`${part}`
  )
}
