// Repositories of Git for tests.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

const WHO = [
  'user.name=Mona',
  'user.email=mona@example.com',
  'commit.gpgsign=false',
  'maintenance.auto=false'
].flatMap(setting => ['-c', setting])

/** Runs Git in a folder, and returns its output. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

/** Makes a folder a repository with one commit, and returns its id. */
export function makeCommit(folder: string, origin?: string): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  if (origin !== undefined) git(folder, 'remote', 'add', 'origin', origin)
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', folder)
  return git(folder, 'rev-parse', 'HEAD')
}
