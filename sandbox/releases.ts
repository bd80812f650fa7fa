// The releases, tags and attached files of the stand-in for GitHub.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { listen } from './listener.ts'
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
      return page(
        call,
        seen.map(it => render(it, call))
      )
    },
    byTag: (tag: string, call: Call) => one(call, it => !it.draft && it.tag_name === tag),
    byId: (id: number, call: Call, seesDrafts: boolean) =>
      one(call, it => it.id === id && (seesDrafts || !it.draft)),
    /** An attached file, with its bytes; of a draft only for those who see drafts. */
    findAsset(id: number, seesDrafts: boolean) {
      for (const { release, extras } of kept) {
        if (release.draft && !seesDrafts) continue
        const asset = release.assets.find(it => it?.id === id)
        if (asset) return { asset, content: Buffer.from(extras.contents?.[asset.name] ?? '') }
      }
      return undefined
    },
    listTags: (call: Call) =>
      page(
        call,
        [...tags].toReversed().map(([name, sha]) => ({ name, commit: { sha } }))
      ),
    tag(name: string): Reply {
      const sha = tags.get(name)
      return sha === undefined ? NOT_FOUND : ok({ name, commit: { sha } })
    },
    commit(ref: string, { api }: Call): Reply {
      const sha = commitOf(ref)
      if (sha === undefined) return problem(422, `No commit found for SHA: ${ref}`)
      return ok({ url: `${api}/repos/${slug}/commits/${sha}`, sha })
    }
  }
}

function render({ release, extras }: Kept, { accept }: Call): object {
  if (!/\bvnd\.github\.(?:v3\.)?full\b/.test(accept)) return release
  const text = release.body ?? ''
  const plain =
    text === '' ? '' : `<p>${text.replace(/[&<>]/g, it => `&#${it.charCodeAt(0)};`)}</p>`
  return { ...release, body_html: extras.bodyHtml ?? plain, body_text: text }
}

/** Starts the other origin, where GitHub sends those who fetch an attached file. */
export async function startStorage(releases: Releases) {
  const requests: Pick<IncomingMessage, 'headers'>[] = []
  const listener = await listen({
    async answer({ req, res }) {
      requests.push({ headers: req.headers })
      // As the real storage does, which takes one credential at a time: the signed address is one.
      if (req.headers.authorization !== undefined) return void res.writeHead(400).end()
      const found = releases.findAsset(Number(req.url?.slice(1)), true)
      if (found === undefined) return void res.writeHead(404).end()
      res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.content)
    }
  })
  return { requests, urlOf: (id: number) => `${listener.origin}/${id}`, close: listener.close }
}
