// Takes credentials out of texts. Pure.
import { unescape as decoded } from 'node:querystring'
import { SPLIT } from './words.ts'

/** Shorter texts are no credentials, and would be found in other texts by chance. */
const SECRET_MIN_CHARACTERS = 4

/** Credentials that are taken out of texts. */
export interface Secrets {
  add(secret: string): void
  /** The text with `***` for each credential. */
  conceal(text: string): string
}

/** Replaces secrets by `***`, also encoded or escaped ones: the runner masks only exact copies. */
export function openSecrets(): Secrets {
  const spellings = new Set<string>()
  let pattern = /(?!)/g // matches nothing
  return {
    add(secret) {
      if (secret.trim().length < SECRET_MIN_CHARACTERS) return

      spellings.add(secret).add(Buffer.from(secret).toString('base64'))
      const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
      pattern = new RegExp(longestFirst.map(escapedAnyhow).join('|'), 'g')
    },
    conceal: text => text.replace(pattern, '***')
  }
}

/** Nothing shows as a credential what was escaped more often. */
const ESCAPED_ROUNDS = 3

/**
 * Conceals credentials in other people's text as it arrives, before anything cuts it: also those whose characters are
 * escaped, as in JSON within a message, in HTML, or in addresses.
 */
export function concealReceived(text: string, conceal: (text: string) => string): string {
  let plain = text
  for (let round = 0; round < ESCAPED_ROUNDS; round++) {
    plain = unescapeAll(plain)
  }

  const concealed = conceal(plain)
  return concealed === plain ? conceal(text) : concealed
}

function unescapeAll(text: string): string {
  const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  return text
    .replace(/\\u([\da-f]{4})|&#x([\da-f]{1,6});|%([\da-f]{2})/gi, (_, a, b, c) =>
      character(Number.parseInt(a ?? b ?? c, 16))
    )
    .replace(/&#(\d{1,7});/g, (_, code) => character(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => NAMED[name.toLowerCase()] ?? '')
    .replace(/\\(?=[^\w\s])/g, '')
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'"
}

/** A pattern for a text whose punctuation may be escaped: a `"` also as `&quot;`, `&#34;`, `%22`, or `\"`. */
function escapedAnyhow(text: string): string {
  const parts = text.split(/([^a-z\d])/i).map(part => {
    if (/^[a-z\d]*$/i.test(part)) return part

    const code = part.charCodeAt(0)
    const digits = code.toString(16).padStart(4, '0')
    const percent = digits.slice(2).replace(/[a-f]/, it => `[${it}${it.toUpperCase()}]`)
    const entity = /[&<>"]/.test(part) ? '&\\w+;|' : ''
    return `(?:${entity}&#${code};|%${percent}|\\\\?\\u${digits})`
  })
  return parts.join(`(?:${SPLIT})?`)
}

/** The proxies' passwords: as written, decoded, and as in `Proxy-Authorization`. Messages may quote them. */
export function proxySecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.flatMap(name => {
    const [, user = '', password = ''] =
      /^(?:\w+:\/\/)?([^:@/]*):([^/]+)@/.exec(env[name] ?? '') ?? []
    if (password === '') return []

    const word = decoded(password)
    const pair = Buffer.from(`${decoded(user)}:${word}`).toString('base64')
    return [password, word, pair]
  })
}
