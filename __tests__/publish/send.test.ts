// Tests of src/publish/send.ts: how an upload ends whose file changes between its inspection and its last bytes, and what
// fails once the shop has answered.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { breachesOf } from '../faults/invariants.ts'
import { openStage } from '../faults/stage.ts'
import { packed } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'

test.each([['true'], ['false']])(
  'a file that changed after its inspection is withheld, with the record %s',
  async record => {
    const folder = makeFolder({ 'gallery-1.4.2.zip': packed('This build.') })
    const file = join(folder, 'gallery-1.4.2.zip')

    await using stage = await openStage()
    const run = await stage.run({
      inputs: { file, record },
      env: { RUNNER_TEMP: folder },
      onLine: line => {
        if (line.includes('Asking the shop')) writeFileSync(file, packed('Other build'))
      }
    })

    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'file-changed' })
    // Nothing is left held.
    expect(breachesOf({ ...run, leftovers: [] }, stage)).toEqual([])
    expect(stage.service.versions).toEqual([])
  }
)

const ANSWERED = 'info: The shop answered that the version is published. Version id: 1001.'
const PUBLISHED = {
  outcome: 'published',
  published: 'true',
  version_id: '1001',
  id: '1001'
}

test('what fails while the log says what was published keeps nothing from being recorded', async () => {
  await using stage = await openStage()

  const run = await stage.run({
    onLine: line => {
      if (line === ANSWERED) throw new Error('the disk is full')
    }
  })

  expect(run.outputs).toMatchObject(PUBLISHED)
  expect(stage.histories()).toEqual(['in_progress success'])
})

test('no error after the answer changes the outcome, or empties an output', async () => {
  await using stage = await openStage()
  let isAnswered = false

  const run = await stage.run({
    onLine: line => {
      isAnswered ||= line === ANSWERED
    },
    measuring: () => {
      if (isAnswered) throw new Error('the clock is gone')
    }
  })

  expect(run.outputs).toMatchObject({ ...PUBLISHED, title: 'Gallery 1.4.2' })
  expect(run.annotations).toMatchObject([
    { kind: 'warning', message: 'This should not have happened: the clock is gone' }
  ])
  expect(run.failed).toBe(false)
})
