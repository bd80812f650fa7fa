// Owns a stand-in for GitHub for the tests of it: started before each, and closed after it.
import { afterEach, beforeEach } from '@jest/globals'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'

export const repository = { owner: 'acme', name: 'plugin', private: true }
export const repo = '/repos/acme/plugin'
const options = { token: 't', repository, now: new Date('2026-01-02T03:04:05.678Z'), pace: 0 }
export const zip = Buffer.from('zip bytes')

/** The one that runs now: every test has its own. */
export let github: GitHub

beforeEach(() => start({}))
afterEach(() => github.close())

async function start(others: Partial<GitHubOptions>) {
  github = await startGitHub({ ...options, ...others })
  github.addRelease(
    release(
      { tag: 'release/v1', repository, assets: [{ name: 'plugin.zip', content: zip }, null] },
      github.places
    ),
    { contents: { 'plugin.zip': zip }, bodyHtml: '<p>Notes</p>' }
  )
}

/** Starts another one in its place. */
export async function restart(others: Partial<GitHubOptions>) {
  await github.close()
  await start(others)
}

/** One request, with the right token. */
export async function call(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(path.startsWith('http') ? path : github.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer t', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  })
  const text = await answer.text()
  const value: unknown = /^[[{"]/.test(text) ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body: value, list: listOf(value) }
}

type Item = { readonly [name in 'id' | 'state' | 'tag_name']?: unknown }

function listOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : []
}

export const plain = {
  ref: 'release/v1',
  auto_merge: false,
  required_contexts: [],
  environment: 'shop/12'
}

/** Creates a deployment of the plain kind, but for these. */
export function deploy(others: object = {}) {
  return call(`${repo}/deployments`, { production_environment: false, ...plain, ...others })
}

/** The last digits of the ids that are listed. */
export async function ids(query = '') {
  return (await call(`${repo}/deployments${query}`)).list.map(({ id }) => Number(id) % 1000)
}

export const first = `${repo}/deployments/2000000001`
