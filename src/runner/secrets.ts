// The credentials of a run: those in proxies' addresses, and how all are taken out of every text. Pure.
import type { Environment } from './context.ts'

/** A text without credentials. */
export type Conceal = (text: string) => string

/** What is shorter is no credential, and would stand in any text by chance. */
const SHORTEST = 4
/** In base64, where only the inner characters are sure. */
const SHORTEST_ENCODED = 8
/** What `markdown` puts between characters, unseen. */
const SPLIT = '(?:<!-- -->)?'

/**
 * Puts `***` in the place of every secret, and of every line of one: as it is, percent-encoded, with
 * entities for characters, and in base64, whatever stands around it there.
 */
export function concealing(secrets: readonly string[]): Conceal {
  const lines = secrets.flatMap(secret => [secret, ...secret.split(/[\r\n]+/)])
  const words = [...new Set(lines)].filter(word => word.trim().length >= SHORTEST)
  if (words.length === 0) return text => text
  const beginning = new RegExp(words.flatMap(beginningsOf).join('|'))
  let whole: RegExp | undefined
  return text => {
    if (!beginning.test(text)) return text
    whole ??= wholePattern(words)
    return text.replace(whole, '***')
  }
}

function wholePattern(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.flatMap(word => [spelled(word), ...encoded(word)]).join('|'), 'g')
}

/**
 * What stands in every text in which the whole pattern finds something. Nearly no text holds a secret, and
 * the whole pattern takes so long to compile and to run that every job would wait for it.
 */
function beginningsOf(word: string): string[] {
  const plain = spelled([...word].slice(0, SHORTEST).join(''))
  return [plain, ...coresOf(word).map(core => escapeText(core.slice(0, SHORTEST_ENCODED)))]
}

/** Each character as itself, in percents (also twice), or as an entity. */
function spelled(word: string): string {
  return [...word].map(character => `(?:${waysOf(character).join('|')})`).join(SPLIT)
}

function waysOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0
  const bytes = [...Buffer.from(character)].map(byte => byte.toString(16).padStart(2, '0'))
  const percents = bytes.map(byte => `%(?:25)*${anyCase(byte)}`).join('')
  // The character itself comes last, since it may begin another of its own spellings.
  return [
    percents,
    `&#0*${code};`,
    `&#[xX]0*${anyCase(code.toString(16))};`,
    `\\\\${escapeText(character)}`,
    escapeText(character)
  ]
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, letter => `[${letter}${letter.toUpperCase()}]`)
}

/** Beside the sure characters of base64, those that hold a part of the word's first or last letters. */
const EDGE = '[\\w+/-]{0,4}'

function encoded(word: string): string[] {
  return coresOf(word).map(core => `${EDGE}${escapeText(core)}${EDGE}={0,2}`)
}

/** The characters of base64 that do not depend on what stands around the word, in both alphabets. */
function coresOf(word: string): string[] {
  const bytes = Buffer.from(word)
  return [0, 1, 2].flatMap(offset => {
    const rest = bytes.subarray(offset)
    const inner = rest.subarray(0, rest.length - (rest.length % 3))
    const texts = new Set([inner.toString('base64'), inner.toString('base64url')])
    return [...texts].filter(text => text.length >= SHORTEST_ENCODED)
  })
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** A proxy's password stands in its address; error messages may quote it, in any of these forms. */
export function proxySecrets(env: Environment): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  const secrets = names.flatMap(name => {
    const value = env[name] ?? ''
    // Without a scheme, what stands before the colon would be taken for one.
    const address = value.includes('://') ? value : `http://${value}`
    if (!URL.canParse(address)) return []
    const { username, password } = new URL(address)
    if (password === '') return []
    const [user, word] = [decode(username), decode(password)]
    const written = address.slice(address.indexOf('://') + 3, address.lastIndexOf('@'))
    const asWritten = written.slice(written.indexOf(':') + 1)
    return [password, word, asWritten, Buffer.from(`${user}:${word}`).toString('base64')]
  })
  return [...new Set(secrets)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
