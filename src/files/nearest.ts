// Why nothing is where somebody looked: which file is nearest to what was written, how it differs, and what else is meant.
import { readdir } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { quoteName } from '../runner/words.ts'
import { isExclusion, matcherOf, pathOf } from './patterns.ts'

/** In files: enough to choose from. */
const ENOUGH = 2000

/** The files in a folder and below it, those higher up first. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = [folder]
  for (const each of folders) {
    const entries = await readdir(each, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const isTools = entry.name === '.git' || entry.name === 'node_modules'
      if (!entry.isDirectory()) files.push(join(each, entry.name))
      else if (!isTools) folders.push(join(each, entry.name))
    }
    if (files.length > ENOUGH || folders.length > ENOUGH) break
  }
  return files
}

/** A difference between two names that people take for the same. */
interface Difference {
  /** The text without the difference. */
  fold(text: string): string
  /** The difference, worded to follow "but for". */
  describe(pattern: string, name: string): string
}

/** A no-break space, say: a space that is no plain one. */
const OTHER_SPACE = /(?! )\p{Zs}/gu
/** A zero-width space, say, or a soft hyphen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu

const INVISIBLE_CHARACTER: Difference = {
  fold: text => text.replace(OTHER_SPACE, ' ').replace(INVISIBLE, ''),
  describe: (pattern, name) => {
    const text = pattern + name
    const found = [...text.matchAll(OTHER_SPACE), ...text.matchAll(INVISIBLE)].map(([it]) => it)
    return `an invisible character (${[...new Set(found)].map(nameCharacter).join(', ')})`
  }
}

/** Such as `U+00A0`. */
function nameCharacter(character: string): string {
  const code = character.codePointAt(0)?.toString(16).padStart(4, '0')
  return `U+${code?.toUpperCase()}`
}

const NORMALIZATION: Difference = {
  fold: text => text.normalize('NFC'),
  describe: () => 'how accents are encoded (Unicode normalization)'
}

const BACKSLASH: Difference = {
  fold: text => text.replaceAll('\\', '/'),
  describe: () => 'backslashes, which do not separate folders here'
}

const CASE: Difference = {
  fold: text => text.toLowerCase(),
  describe: () => 'upper and lower case'
}

/** `1.4.2`, `1.4.2-SNAPSHOT`, `1.4.2-rc.1`, but of `1.4.2-all` only the number. */
const NUMBER = /\d+(?:\.\d+)+(?:-(?:SNAPSHOT|alpha|beta|rc|dev|pre)[\w.]*(?=[-.]))?/gi

const VERSION: Difference = {
  fold: text => text.replace(NUMBER, '0'),
  describe: () => 'its version'
}

const FOLDER: Difference = {
  fold: text => posix.basename(text),
  describe: () => 'its folder'
}

/** GitHub puts a dot in place of a space, and of other signs that it does not take in the name of an attached file. */
const DOTS: Difference = {
  fold: text => text.replace(/[^\w*?-]+/g, '.').replace(/^\.|\.$/g, ''),
  describe: () => 'the dots that GitHub puts in place of spaces, brackets and other signs'
}

const IN_FOLDERS = [INVISIBLE_CHARACTER, NORMALIZATION, BACKSLASH, CASE, FOLDER, VERSION]
const ATTACHED = [INVISIBLE_CHARACTER, NORMALIZATION, CASE, DOTS, VERSION]

/** A name that is like a pattern, and how it differs from it. */
export interface Nearest {
  readonly name: string
  /** The difference, such as `upper and lower case`. */
  readonly how: string
}

/**
 * The first of the names that a pattern would match but for one difference, or two, that people do not see; undefined
 * if there is none. Names in folders have slashes; `where` says that they have none, as attached files.
 */
export async function findNearest(
  pattern: string,
  names: readonly string[],
  where: 'in folders' | 'attached' = 'in folders'
): Promise<Nearest | undefined> {
  for (const set of oneOrTwoOf(where === 'attached' ? ATTACHED : IN_FOLDERS)) {
    const fold = (text: string) => set.reduce((folded, it) => it.fold(folded), text)
    const folded = fold(pattern)
    // `dist/*` says nothing about the name.
    if (!/[\p{L}\d]/u.test(folded)) continue

    const matches = await matcherOf([`./${folded}`])
    const name = names.find(each => matches(fold(each)))
    if (name === undefined) continue

    const how = set.map(it => it.describe(pattern, name)).join(', and ')
    return { name, how }
  }
  return undefined
}

