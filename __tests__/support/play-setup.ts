// Loaded before each test file of `npm run play`: a test goes on, whatever it finds, since its scene is all that counts.
import { beforeEach, expect } from '@jest/globals'
import { beginTest } from './recording.ts'

/** From now on, takes belong to the current test; before the first one, to its file. */
function begin() {
  const { currentTestName = 'before its tests', testPath = '' } = expect.getState()
  beginTest(`${testPath.replace(/^.*__tests__[\\/]/, '')} > ${currentTestName}`)
}

begin()
beforeEach(begin)

const names = new Set([...Object.keys(expect(0)), ...Object.keys(expect(0).not)])
const passes = Array.from(names, name => [
  name,
  function (this: { readonly isNot?: boolean }) {
    return { pass: this.isNot !== true, message: () => '' }
  }
])
expect.extend(Object.fromEntries(passes))
