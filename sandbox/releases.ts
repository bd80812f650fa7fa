/** Owns the releases, tags and attached files of the stand-in for GitHub. */
import { createHash } from 'node:crypto'
import type { Asset, Release } from './release.ts'
import { type ApiAnswer, type Call, page, problem } from './rest.ts'

/** What comes with a release and is not in it. */
export interface ReleaseExtras {
  /** The attached files' bytes, by name. */
  readonly contents?: Readonly<Record<string, Buffer | string>>
  /** GitHub's rendering of the notes; the text in one paragraph when left out. */
  readonly bodyHtml?: string
  /** The commit that the tag stands for. */
  readonly commit?: string
}

export interface Releases {
  add(release: Release, extras?: ReleaseExtras): void
  remove(tag: string): void
  /** Makes a tag without a release; an annotated one has an object of its own. */
  addTag(tag: string, commit: string, annotated?: boolean): void
  commitOf(ref: string): string | undefined
  list(call: Call, seesDrafts: boolean): ApiAnswer
  latest(call: Call): ApiAnswer
  byTag(tag: string, call: Call): ApiAnswer
  byId(id: number, call: Call, seesDrafts: boolean): ApiAnswer
  findAsset(id: number): { readonly asset: Asset; readonly content: Buffer } | undefined
  tagRef(tag: string, call: Call, slug: string): ApiAnswer
  commit(ref: string, call: Call, slug: string): ApiAnswer
}

interface Kept {
  readonly release: Release
  readonly extras: ReleaseExtras
}

interface Tag {
  readonly commit: string
  readonly annotated: boolean
}

/** Opens a repository with one branch and no releases. */
export function openReleases(defaultBranch: string): Releases {
  const kept: Kept[] = []
  const tags = new Map<string, Tag>()
  const branches = new Map([[defaultBranch, commitFor(`branch ${defaultBranch}`)]])
  const one = (found: Kept | undefined, call: Call): ApiAnswer =>
    found === undefined ? problem(404, 'Not Found') : { status: 200, body: render(found, call) }
  const commitOf = (ref: string): string | undefined => {
    const name = ref.replace(/^(?:refs\/)?(?:tags|heads)\//, '')
    const known = tags.get(ref)?.commit ?? tags.get(name)?.commit ?? branches.get(name)
    const isCommit = [...tags.values()].some(({ commit }) => commit === ref)
    return known ?? (isCommit || [...branches.values()].includes(ref) ? ref : undefined)
  }
  return {
    add(release, extras = {}) {
      kept.unshift({ release, extras })
      const { tag_name: tag, draft } = release
      if (draft || (tags.has(tag) && extras.commit === undefined)) return
      tags.set(tag, { commit: extras.commit ?? commitFor(tag), annotated: false })
    },
    remove(tag) {
      const at = kept.findIndex(({ release }) => release.tag_name === tag)
      if (at >= 0) kept.splice(at, 1)
    },
    addTag: (tag, commit, annotated = false) => void tags.set(tag, { commit, annotated }),
    commitOf,
    list(call, seesDrafts) {
      const seen = kept.filter(({ release }) => seesDrafts || !release.draft)
      return page(
        call,
        seen.map(it => render(it, call))
      )
    },
    latest: call =>
      one(
        kept.find(({ release: it }) => !it.draft && !it.prerelease),
        call
      ),
    byTag: (tag, call) =>
      one(
        kept.find(({ release: it }) => !it.draft && it.tag_name === tag),
        call
      ),
    byId: (id, call, seesDrafts) =>
      one(
        kept.find(({ release: it }) => it.id === id && (seesDrafts || !it.draft)),
        call
      ),
    findAsset: id => findAsset(kept, id),
    tagRef: (name, call, slug) => tagRef(name, tags.get(name), call, slug),
    commit: (ref, call, slug) => showCommit(ref, commitOf(ref), call, slug)
  }
}

function tagRef(name: string, tag: Tag | undefined, call: Call, slug: string): ApiAnswer {
  if (tag === undefined) return problem(404, 'Not Found')
  const ref = `refs/tags/${name}`
  const sha = tag.annotated ? commitFor(`object ${name}`) : tag.commit
  const type = tag.annotated ? 'tag' : 'commit'
  const git = `${call.api}/repos/${slug}/git`
  const object = { sha, type, url: `${git}/${type}s/${sha}` }
  return { status: 200, body: { ref, node_id: `REF_${name}`, url: `${git}/${ref}`, object } }
}

function showCommit(ref: string, sha: string | undefined, call: Call, slug: string): ApiAnswer {
  if (sha === undefined) return problem(422, `No commit found for SHA: ${ref}`)
  if (/\bvnd\.github\.(?:v3\.)?sha\b/.test(call.accept)) {
    return { status: 200, body: sha, headers: { 'content-type': 'application/vnd.github.sha' } }
  }
  const url = `${call.api}/repos/${slug}/commits/${sha}`
  const commit = { message: `Commit ${sha.slice(0, 7)}`, tree: { sha: commitFor(sha) } }
  return { status: 200, body: { url, sha, node_id: `C_${sha}`, commit, parents: [] } }
}

function findAsset(kept: readonly Kept[], id: number) {
  for (const { release, extras } of kept) {
    const asset = release.assets.find(it => it?.id === id)
    if (!asset) continue
    return { asset, content: Buffer.from(extras.contents?.[asset.name] ?? '') }
  }
  return undefined
}

function render({ release, extras }: Kept, { accept }: Call): object {
  if (!/\bvnd\.github\.(?:v3\.)?full\b/.test(accept)) return release
  const { body } = release
  const plain = body === null ? '' : `<p>${escapeHtml(body)}</p>`
  return { ...release, body_html: extras.bodyHtml ?? plain, body_text: body ?? '' }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function commitFor(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
