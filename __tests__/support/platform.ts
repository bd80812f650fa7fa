// The differences between operating systems, as far as tests depend on them.
import { execFileSync } from 'node:child_process'
import { platform } from 'node:process'
import { test } from '@jest/globals'

/** A test of something that Windows does not have; its name says what that is. */
export const onPosix = platform === 'win32' ? test.skip : test

/** A test of something that macOS does not have, either. */
export const onLinux = platform === 'linux' ? test : test.skip

/** The mode of a file that is its owner's alone; Windows has none but for files that are read-only. */
export const PRIVATE = platform === 'win32' ? 0o666 : 0o600

/** Whether jq is installed. */
export function hasJq(): boolean {
  try {
    return execFileSync('jq', ['--version']).length > 0
  } catch {
    return false
  }
}
