// Owns licenses.txt: the notices of every package that the bundle holds.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './manifest.ts'

/** The notices of all packages that these files are of; their paths are relative to the repository's folder. */
export function writeNotices(files: readonly string[], root = ROOT): string {
  const folders = new Set(files.flatMap(file => packageFolder(file) ?? []))
  return [...folders]
    .map(folder => readNotice(path.join(root, folder)))
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
    .join('\n')
}

function packageFolder(file: string): string | undefined {
  return /^.*[\\/]?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]
}

function readNotice(folder: string): string {
  const about: Partial<Record<string, unknown>> = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8')
  )
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)\b/i.test(entry))
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8')
  const notice = text.replaceAll('\r\n', '\n').trim()
  return `${about.name} ${about.version}\n${about.license}\n${notice}\n`
}
