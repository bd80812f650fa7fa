// Owns the last lines of the deep suite: the ten files that took longest.
import { relative } from 'node:path'
import { cwd, stdout } from 'node:process'

/** A reporter of Jest's. */
export default class Slowest {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map(({ testFilePath, perfStats: { start, end } }) => ({
      file: relative(cwd(), testFilePath),
      seconds: (end - start) / 1000
    }))
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`)
  }
}
