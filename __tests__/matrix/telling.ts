// Owns the printing of the table: `npm run test:faults` loads it into each file of the suite.
import { stdout } from 'node:process'
import { afterAll } from '@jest/globals'
import { resultsSoFar, tableOf } from './tally.ts'

afterAll(() => {
  const results = resultsSoFar()
  if (results.length > 0) stdout.write(`\n${tableOf(results)}\n`)
})
