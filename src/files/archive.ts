// Lists what is in an archive, without unpacking it: paths, secrets, manifests, and entries that must not be there.
import type { Artifact } from './artifact.ts'
import { type Finding, secretBytes, secretIn } from './contents.ts'
import { Budget, type Entry, isTar, PATH_MAX_BYTES, TooMuchError, topOf } from './entries.ts'
import { type Manifest, manifestBytes, readManifest } from './manifests.ts'
import { describeWrongEntry, isTooLong } from './wrong-entry.ts'

/** The findings in an archive. */
export interface Listing {
  /** The paths of all entries but folders, with slashes, and without parts that mean nothing, such as `./`. */
  readonly paths: ReadonlySet<string>
  /** Entries that no archive must have. */
  readonly wrong: readonly Finding[]
  readonly secrets: readonly Finding[]
  /** Those of the product: at the root, or in the one folder that holds everything. */
  readonly manifests: readonly Manifest[]
  /** In bytes, as the archive says. */
  readonly unpacked: number
  /** Whether all entries were seen. */
  readonly isWhole: boolean
}

/** Lists all entries, or as many as the limits allow. Throws what reading them throws. */
export async function listArchive(artifact: Artifact): Promise<Listing> {
  const look = new ArchiveLook()
  const isWhole = await look.through(artifact)
  const { paths, wrong, secrets, manifests, unpacked } = look
  return { paths, wrong, secrets, manifests, unpacked, isWhole }
}

/** Whether macOS has added it to the files that it packed. */
export function isOfMacOs(path: string): boolean {
  return path.startsWith('__MACOSX/')
}

/** A look through an archive, with one budget for all that is read of it. */
class ArchiveLook {
  readonly paths = new Set<string>()
  readonly wrong: Finding[] = []
  readonly secrets: Finding[] = []
  unpacked = 0
  readonly #budget = new Budget()
  readonly #manifests: Manifest[] = []
  /** The one folder that holds everything so far, with its slash; empty if there is none, undefined before the first path. */
  #root: string | undefined

  get manifests(): readonly Manifest[] {
    return this.#manifests.filter(({ folder }) => this.#mayBeOfProduct(folder))
  }

  /** Returns whether all entries were looked at. */
  async through(artifact: Artifact): Promise<boolean> {
    try {
      for await (const entry of await this.#open(artifact)) await this.#lookAt(entry)
      return true
    } catch (error) {
      if (error instanceof TooMuchError) return false
      throw error
    }
  }

  async #open(artifact: Artifact): Promise<AsyncGenerator<Entry>> {
    if (isTar(artifact.name)) {
      const { tarEntries } = await import('./tar-entries.ts')
      return tarEntries(artifact, this.#budget)
    }
    const { zipEntries } = await import('./zip-entries.ts')
    return zipEntries(artifact, this.#budget)
  }

  async #lookAt(entry: Entry): Promise<void> {
    if (isTooLong(entry)) {
      // V8 gives all texts of 16,384 characters or more one hash: a set of them would take minutes.
      // A copy: a slice would keep all of it.
      const start = Buffer.from(entry.name.slice(0, PATH_MAX_BYTES)).toString()
      this.wrong.push({ path: start, what: describeWrongEntry(entry, start, false) })
      return
    }

    // `a//b`, `./a/./b`
    const path = entry.name.replace(/(^|\/)(?:\.?\/)+/g, '$1')
    const what = describeWrongEntry(entry, path, this.paths.has(path))
    if (what !== '') this.wrong.push({ path: entry.name, what })
    if (entry.kind === 'folder') return

    this.#add(path, entry.size)
    if (what === '' && entry.kind === 'file') await this.#read(entry, path)
  }

  #add(path: string, size: number): void {
    this.paths.add(path)
    this.unpacked += size
    if (isOfMacOs(path)) return

    const top = topOf(path)
    this.#root ??= top
    if (this.#root !== top) this.#root = ''
  }

  /** Reads a file that may hold a secret or a version. */
  async #read(entry: Entry, path: string): Promise<void> {
    const most = Math.max(secretBytes(path), manifestBytes(path))
    if (most === 0) return

    // A directory may say that a file is empty, and yauzl throws where it is not.
    this.#budget.takeContent(Math.min(entry.size, most))
    const content = await entry.read(most)
    const what = secretBytes(path) === 0 ? '' : secretIn(path, content)
    if (what !== '') this.secrets.push({ path, what })

    // JSON that is nested deeply takes a hundred times its size, so none is parsed that cannot count.
    const stated = readManifest(path, folder => this.#mayBeOfProduct(folder), content)
    if (stated) this.#manifests.push(stated)
  }

  /** Whether manifests in a folder count: those in folders do not once something stands outside of them. */
  #mayBeOfProduct(folder: string): boolean {
    return folder === '' || folder === this.#root
  }
}
