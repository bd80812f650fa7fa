// Owns the proof that the stand-in for GitHub keeps GitHub's rules: reading and events.
import { describe, expect, test } from '@jest/globals'
import { release, releaseEvent } from '../../sandbox/release.ts'
import { call, github, repo, repository, restart, zip } from './calling.ts'

describe('reading', () => {
  test('needs the token, a user agent, and an address that exists', async () => {
    const bad = await call(repo, undefined, { authorization: 'token other' })
    expect([bad.status, bad.body]).toMatchObject([401, { message: 'Bad credentials' }])
    const paths = [repo, `/api/v3${repo}`, '/repos/acme/other', `${repo}/nothing`]
    const answers = await Promise.all(paths.map(path => call(path)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404])
    expect(answers[0]?.body).toMatchObject({ full_name: 'acme/plugin', private: true })
    expect(answers[0]?.headers.get('date')).toMatch(/^Fri, 02 Jan 2026 03:04:0/)
  })

  test('finds a release by tag, by id and in the list, but no draft', async () => {
    const { id } = release({ tag: 'release/v1', repository })
    github.addRelease(release({ tag: 'v3', repository, draft: true }))
    github.addRelease(release({ tag: 'v2', repository, prerelease: true }))
    const paths = ['tags/release/v1', 'tags/release%2Fv1', String(id), 'tags/v3']
    const found = await Promise.all(paths.map(path => call(`${repo}/releases/${path}`)))
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 404])
    expect(found[2]?.body).toMatchObject({ id, tag_name: 'release/v1', assets: [{}, null] })
    expect(found[2]?.body).not.toHaveProperty('body_html')
    const tags = async () => (await call(`${repo}/releases?per_page=2`)).list.map(it => it.tag_name)
    expect(await tags()).toEqual(['v2', 'release/v1'])
    github.setPermissions({ contents: 'write' })
    expect(await tags()).toEqual(['v2', 'v3'])
  })

  test('renders the notes when asked to', async () => {
    const accept = 'application/vnd.github.full+json'
    const { body } = await call(`${repo}/releases/tags/release%2Fv1`, undefined, { accept })
    expect(body).toMatchObject({ body_html: '<p>Notes</p>', body: 'Notes of release/v1' })
  })

  test('gives the commit of a tag', async () => {
    const commit = 'a'.repeat(40)
    github.addTag('v9', commit)
    expect((await call(`${repo}/commits/v9`)).body).toMatchObject({ sha: commit })
    const accept = 'application/vnd.github.sha'
    expect((await call(`${repo}/commits/tags/v9`, undefined, { accept })).body).toBe(commit)
    expect((await call(`${repo}/commits/v8`)).status).toBe(422)
  })

  test('gives an attached file here, or sends elsewhere, where a credential is refused', async () => {
    const accept = 'application/octet-stream'
    const [asset] = release({
      tag: 'release/v1',
      repository,
      assets: [{ name: 'plugin.zip' }]
    }).assets
    const path = `${repo}/releases/assets/${asset?.id}`
    expect((await call(path)).body).toMatchObject({ name: 'plugin.zip', size: zip.length })
    expect((await call(path, undefined, { accept })).body).toBe('zip bytes')
    await restart({ redirectsAssets: true })
    const headers = { accept, authorization: 'Bearer t' }
    const answer = await fetch(github.url + path, { redirect: 'manual', headers })
    const elsewhere = answer.headers.get('location') ?? ''
    expect([answer.status, elsewhere.startsWith(github.url)]).toEqual([302, false])
    expect((await fetch(elsewhere)).status).toBe(200)
    expect((await call(elsewhere)).status).toBe(400)
    expect(github.storageRequests.map(it => it.headers.authorization)).toEqual([
      undefined,
      'Bearer t'
    ])
  })
})

test('a release event holds the release, the repository and the sender', () => {
  const released = release({ tag: 'v1', name: null, body: null, author: null, repository })
  expect(releaseEvent(released, 'published', repository)).toMatchObject({
    action: 'published',
    release: { tag_name: 'v1', name: null, body: null, author: null, assets: [] },
    repository: { full_name: 'acme/plugin', private: true, default_branch: 'main' },
    sender: { login: 'octocat' }
  })
})
