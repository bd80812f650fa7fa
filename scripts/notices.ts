// Owns licenses.txt: the notices of every package that a bundle holds.
//
// ncc's own --license writes one file for each chunk under the same name, so with modules that load
// late only the last chunk's packages would be named.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The notices of all packages whose modules the bundler reports. */
export function writeNotices(stats: unknown): string {
  const folders = new Set(listModuleFiles(stats).flatMap(file => packageFolder(file) ?? []))
  return [...folders]
    .map(readNotice)
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
    .join('\n')
}

function listModuleFiles(stats: unknown): string[] {
  return listOf(stats, 'modules').flatMap(module => {
    const file = fieldOf(module, 'nameForCondition')
    return [...(typeof file === 'string' ? [file] : []), ...listModuleFiles(module)]
  })
}

function packageFolder(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]
}

function readNotice(folder: string): string {
  const about: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const [name, version, license] = ['name', 'version', 'license'].map(key => fieldOf(about, key))
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)\b/i.test(entry))
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8')
  return `${name} ${version}\n${license}\n${text.replaceAll('\r\n', '\n').trim()}\n`
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
