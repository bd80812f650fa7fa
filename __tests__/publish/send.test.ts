// Tests of src/publish/send.ts: how an upload ends whose file changes between its inspection and its last bytes.
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
