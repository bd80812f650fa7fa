// The releases, tags and attached files of the stand-in for GitHub.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { listen } from './listener.ts'
import type { Release, ReleaseAsset } from './release.ts'
import { type Call, NOT_FOUND, ok, page, problem } from './rest.ts'
import type { Reply } from './wire.ts'

/** Belongs to a release and is not in the object that GitHub gives. */
export interface ReleaseExtras {
  /** The attached files' bytes, by name. */
  readonly contents?: Readonly<Record<string, Buffer | string>>
  /** The commit that the tag stands for. */
  readonly commit?: string
}

/** A release that the repository has. */
interface Entry {
  readonly release: Release
  readonly extras: ReleaseExtras
}

/** An attached file, with its bytes. */
interface FoundAsset {
  readonly asset: ReleaseAsset
  readonly content: Buffer
}

/** The releases and tags of one repository; empty at first. */
export class Releases {
  /** Such as `octocat/hello`. */
  readonly #slug: string
  /** Newest first. */
  readonly #entries: Entry[] = []
  /** The commits, by tag. */
  readonly #tags = new Map<string, string>()

  constructor(slug: string) {
    this.#slug = slug
  }

  /** Adds a release and, unless it is a draft, its tag. A tag that exists moves only when a commit is given. */
  add(release: Release, extras: ReleaseExtras = {}): void {
    this.#entries.unshift({ release, extras })

    const { tag_name: tag, draft } = release
    const staysThere = this.#tags.has(tag) && extras.commit === undefined
    if (draft || staysThere) return
    this.#tags.set(tag, extras.commit ?? createHash('sha1').update(tag).digest('hex'))
  }

  /** Removes the newest release of that tag, and leaves the tag. */
  remove(tag: string): void {
    const at = this.#entries.findIndex(({ release }) => release.tag_name === tag)
    if (at >= 0) this.#entries.splice(at, 1)
  }

  /** Makes a tag without a release. */
  addTag(tag: string, commit: string): void {
    this.#tags.set(tag, commit)
  }

  removeTag(tag: string): void {
    this.#tags.delete(tag)
  }

  /** The commit of a tag or of a commit's id; undefined for one that nobody knows. */
  commitOf(ref: string): string | undefined {
    const known = this.#tags.get(ref) ?? this.#tags.get(ref.replace(/^(?:refs\/)?tags\//, ''))
    return known ?? [...this.#tags.values()].find(commit => commit === ref)
  }

  /** One page of the releases. */
  list(call: Call, seesDrafts: boolean): Reply {
    const seen = this.#entries.filter(({ release }) => seesDrafts || !release.draft)
    return page(
      call,
      seen.map(({ release }) => release)
    )
  }

  /** The release of a tag, which is never a draft. */
  byTag(tag: string): Reply {
    return this.#one(release => !release.draft && release.tag_name === tag)
  }

  byId(id: number, seesDrafts: boolean): Reply {
    return this.#one(release => release.id === id && (seesDrafts || !release.draft))
  }

  /** An attached file; of a draft only for those who see drafts. */
  findAsset(id: number, seesDrafts: boolean): FoundAsset | undefined {
    for (const { release, extras } of this.#entries) {
      if (release.draft && !seesDrafts) continue

      const asset = release.assets.find(it => it?.id === id)
      if (asset) return { asset, content: Buffer.from(extras.contents?.[asset.name] ?? '') }
    }
    return undefined
  }

  /** The commit that a ref stands for, as GitHub gives it. */
  commit(ref: string, { api }: Call): Reply {
    const sha = this.commitOf(ref)
    if (sha === undefined) return problem(422, `No commit found for SHA: ${ref}`)
    return ok({ url: `${api}/repos/${this.#slug}/commits/${sha}`, sha })
  }

  #one(fits: (release: Release) => boolean): Reply {
    const found = this.#entries.find(({ release }) => fits(release))
    return found === undefined ? NOT_FOUND : ok(found.release)
  }
}

/** Another origin, where GitHub sends those who fetch an attached file. */
export interface Storage {
  /** The requests that came to it. */
  readonly requests: readonly Pick<IncomingMessage, 'headers'>[]
  /** Where an attached file is, by its id. */
  urlOf(id: number): string
  close(): Promise<void>
}

/** Starts the other origin on a free loopback port. */
export async function startStorage(releases: Releases): Promise<Storage> {
  const requests: Pick<IncomingMessage, 'headers'>[] = []
  const listener = await listen({
    async answer({ req, res }) {
      requests.push({ headers: req.headers })
      // The real storage takes one credential at a time, too: the signed address is one.
      if (req.headers.authorization !== undefined) return void res.writeHead(400).end()

      const found = releases.findAsset(Number(req.url?.slice(1)), true)
      if (found === undefined) return void res.writeHead(404).end()
      res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.content)
    }
  })
  return {
    requests,
    urlOf: id => `${listener.origin}/${id}`,
    close: () => listener.close()
  }
}
