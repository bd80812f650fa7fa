// An entry of an archive, whatever its format, and how much may be read of one archive.
import type { Artifact } from './artifact.ts'

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i

/** Whether an archive of this name is a gzipped tar file, and not a ZIP file. */
export function isTar(name: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(name)
}

/** In bytes of UTF-8, as macOS has it: no unpacker makes a file with a longer path, and globs would take minutes for it. */
export const PATH_MAX_BYTES = 1024
/** In folders: the deepest trees of `node_modules` have a third of it. */
export const PATH_MAX_FOLDERS = 100

/** The folder at the top that a path is in, with its slash; empty for a path at the root. */
export function topOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1)
}

/** An entry as the archive describes it. */
export interface Entry {
  readonly name: string
  /** A `link` is a hard link. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'link'
  /** In bytes, unpacked. */
  readonly size: number
  /** Where a link leads: a symbolic one from its own folder, a hard one from the root of the archive. */
  readonly linkTarget: string
  /** Why it cannot be unpacked everywhere, worded to follow its name; such an entry cannot be read. */
  readonly problem: string
  /** Its first bytes, up to `most`, whatever its size is said to be; only before the next entry is asked for. */
  read(most: number): Promise<Buffer>
}

/** An archive goes on beyond what is looked at. */
export class TooMuchError extends Error {}

/** So much is read of an archive at most, all of its names, link targets and contents together. */
export const MAX_READ_BYTES = 32 * 1024 * 1024
/** Each entry counts as this much beyond its name, and a content as this much at least: both take time, too. */
const NAME_MIN_BYTES = 64
const READ_MIN_BYTES = 16 * 1024

/** How much may still be read of one archive. */
export class Budget {
  #left = MAX_READ_BYTES

  /** Takes an entry by its name, with its link target where the header has both: double, as it is kept. Throws `TooMuch`. */
  takeName(text: string): void {
    this.#take(NAME_MIN_BYTES + 2 * text.length)
  }

  /** Takes a content, or a target that is one. Throws `TooMuch`. */
  takeContent(bytes: number): void {
    this.#take(Math.max(bytes, READ_MIN_BYTES))
  }

  #take(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new TooMuchError()
  }
}

/** How much is read at once. */
export const PART_BYTES = 128 * 1024

/** Reads from `start` to before `end`. */
export async function* readRange(
  artifact: Artifact,
  start: number,
  end: number
): AsyncGenerator<Buffer, void> {
  for (let at = start; at < end; at += PART_BYTES) {
    yield await artifact.readAt(Buffer.allocUnsafe(Math.min(PART_BYTES, end - at)), at)
  }
}

/**
 * Reads the first bytes of a stream.
 * @param most How many, at most.
 * @param toEnd Whether to read on to the end, and drop that. A body of tar needs it: modern-tar is an entry or two
 *   ahead, and takes the cancellation of one body for that of the latest one, which then never ends (`cancel` in its
 *   `web/index.js`, since https://github.com/ayuhito/modern-tar/pull/98).
 */
export async function firstBytes(
  stream: AsyncIterable<Uint8Array>,
  most: number,
  toEnd: boolean
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    if (length < most) parts.push(part)
    length += part.length
    if (length >= most && !toEnd) break
  }
  return Buffer.concat(parts).subarray(0, most)
}
