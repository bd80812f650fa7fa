// The input `contents`: which files of an archive its lines mean, in the language of minimatch.
import { fill } from '../release/tag.ts'
import { isExclusion, pathOf } from './patterns.ts'

/** A line of `contents`. */
export interface ContentsLine {
  /** As messages show it, with everything filled in. */
  readonly text: string
  readonly excludes: boolean
  /** Whether it is the exact path of a file, which it allows to be what is refused otherwise. */
  allows(path: string): boolean
  /** Whether it stands for a file, by its path or by a folder that it is in. */
  fits(path: string): boolean
}

/** The values for `{tag}` and `{version}` in a line. */
export interface LineValues {
  readonly tag: string
  readonly version: string
}

/** `dot`: names that begin with a point count. */
const LANGUAGE = {
  dot: true,
  nocomment: true,
  noext: true,
  nonegate: true
}

/** Parses a line, with its values put in literally. It begins at the top, with or without a slash. */
export async function parseLine(
  written: string,
  { tag, version }: LineValues
): Promise<ContentsLine> {
  const { escape: escapeMagic, Minimatch } = await import('minimatch')
  const literally = (text: string) => escapeMagic(text, { magicalBraces: true })

  const excludes = isExclusion(written)
  const given = pathOf(written).replace(/(?<!\/)\/+$/, '')
  const path = given.replace(/^\/+/, '')
  const glob = fill(path, { tag: literally(tag), version: literally(version) })
  const exact = fill(path, { tag, version })

  // An exclusion without a folder, such as `!*.map`, applies in each.
  const place = excludes && !given.includes('/') ? `**/${glob}` : glob
  const file = new Minimatch(place, LANGUAGE)
  const below = new Minimatch(`${place}/**`, LANGUAGE)
  return {
    text: fill(written, { tag, version }),
    excludes,
    allows: found => !excludes && found === exact,
    fits: found => file.match(found) || below.match(found)
  }
}

/** The paths that the lines exclude: the last line that fits a path counts. */
export function findExcluded(paths: readonly string[], lines: readonly ContentsLine[]): string[] {
  return paths.filter(path => lines.findLast(line => line.fits(path))?.excludes === true)
}

/** The lines that demand a file, and for which there is none. */
export function findUnmet(
  paths: readonly string[],
  lines: readonly ContentsLine[]
): ContentsLine[] {
  return lines.filter(line => !line.excludes && !paths.some(path => line.fits(path)))
}
