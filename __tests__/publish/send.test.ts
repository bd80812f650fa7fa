// Tests of src/publish/send.ts: how an upload ends whose file changes between its inspection and its last bytes, what fails
// once the shop has answered, and what another run publishes between two tries.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connect, UploadRequest } from '../../src/http/exchange.ts'
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

test('a connection that is lost before the last bytes, then a higher version → lower-version', async () => {
  await using stage = await openStage()
  const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  let uploads = 0

  const losing: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const startUpload = async (request: UploadRequest) => {
      const started = await connection.startUpload(request)
      uploads += 1
      if (started.kind !== 'held' || uploads > 1) return started

      const finish = () => {
        stage.claimOther('1.4.3', '7', 'success')
        return started.withhold(lost)
      }
      return { ...started, finish }
    }
    return { ...connection, startUpload }
  }
  const run = await stage.run({ connect: losing })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
  expect(run.held).toBe(0)
  expect(uploads).toBe(1)
  expect(stage.service.versions).toEqual([])
})
