// Owns what tests ask of the operating system.
import { platform } from 'node:process'
import { test } from '@jest/globals'

/** A test of what Windows does not have; its name says what that is. */
export const onPosix = platform === 'win32' ? test.skip : test

/** The same for what macOS does not have, either. */
export const onLinux = platform === 'linux' ? test : test.skip

/** The mode of a file that is its owner's alone; Windows has no modes but for what is read-only. */
export const PRIVATE = platform === 'win32' ? 0o666 : 0o600
