// The credentials of a run: those in proxies' addresses, and how all are taken out of every text.
import type { Environment } from './context.ts'

export interface Secrets {
  add(secret: string): void
  /** The text with `***` for each secret: as it is, percent-encoded, and in base64. */
  conceal(text: string): string
}

/** What is shorter is no credential, and would stand in any text by chance. */
const SHORTEST = 4

/** The runner masks what is printed; what is written to files, or escaped first, it does not find. */
export function openSecrets(): Secrets {
  let spellings: readonly string[] = []
  return {
    add(secret) {
      if (secret.trim().length < SHORTEST) return
      const base64 = Buffer.from(secret).toString('base64')
      const all = [...spellings, secret, encodeURIComponent(secret.toWellFormed()), base64]
      spellings = all.toSorted((a, b) => b.length - a.length)
    },
    conceal: text => spellings.reduce((rest, each) => rest.replaceAll(each, '***'), text)
  }
}

/** What stands for the password in a proxy's address and in a request to it; messages may quote them. */
export function proxySecrets(env: Environment): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.flatMap(name => {
    const value = env[name] ?? ''
    // Without a scheme, what stands before the colon would be taken for one.
    const address = value.includes('://') ? value : `http://${value}`
    if (!URL.canParse(address)) return []
    const { username, password } = new URL(address)
    if (password === '') return []
    const word = decode(password)
    return [password, word, Buffer.from(`${decode(username)}:${word}`).toString('base64')]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
