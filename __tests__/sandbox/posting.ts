// Owns a stand-in for the marketplace for the tests of it: started before each, and closed after it.
import { afterEach, beforeEach } from '@jest/globals'
import { type Service, type ServiceOptions, startService } from '../../sandbox/service.ts'
import { file, goodParts, multipart, type Part, productRoute, products, token } from './sending.ts'

/** The one that runs now: every test has its own. */
export let service: Service

beforeEach(async () => {
  service = await startService({ token, products })
})
afterEach(() => service.close())

/** Starts another one in its place. */
export async function restart(options: Partial<ServiceOptions>): Promise<void> {
  await service.close()
  service = await startService({ token, products, ...options })
}

/** One request with this body, and the right token. */
export async function post(
  body: Buffer | string,
  contentType: string,
  path = productRoute,
  headers: Record<string, string> = {}
) {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType, ...headers }
  })
  return { status: answer.status, answer: await answer.json() }
}

/** The same with a form of these parts. */
export function postParts(parts: readonly Part[], path = productRoute, headers = {}) {
  const { body, contentType } = multipart(parts)
  return post(body, contentType, path, headers)
}

/** Good parts but for this one, and then these. */
export function without(name: string, ...others: readonly Part[]): readonly Part[] {
  return [...goodParts.filter(([part]) => part !== name), ...others]
}

/** The same with JSON. */
export function json(value: unknown, path = productRoute) {
  return post(JSON.stringify(value), 'application/json', path)
}

export const jsonFile = { name: file.name, content: file.content.toString('base64') }
