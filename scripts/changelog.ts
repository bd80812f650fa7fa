// Owns taking one version's section out of CHANGELOG.md, as the notes of its release.
//
// The section is found as the action finds one for its users, by the committed bundle: the job that may
// write to the repository installs no packages.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const ROOT = path.join(import.meta.dirname, '..')
const BUNDLE = new URL('../dist/bundle/index.js', import.meta.url)

/** What of the bundle is used here. */
interface Bundle {
  changelogSection(
    changelog: string,
    version: string,
    tag: string
  ): Promise<{ readonly kind: 'section' | 'whole' | 'missing'; readonly text?: string }>
}

/** The text under `## [version]`; throws an error that says what is wrong with it. */
export async function notesOf(changelog: string, version: string): Promise<string> {
  const bundle: Bundle = await import(BUNDLE.href)
  const section = await bundle.changelogSection(changelog, version, `v${version}`)
  if (section.kind !== 'section') {
    throw new Error(`CHANGELOG.md has no heading "## [${version}]"`)
  }
  const [heading = ''] =
    changelog.match(/^## .*$/gm)?.filter(line => line.includes(`[${version}]`)) ?? []
  if (!/^## \[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading.trim())) {
    throw new Error(`"${heading}" in CHANGELOG.md needs its date: "## [${version}] - 2026-01-31"`)
  }
  if (!section.text) throw new Error(`"## [${version}]" in CHANGELOG.md has no text under it`)
  return `${section.text}\n`
}

/** The notes of the version that package.json names; any other version is an error. */
async function notesOfRelease(version: string): Promise<string> {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const { version: packaged }: { version: string } = JSON.parse(read('package.json'))
  if (version !== packaged) {
    throw new Error(`The version to release is "${version}", but package.json has "${packaged}"`)
  }
  return notesOf(read('CHANGELOG.md'), version)
}

if (import.meta.main) {
  try {
    process.stdout.write(await notesOfRelease(process.argv[2] ?? ''))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
