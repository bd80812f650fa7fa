// A page that could not be had, and why.
import { describeCause } from '../http/errors.ts'
import type { PageResult } from '../shop/pages.ts'

/** What a try came to when it was no page. */
export type Refusal = Exclude<PageResult, { kind: 'page' }>

/** What a try came to, as the middle of a sentence. */
export function describeRefusal(result: Refusal, host: string): string {
  if (result.kind !== 'rejected') return describeCause(result.cause, host)
  const { status, error, location } = result
  const complaints = Object.entries(error?.fields ?? {}).map(
    ([field, texts]) => `${field}: ${texts.join(' ')}`
  )
  const said = [...(error ? [error.message] : []), ...complaints].map(text => `: ${text}`).join('')
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  return `${host} answered ${status}${said}${pointing}`
}

/** A page that could not be had. */
export class PageError extends Error {
  override readonly name = 'PageError'
  readonly page: number
  readonly result: Refusal | { readonly kind: 'fault' }
  constructor(page: number, result: PageError['result'], message: string, cause?: unknown) {
    super(message, { cause })
    this.page = page
    this.result = result
  }
}
