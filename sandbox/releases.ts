// The releases, tags and attached files of the stand-in for GitHub.
import { createHash } from 'node:crypto'
import type { Release } from './release.ts'
import { type Call, NOT_FOUND, ok, page, problem } from './rest.ts'
import type { Reply } from './wire.ts'

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

/** Opens a repository without releases. `slug` is such as `octocat/hello`. */
export function openReleases(slug: string) {
  const kept: Kept[] = []
  const tags = new Map<string, string>()
  const one = (call: Call, fits: (release: Release) => boolean): Reply => {
    const found = kept.find(({ release }) => fits(release))
    return found === undefined ? NOT_FOUND : ok(render(found, call))
  }
  const commitOf = (ref: string): string | undefined => {
    const known = tags.get(ref) ?? tags.get(ref.replace(/^(?:refs\/)?tags\//, ''))
    return known ?? [...tags.values()].find(commit => commit === ref)
  }
  return {
    add(release: Release, extras: ReleaseExtras = {}): void {
      kept.unshift({ release, extras })
      const { tag_name: tag, draft } = release
      if (draft || (tags.has(tag) && extras.commit === undefined)) return
      tags.set(tag, extras.commit ?? createHash('sha1').update(tag).digest('hex'))
    },
    remove(tag: string): void {
      const at = kept.findIndex(({ release }) => release.tag_name === tag)
      if (at >= 0) kept.splice(at, 1)
    },
    /** Makes a tag without a release. */
    addTag: (tag: string, commit: string) => void tags.set(tag, commit),
    /** The commit of a tag or of a commit's id; undefined for one that nobody knows. */
    commitOf,
    list(call: Call, seesDrafts: boolean): Reply {
      const seen = kept.filter(({ release }) => seesDrafts || !release.draft)
      const shown = seen.map(it => render(it, call))
      return page(call, shown)
    },
    byTag: (tag: string, call: Call) => one(call, it => !it.draft && it.tag_name === tag),
    byId: (id: number, call: Call, seesDrafts: boolean) =>
      one(call, it => it.id === id && (seesDrafts || !it.draft)),
    /** An attached file, with its bytes. */
    findAsset(id: number) {
      for (const { release, extras } of kept) {
        const asset = release.assets.find(it => it?.id === id)
        if (asset) return { asset, content: Buffer.from(extras.contents?.[asset.name] ?? '') }
      }
      return undefined
    },
    commit(ref: string, { accept, api }: Call): Reply {
      const sha = commitOf(ref)
      if (sha === undefined) return problem(422, `No commit found for SHA: ${ref}`)
      return /\bvnd\.github\.(?:v3\.)?sha\b/.test(accept)
        ? ok(sha, { 'content-type': 'application/vnd.github.sha' })
        : ok({ url: `${api}/repos/${slug}/commits/${sha}`, sha })
    }
  }
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
