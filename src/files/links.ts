// Where the links in an archive lead: a path through other links may lead out though each link stays inside. Pure.

/** A link as the archive has it: a symbolic one starts from its own folder, a hard one from the root. */
interface Link {
  readonly path: string
  readonly target: string
  readonly kind: 'symlink' | 'link'
}

/** Links that one path may go through, as on Linux. */
const DEPTH = 40
/** In characters: all places together that are passed on the way. Real archives have a tenth of it. */
const LONGEST_WALK = 100_000_000
/** In characters: the least that a step counts for, as a short place takes as long to look up as a long one. */
const STEP = 100

/**
 * The symbolic and hard links of an archive. `g/a` to `..` and `g/b` to `a/..` stay inside, each by itself, and `g/b`
 * leads out.
 */
export class Links {
  /** Where the symbolic ones lead, from their own folders, by their places. */
  readonly #targets = new Map<string, string>()
  /** Of the places of symbolic links, so that other places need no text. */
  readonly #lengths = new Set<number>()
  readonly #links: Link[] = []
  #left = LONGEST_WALK

  /** Adds a link. */
  add(path: string, target: string, kind: 'symlink' | 'link'): void {
    this.#links.push({ path, target, kind })
    if (kind === 'link') return

    const place = new ArchivePath()
    for (const part of partsOfPath(path)) place.enter(part)
    const text = place.text()
    // Thousands of long paths are kept once, and not twice.
    this.#targets.set(text === path ? path : text, target)
    this.#lengths.add(place.length)
  }

  /** The paths of the links that lead out, or through too many others to be followed. */
  findLeadingOut(): string[] {
    return this.#links.filter(link => this.#leadsOut(link)).map(({ path }) => path)
  }

  #leadsOut({ path, target: own, kind }: Link): boolean {
    const place = new ArchivePath()
    /** The paths that are left to walk, the next one at the end. */
    const left = [partsOfPath(own)]
    if (kind === 'symlink') left.push(partsOfPath(path.slice(0, path.lastIndexOf('/') + 1)))

    let links = 0
    for (;;) {
      const part = takePart(left)
      if (part === undefined) return false

      this.#left -= STEP + place.length
      if (this.#left < 0) return true

      // Not after the last part of a path: if that is a link, it is looked at by itself.
      const target = this.#targetAt(place)
      if (target !== undefined) {
        if (++links > DEPTH) return true
        place.leave()
        left.push(partsOfPath(part), partsOfPath(target))
        continue
      }

      if (part !== '..') place.enter(part)
      else if (!place.leave()) return true
    }
  }

  #targetAt(place: ArchivePath): string | undefined {
    return this.#lengths.has(place.length) ? this.#targets.get(place.text()) : undefined
  }
}

/** A place in an archive, at first its root. Most systems do not tell `A` from `a`. */
class ArchivePath {
  readonly #parts: string[] = []
  /** Of its parts, in characters, with a slash in front of each. */
  length = 0

  enter(part: string): void {
    const folded = part.toLowerCase()
    this.#parts.push(folded)
    this.length += 1 + folded.length
  }

  /** Goes one folder up. False at the root. */
  leave(): boolean {
    const part = this.#parts.pop()
    if (part === undefined) return false
    this.length -= 1 + part.length
    return true
  }

  /** Such as `g/a`; empty at the root. */
  text(): string {
    return this.#parts.join('/')
  }
}

/** The next part of the last path that has any left; undefined at the end of all. */
function takePart(left: Generator<string, undefined>[]): string | undefined {
  for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
    const { value } = last.next()
    if (value !== undefined) return value
    left.pop()
  }
  return undefined
}

/** The parts of a path that mean something, one by one: thousands of links may have thousands of parts. */
function* partsOfPath(path: string): Generator<string, undefined> {
  for (let at = 0; at <= path.length; ) {
    const slash = path.indexOf('/', at)
    const end = slash < 0 ? path.length : slash
    const part = path.slice(at, end)
    if (part !== '' && part !== '.') yield part
    at = end + 1
  }
}
