// Owns taking one version's section out of CHANGELOG.md, as the notes of its release.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const ROOT = path.join(import.meta.dirname, '..')

/** The text under `## [version]`. Throws an error that says which part of it is missing. */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.replaceAll('\r\n', '\n').split(/^(?=## )/m)
  const section = sections.find(text => text.startsWith(`## [${version}]`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no heading "## [${version}]"`)

  const [heading = '', ...lines] = section.split('\n')
  if (!/^## \[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(`"${heading}" in CHANGELOG.md needs its date: "## [${version}] - 2026-01-31"`)
  }

  // The definitions of the headings' links stand at the end of the file.
  const text = lines.filter(line => !/^\[[^\]]+\]: /.test(line)).join('\n')
  if (text.trim() === '') throw new Error(`"## [${version}]" in CHANGELOG.md has no text under it`)
  return `${text.trim()}\n`
}

if (import.meta.main) {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const [, , version = ''] = process.argv
  const { version: packaged }: { version: string } = JSON.parse(read('package.json'))

  try {
    if (version !== packaged) {
      throw new Error(`The version to release is "${version}", but package.json has "${packaged}"`)
    }
    process.stdout.write(notesOf(read('CHANGELOG.md'), version))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
