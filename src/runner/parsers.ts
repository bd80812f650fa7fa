// Parsers of single inputs. Pure.
import { isLoopback } from './loopback.ts'

/** Makes a parser that takes `fallback` for an input that is not given. */
export function withDefault<Value>(fallback: string, parse: (text: string) => Value) {
  return (text: string): Value => parse(text || fallback)
}

/** Makes a parser that allows only these words; the first is the default. */
export function enumOf<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  return withDefault(words[0], text => oneOf(text, words))
}

/** Makes a parser that returns undefined for an input that is not given. */
export function optional<Value>(parse: (text: string) => Value) {
  return (text: string): Value | undefined => (text === '' ? undefined : parse(text))
}

/** Returns the text; throws an `Error` if it is empty. */
export function required(text: string): string {
  if (text === '') throw new Error('is required but not given')
  return text
}

/**
 * Parses an id or a count. Throws an `Error`, which ends with the `hint`, unless it is a positive integer that a
 * number holds exactly.
 */
export function parseId(text: string, hint = ''): number {
  const id = Number(text)
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(id)) return id
  throw new Error(`"${text}" is not a positive integer${hint && `; ${hint}`}`)
}

/** Parses seconds, perhaps with a fraction, into milliseconds: above 0 and at most a day, unless it says otherwise. Throws an `Error`. */
export function parseSeconds(
  text: string,
  {
    mayBeZero = false,
    most = 86_400
  }: { readonly mayBeZero?: boolean; readonly most?: number } = {}
): number {
  const seconds = Number(text)
  const isEnough = seconds > 0 || mayBeZero
  if (/^\d+(\.\d+)?$/.test(text) && isEnough && seconds <= most) return seconds * 1000
  const least = mayBeZero ? 'from 0' : 'above 0'
  throw new Error(`"${text}" is not a number of seconds (${least}, up to ${most})`)
}

/** Parses `true` or `false`, which is the default. Throws an `Error` about any other text. */
export function parseSwitch(text: string): boolean {
  return oneOf(text || 'false', ['true', 'false']) === 'true'
}

/** Returns the text; throws an `Error` if it is none of the values. */
export function oneOf<const T extends string>(text: string, values: readonly T[]): T {
  const found = values.find(value => value === text)
  if (found !== undefined) return found
  throw new Error(`"${text}" is not one of ${values.map(value => `"${value}"`).join(', ')}`)
}

/** Returns a credential, or empty text. Throws an `Error`, without quoting it, unless it fits a header. */
export function parseSecret(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text
  throw new Error(
    'contains a space, a line break or another character that no credential has: save the secret again'
  )
}

/** The name of a secret: `SHOP_TOKEN`, `$SHOP_TOKEN`, `secrets.SHOP_TOKEN`, `${{ secrets.SHOP_TOKEN }}` */
const SECRET_NAME = /^\$?(?=.*_)[A-Z_]+$|^(?:secrets|env|vars)\.|\$\{\{/

/** Whether a text is the name of a secret, which hides nothing. */
export function isSecretName(text: string): boolean {
  return SECRET_NAME.test(text)
}

/**
 * Returns the credential of a service, or empty text. Throws an `Error`, without quoting it, unless it fits a header, and
 * is not the name of a secret.
 * @param input The name of the input.
 */
export function parseServiceSecret(text: string, input: string): string {
  if (!isSecretName(text)) return parseSecret(text)

  const [, qualified] = /(?:secrets|env|vars)\.(\w+)/.exec(text) ?? []
  const [plain] = /^[A-Z_]+$/.exec(text.replace('$', '')) ?? []
  const name = qualified ?? plain ?? 'SHOP_TOKEN'
  throw new Error(
    `is the name of a secret in place of the secret: write \`${input}: \${{ secrets.${name} }}\``
  )
}

/** An address without a credential: no `@`, and after a colon only a port: `http://localhost:8080/a`. */
const QUOTABLE = /^(?:[a-z]+:\/\/)?[^@:?#]*(?::\d+(?:\/[^@?#]*)?)?$/i

/** The paths of the API's own operations, or how they begin; a gateway may be at `/api/shop`. */
const API_PATH = /\/api(?=$|\/products(?:\/|$)|\/v1\/licenses$)/i

/** The shop's address, without a slash at the end. Throws an `Error`, which quotes no possible credential. */
export function parseBaseUrl(text: string): string {
  required(text)

  const quoted = QUOTABLE.test(text) ? `"${text}"` : 'the value'
  const url = URL.parse(text)
  if (!url) throw new Error(`${quoted} is not an address such as https://shop.example.com`)

  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new Error('contains a user name, a query or a fragment: give only the address')
  }

  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  if (!isSafe) {
    throw new Error(`${quoted} is not https (http is accepted only for loopback addresses)`)
  }

  // With a dot at its end, a host's name is absolute, and means the same.
  const origin = url.origin.replace(/(?<!\.)\.+(?=:\d+$|$)/, '')
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  const start = path.search(API_PATH)
  if (start < 0) return `${origin}${path}`
  const meant = `${origin}${path.slice(0, start).replace(/(?<!\/)\/+$/, '')}`
  throw new Error(
    `"${origin}${path}" includes a path of the API, which this action adds itself: give "${meant}"`
  )
}
