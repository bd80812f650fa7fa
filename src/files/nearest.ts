// Why nothing is where somebody looked: what is there, nearest first, and what other tools would have made of the pattern.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isExclusion, pathOf } from './patterns.ts'

/** Enough to choose from. */
const FILES_READ_MAX = 2000

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
    if (files.length > FILES_READ_MAX || folders.length > FILES_READ_MAX) break
  }
  return files
}

/** The names, those first that are most like one of the patterns; of two that are alike, the first stays first. */
export function nearestFirst(patterns: readonly string[], names: readonly string[]): string[] {
  const wanted = patterns.filter(pattern => !isExclusion(pattern)).map(pathOf)
  const rated = names.map(name => ({
    name,
    likeness: Math.max(0, ...wanted.map(pattern => likenessOf(pattern, name)))
  }))
  return rated.toSorted((a, b) => b.likeness - a.likeness).map(({ name }) => name)
}

/** From 0 to 1: how many pairs of neighboring characters two texts share (the coefficient of Dice). */
function likenessOf(one: string, other: string): number {
  const pairs = pairsOf(one)
  const others = pairsOf(other)
  return (2 * pairs.intersection(others).size) / (pairs.size + others.size || 1)
}

function pairsOf(text: string): Set<string> {
  // Case, and how accents are encoded, is what people do not see.
  const characters = [...text.normalize('NFC').toLowerCase()]
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`))
}

/** How other tools write what they fill in. One group of each takes the name. */
const PLACEHOLDER_FORMS = [
  // ${version}, ${{ version }}
  /\$\{{1,3}\s{0,9}([\w.-]{1,99})\s{0,9}\}{1,3}/,
  // {{version}}, { version }, {ver}
  /\{{1,3}\s{0,9}([\w.-]{1,99})\s{0,9}\}{1,3}/,
  // %VERSION%
  /%(\w{1,99})%/,
  // <version>
  /<([\w-]{1,99})>/,
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
    advice:
      'the drive and the folders above the workspace differ from runner to runner: write a path relative to it'
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
    habit: /\{[^{},]*,[^{}]*\}/,
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
