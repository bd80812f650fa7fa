// Where the links in an archive lead: a way that goes through other links may lead out though each link stays inside. Pure.

/** The way of a link, from the root of the archive. */
interface Way {
  readonly path: string
  readonly steps: string
}

/** Links that one way may go through, as on Linux. */
const DEPTH = 40
/** In characters: the paths on all ways together. Real archives have a twentieth of it. */
const LONGEST_WAYS = 100_000_000

const partsOf = (path: string) => path.split('/').filter(part => part !== '' && part !== '.')

/** The path of what stands in a folder; the root is empty. Most systems do not tell `A` from `a`. */
const below = (folder: string, part: string) => `${folder}/${part.toLowerCase()}`

/**
 * The symbolic and hard links of an archive. `g/a` to `..` and `g/b` to `a/..` stay inside, each by itself, and `g/b`
 * leads out.
 */
export class Links {
  /** Where the symbolic ones lead, from their own folders, by their paths. */
  readonly #targets = new Map<string, string>()
  readonly #ways: Way[] = []
  #left = LONGEST_WAYS

  /** Adds a link; a symbolic one starts from its own folder, a hard one from the root. */
  add(path: string, target: string, kind: 'symlink' | 'link'): void {
    if (kind === 'link') {
      this.#ways.push({ path, steps: target })
      return
    }
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    this.#ways.push({ path, steps: folder + target })
    this.#targets.set(partsOf(path).reduce(below, ''), target)
  }

  /** The paths of the links that lead out, or through so many others that nobody can say where. */
  findStraying(): string[] {
    return this.#ways.filter(({ steps }) => this.#leadsOut(steps)).map(({ path }) => path)
  }

  #leadsOut(steps: string): boolean {
    const passed: string[] = []
    const left = partsOf(steps).toReversed()
    let links = 0
    while (left.length > 0) {
      const place = passed.at(-1) ?? ''
      this.#left -= place.length
      if (this.#left < 0) return true

      // Not for the last part of a way: if that is a link, it is looked at by itself.
      const target = this.#targets.get(place)
      if (target !== undefined) {
        if (++links > DEPTH) return true
        passed.pop()
        left.push(...partsOf(target).toReversed())
        continue
      }

      const part = left.pop() ?? ''
      if (part !== '..') passed.push(below(place, part))
      else if (passed.pop() === undefined) return true
    }
    return false
  }
}
