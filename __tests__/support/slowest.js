// A reporter of Jest, for the last lines of the deep suite: the ten files that took longest.
import { relative } from 'node:path'
import { cwd, stdout } from 'node:process'

/** A reporter of Jest's. */
export default class Slowest {
  onRunComplete(_contexts, { testResults }) {
    const slowest = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime)
    const lines = slowest.slice(0, 10).map(({ testFilePath, perfStats: { runtime } }) => {
      const seconds = (runtime / 1000).toFixed(1)
      return `${seconds.padStart(7)} s  ${relative(cwd(), testFilePath)}`
    })

    stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`)
  }
}
