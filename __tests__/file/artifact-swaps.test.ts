// Tests of src/file/artifact.ts: what takes the place of the file while it is opened and read.
import { execFileSync, fork } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { FileFault, openArtifact } from '../../src/file/artifact.ts'
import { makeFolder, putFile } from '../support/folders.ts'

const openIn = (workspace: string, name: string) =>
  openArtifact(join(workspace, name), workspace, [workspace])

/** A process of its own, so that the swaps fall between any two steps of the opening. */
const SWAPPER = `
import { renameSync, symlinkSync } from 'node:fs'
const [, , folder, name, target] = process.argv
process.on('disconnect', () => process.exit())
const [place, aside, link] = [folder + '/' + name, folder + '/aside', folder + '/link']
symlinkSync(target, link)
const spin = () => {
  for (let i = 0; i < 50; i++) {
    renameSync(place, aside)
    renameSync(link, place)
    renameSync(place, link)
    renameSync(aside, place)
  }
  setImmediate(spin)
}
spin()
process.send('ready')
`

describe('what takes the place of another meanwhile is never followed out', () => {
  const script = join(makeFolder({ 'swapper.mjs': SWAPPER }), 'swapper.mjs')
  test.each([
    ['a link instead of the file', 'app.zip', 'app.zip'],
    ['a link instead of its folder', 'dist', 'dist/app.zip']
  ])('%s', async (_, swapped, name) => {
    const workspace = makeFolder({ [name]: 'public' })
    const outside = makeFolder({ [name]: 'SECRET' })
    const swapper = fork(script, [workspace, swapped, join(outside, swapped)], { execArgv: [] })
    const reasons = new Set<string>()
    try {
      await new Promise(resolve => swapper.once('message', resolve))
      for (let i = 0; i < 1500; i++) {
        const artifact = await openIn(workspace, name).catch((error: unknown) => {
          if (!(error instanceof FileFault)) throw error
          reasons.add(error.reason)
        })
        const content: string[] = []
        // Where the file lies may change its times: that it is read at all is not the point here.
        const drain = async () => {
          for await (const chunk of artifact?.read().chunks() ?? []) content.push(String(chunk))
        }
        await drain().finally(() => artifact?.close())
        expect(content.join('')).toBe(artifact ? 'public' : '')
      }
    } finally {
      swapper.disconnect()
    }
    // What was seen shows that the swaps did fall in between.
    expect([...reasons]).toContain('bad-file')
    expect([...reasons].filter(reason => !['bad-file', 'file-changed'].includes(reason))).toEqual(
      []
    )
  })
})

test('a file that is put in the place of another is read as it was opened, or not at all', async () => {
  const workspace = makeFolder({ 'app.zip': 'first' })
  const artifact = await openIn(workspace, 'app.zip')
  putFile(join(workspace, 'next'), 'other')
  execFileSync('mv', [join(workspace, 'next'), join(workspace, 'app.zip')])
  await expect(artifact.digest()).rejects.toMatchObject({ reason: 'file-changed' })
  await artifact.close()
})
