// Takes credentials out of texts. Pure.
import { unescape as decoded } from 'node:querystring'

/** Shorter texts are no credentials, and would be found in other texts by chance. */
const SECRET_MIN_CHARACTERS = 4

/** Credentials that are taken out of texts. */
export interface Secrets {
  add(secret: string): void
  /** The text with `***` for each credential. */
  conceal(text: string): string
}

/** Replaces secrets by `***`: as they are, and as JSON escapes them. */
export function openSecrets(): Secrets {
  const spellings = new Set<string>()
  return {
    add(secret) {
      if (secret.trim().length < SECRET_MIN_CHARACTERS) return

      spellings.add(secret)
      spellings.add(JSON.stringify(secret).slice(1, -1))
    },
    conceal(text) {
      // A secret may be part of a longer one.
      const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
      return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, '***'), text)
    }
  }
}

/** The proxies' passwords, as written and decoded: messages may quote them. */
export function proxySecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.flatMap(name => {
    const [, password = ''] = /^(?:\w+:\/\/)?[^:@/]*:([^/]+)@/.exec(env[name] ?? '') ?? []
    return password === '' ? [] : [password, decoded(password)]
  })
}