/** Each difference alone, and then each two of them. */
function oneOrTwoOf(differences: readonly Difference[]): (readonly Difference[])[] {
  const single = differences.map(it => [it])
  const pairs = differences.flatMap((first, index) =>
    differences.slice(index + 1).map(second => [first, second])
  )
  return [...single, ...pairs]
}

/** Sentences on lines of their own: how names that are there differ from the patterns; empty if none is like them. */
export async function explainNearest(
  patterns: readonly string[],
  names: readonly string[],
  where?: 'in folders' | 'attached'
): Promise<string> {
  const lines: string[] = []
  for (const pattern of patterns) {
    if (isExclusion(pattern)) continue

    const path = pathOf(pattern)
    const nearest = await findNearest(path, names, where)
    if (nearest) {
      lines.push(`\n${quoteName(nearest.name)} would match "${path}" but for ${nearest.how}.`)
    }
  }
  return lines.join('')
}

/** How other tools write what they fill in. One group of each takes the name. */
const PLACEHOLDER_FORMS = [
  // ${version}, ${{ version }}
  /\$\{+\s*([\w.-]+)\s*\}+/,
  // {{version}}, { version }, {ver}
  /\{+\s*([\w.-]+)\s*\}+/,
  // %VERSION%
  /%(\w+)%/,
  // <version>
  /<([\w-]+)>/,
  // $VERSION
  /\$([A-Za-z_]\w*)/
]
const PLACEHOLDER = new RegExp(PLACEHOLDER_FORMS.map(({ source }) => source).join('|'), 'g')

/** A habit from elsewhere that matches nothing here, and what to write. */
interface Habit {
  readonly habit: RegExp
  readonly advice: string
}

const HABITS: readonly Habit[] = [
  {
    // ~/build/gallery.zip
    habit: /^~\//,
    advice: '`~` is not expanded: write a path relative to the workspace'
  },
  {
    // D:\a\gallery\gallery\dist\gallery.zip
    habit: /^[a-z]:[\\/]/i,
    advice: 'a drive letter means nothing here: write a path relative to the workspace'
  },
  {
    // - dist/gallery.zip
    habit: /^- /,
    advice: '"- " does not begin a list here: write the pattern alone'
  },
  {
    // ["dist/gallery.zip"]
    habit: /^\[["'].*["']\]$/,
    advice: 'brackets do not make a list here: write one pattern a line, without quotes'
  },
  {
    // dist/gallery-{free,pro}.zip
    habit: /\{[^{}]*,[^{}]*\}/,
    advice: 'braces have no special meaning here: write one pattern a line'
  },
  {
    // dist/gallery.zip, dist/gallery.txt
    habit: /\w, ?\S/,
    advice: 'commas have no special meaning here: write one pattern a line'
  }
]

/** Sentences on lines of their own about habits in the lines of an input, as they were written; empty if there are none. */
export function explainHabits(lines: readonly string[]): string {
  return lines.map(explainHabit).join('')
}

function explainHabit(line: string): string {
  for (const match of line.matchAll(PLACEHOLDER)) {
    const [whole, ...names] = match
    if (whole === '{tag}' || whole === '{version}') continue

    return `\nIn "${line}", ${meantBy(whole, names.find(Boolean) ?? '')}.`
  }

  const found = HABITS.find(({ habit }) => habit.test(line))
  return found ? `\nIn "${line}", ${found.advice}.` : ''
}

/** The advice for a placeholder of another tool. */
function meantBy(whole: string, name: string): string {
  if (/tag/i.test(name)) return `write {tag} in place of "${whole}"`
  if (/ver/i.test(name)) return `write {version} in place of "${whole}"`
  return `"${whole}" is not filled in: only {version} and {tag} are`
}

/** How many names are proposed. */
const PROPOSED = 5

/**
 * The files that may be meant by a path where none is: those that differ in what people do not see, then those of its
 * folder with its ending. Best first.
 */
export async function proposeFiles(path: string, names: readonly string[]): Promise<string[]> {
  const nearest: string[] = []
  for (let left = names; nearest.length < PROPOSED; ) {
    const found = await findNearest(path.replace(/[[?*]/g, '[$&]'), left)
    if (!found) break

    nearest.push(found.name)
    left = left.filter(name => name !== found.name)
  }

  const given = posix.normalize(path)
  const isNeighbor = (name: string) =>
    posix.dirname(name) === posix.dirname(given) && extname(name) === extname(given)
  const neighbors = names.filter(isNeighbor)
  return [...new Set([...nearest, ...neighbors])].slice(0, PROPOSED)
}
