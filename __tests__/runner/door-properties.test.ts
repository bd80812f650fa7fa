// Property of src/runner/runner.ts as a process: whatever a text is, by whatever way it is printed, the runner
// sees the commands that we meant and no other.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { makeFolder } from '../support/folders.ts'
import { hostileText, RUNS, SEED } from './hostile-texts.ts'
import { runStep } from './step.ts'

/** A process prints many, since each takes its time to start. */
const TEXTS = 200
const ANNOTATIONS = ['notice', 'warning', 'error']

/** Starts a step that has the texts, of two pieces each, in `texts`. */
function runWith(texts: readonly (readonly string[])[], code: string) {
  const file = join(makeFolder({ 'texts.json': JSON.stringify(texts) }), 'texts.json')
  const read = `const texts = JSON.parse((await import('node:fs')).readFileSync(${JSON.stringify(file)}))`
  return runStep(`${read}\n${code}`, { debug: true })
}

test.each(Array.from({ length: Math.ceil(RUNS / TEXTS / 2) }, (_, index) => SEED + index))(
  'the log, annotations, groups and stack traces of texts by the seed %d',
  async seed => {
    const texts = fc.sample(fc.tuple(hostileText, hostileText), { numRuns: TEXTS, seed })
    const run = await runWith(
      texts,
      `
      for (const [text, title] of texts) {
        runner.info(text)
        runner.block(text)
        runner.debug(text)
        await runner.group(title, async () => runner.info(text))
        for (const kind of ${JSON.stringify(ANNOTATIONS)}) runner[kind](text, title)
      }
      const error = new Error(texts.map(pieces => pieces.join('')).join('\\n'))
      error.stack = 'Error: ' + error.message
      throw error`
    )
    const meant = texts.flatMap(() => {
      return ['debug', 'group', 'endgroup', ...ANNOTATIONS]
    })
    expect(run.commands.map(({ name }) => name)).toEqual([...meant, 'error', 'debug'])
    expect(run.masks).toEqual([])
    expect(run).toMatchObject({ exitCode: 1, stderr: '', outputs: {} })
  }
)
