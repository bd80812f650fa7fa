// Tests of src/notes: expressions about people's words know every letter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const FOLDER = join(import.meta.dirname, '../../src/notes')

/** What only knows ASCII: with `\b`, a word ends before the `é` of `café`. */
const ASCII_WORDS = /\\[wWbB]/

/** The lines of a source that have such a class. */
const faultsIn = (source: string): string[] => source.split('\n').filter(it => ASCII_WORDS.test(it))

test.each(readdirSync(FOLDER))('%s takes letters of every script for letters', name => {
  expect(faultsIn(readFileSync(join(FOLDER, name), 'utf8'))).toEqual([])
})

test.each(['/[^\\w-]/', "'(?<!\\\\w)'", '/\\bby\\b/', '/\\W+/'])('%s is found', source => {
  expect(faultsIn(source)).toEqual([source])
})
