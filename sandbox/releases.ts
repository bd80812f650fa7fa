// The releases, tags and attached files of the stand-in for GitHub.
import { createHash } from 'node:crypto'
import type { Release } from './release.ts'
import { type ApiAnswer, type Call, NOT_FOUND, ok, page, problem } from './rest.ts'

/** What comes with a release and is not in it. */
export interface ReleaseExtras {
  /** The attached files' bytes, by name. */
  readonly contents?: Readonly<Record<string, Buffer | string>>
  /** GitHub's rendering of the notes; the text in one paragraph when left out. */
  readonly bodyHtml?: string
  /** The commit that the tag stands for. */
  readonly commit?: string
}

export type Releases = ReturnType<typeof openReleases>

interface Kept {
  readonly release: Release
  readonly extras: ReleaseExtras
}

interface Tag {
  readonly commit: string
  readonly annotated: boolean
}

/** Opens a repository with one branch and no releases. */
export function openReleases(defaultBranch: string) {
  const kept: Kept[] = []
  const tags = new Map<string, Tag>()
  const branches = new Map([[defaultBranch, commitFor(`branch ${defaultBranch}`)]])
  const one = (call: Call, fits: (release: Release) => boolean): ApiAnswer => {
    const found = kept.find(({ release }) => fits(release))
    return found === undefined ? NOT_FOUND : ok(render(found, call))
  }
  const commitOf = (ref: string): string | undefined => {
    const name = ref.replace(/^(?:refs\/)?(?:tags|heads)\//, '')
    const known = tags.get(ref)?.commit ?? tags.get(name)?.commit ?? branches.get(name)
    const isCommit = [...tags.values()].some(({ commit }) => commit === ref)
    return known ?? (isCommit || [...branches.values()].includes(ref) ? ref : undefined)
  }
  return {
    add(release: Release, extras: ReleaseExtras = {}): void {
      kept.unshift({ release, extras })
      const { tag_name: tag, draft } = release
      if (draft || (tags.has(tag) && extras.commit === undefined)) return
      tags.set(tag, { commit: extras.commit ?? commitFor(tag), annotated: false })
    },
    remove(tag: string): void {
      const at = kept.findIndex(({ release }) => release.tag_name === tag)
      if (at >= 0) kept.splice(at, 1)
    },
    /** Makes a tag without a release; an annotated one has an object of its own. */
    addTag: (tag: string, commit: string, annotated = false) =>
      void tags.set(tag, { commit, annotated }),
    commitOf,
    list(call: Call, seesDrafts: boolean): ApiAnswer {
      const seen = kept.filter(({ release }) => seesDrafts || !release.draft)
      return page(
        call,
        seen.map(it => render(it, call))
      )
    },
    latest: (call: Call) => one(call, it => !it.draft && !it.prerelease),
    byTag: (tag: string, call: Call) => one(call, it => !it.draft && it.tag_name === tag),
    byId: (id: number, call: Call, seesDrafts: boolean) =>
      one(call, it => it.id === id && (seesDrafts || !it.draft)),
    findAsset: (id: number) => findAsset(kept, id),
    tagRef: (name: string, call: Call, slug: string) => tagRef(name, tags.get(name), call, slug),
    commit: (ref: string, call: Call, slug: string) => showCommit(ref, commitOf(ref), call, slug)
  }
}

function tagRef(name: string, tag: Tag | undefined, call: Call, slug: string): ApiAnswer {
  if (tag === undefined) return NOT_FOUND
  const ref = `refs/tags/${name}`
  const sha = tag.annotated ? commitFor(`object ${name}`) : tag.commit
  const type = tag.annotated ? 'tag' : 'commit'
  const git = `${call.api}/repos/${slug}/git`
  const object = { sha, type, url: `${git}/${type}s/${sha}` }
  return ok({ ref, url: `${git}/${ref}`, object })
}

function showCommit(ref: string, sha: string | undefined, call: Call, slug: string): ApiAnswer {
  if (sha === undefined) return problem(422, `No commit found for SHA: ${ref}`)
  if (/\bvnd\.github\.(?:v3\.)?sha\b/.test(call.accept)) {
    return { ...ok(sha), headers: { 'content-type': 'application/vnd.github.sha' } }
  }
  const commit = { message: `Commit ${sha.slice(0, 7)}`, tree: { sha: commitFor(sha) } }
  return ok({ url: `${call.api}/repos/${slug}/commits/${sha}`, sha, commit, parents: [] })
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
