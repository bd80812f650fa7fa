// Owns what tests ask of the operating system.
import { platform } from 'node:process'
import { test } from '@jest/globals'

/** A test of what Windows does not have; its name says what that is. */
export const onPosix = platform === 'win32' ? test.skip : test
