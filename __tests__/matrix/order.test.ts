// Tests of `order: rising`: what a run does beside other versions of its product, before its upload and after it.
import { expect, test } from '@jest/globals'
import { CREATE, RECORD } from './github-faults.ts'
import { failed, openStage, type Stage, told } from './stage.ts'

/** Another version that appears after the upload, with these statuses. */
async function openBeside(versionName: string, ...states: readonly string[]) {
  const stage = await openStage()
  const run = () => void stage.claimOther(versionName, '1', ...states)
  stage.github.misbehave({ kind: 'meanwhile', run, on: RECORD })
  return stage
}

const completed = ({ service }: Stage) => service.requests.map(it => it.completed)

test.each([
  ['is published', ['in_progress', 'success'], '"1.4.2" is lower than "1.4.3", which is already'],
  ['may be published', ['in_progress', 'error'], 'and nobody knows whether that is published']
])('a higher version %s at the last look: the lower one is not', async (_, states, text) => {
  await using stage = await openBeside('1.4.3', ...states)
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('lower-version'))
  expect(told(run)).toContain(`Nothing was published: ${text.startsWith('"') ? text : ''}`)
  expect(told(run)).toContain(text)
  expect(told(run).includes('Look in the shop for "1.4.3" first')).toBe(states.includes('error'))
  expect([completed(stage), stage.histories()[0]]).toEqual([[false], 'in_progress failure'])
  // The same is found before the upload, from then on.
  expect((await stage.run({ attempt: 2 })).outputs.reason).toBe('lower-version')
  expect(stage.service.requests).toHaveLength(1)
  const any = await stage.run({ attempt: 3, inputs: { 'allow-lower': 'true' } })
  expect(any.outputs.outcome).toBe('published')
})

test('a higher version that is being sent is waited for: for 20 seconds, or until it fails', async () => {
  await using stage = await openBeside('1.4.3', 'in_progress')
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('withheld'))
  expect(told(run)).toContain('run 1 is publishing the higher version "1.4.3"')
  expect(completed(stage)).toEqual([false])
  let pauses = 0
  const pausing = () => {
    const { id = 0 } = stage.github.deployments[1] ?? {}
    if (pauses++ === 1) stage.github.addStatus(id, { state: 'failure' })
  }
  expect((await stage.run({ attempt: 2, pausing })).outputs.outcome).toBe('published')
})

test.each([
  ['a lower one is published', '1.4.1', ['in_progress', 'success']],
  ['a higher one is only prepared', '1.4.3', []],
  ['a higher one has failed', '1.4.3', ['in_progress', 'failure']],
  ['a name is no version by number', 'latest', ['in_progress']]
])('a version is published when %s at the last look', async (_, name, states) => {
  await using stage = await openBeside(name, ...states)
  expect((await stage.run()).outputs.outcome).toBe('published')
})

const OTHER = { tag: 'v1.4.3', 'allow-other-version': 'true' }

test('of two versions that start at once, the lower one is not published last', async () => {
  await using stage = await openStage()
  stage.addRelease({ tag: 'v1.4.3' })
  const start = () => void higher.push(stage.run({ runId: '2', inputs: OTHER }))
  const higher: ReturnType<Stage['run']>[] = []
  stage.github.misbehave({ kind: 'meanwhile', run: start, on: CREATE })
  const lower = await stage.run()
  expect((await higher[0])?.outputs.outcome).toBe('published')
  const names = stage.service.versions.map(({ versionName }) => versionName)
  expect([['1.4.3'], ['1.4.2', '1.4.3']]).toContainEqual(names)
  expect(lower.outputs.outcome === 'published').toBe(names.length === 2)
})

const NOT_COMPARED = 'not compared with other versions (`order: rising`)'

test.each(['1.5-rc1', '2024-02-01', '1.4+7', 'Spring'])(
  'a published %s, which cannot be compared, stops nobody, and is told',
  async name => {
    await using stage = await openStage()
    stage.claimOther(name, '1', 'in_progress', 'success')
    const run = await stage.run()
    expect(run.outputs.outcome).toBe('published')
    expect(told(run)).toContain(`"${name}" is ${NOT_COMPARED}`)
    const own = await stage.run({ inputs: { 'version-name': `${name}.1-beta` } })
    expect([own.outputs.outcome, told(own)]).toMatchObject([
      'published',
      expect.stringContaining(NOT_COMPARED)
    ])
  }
)

test('the name of a failed version neither stops anybody, nor is it told', async () => {
  await using stage = await openStage()
  for (const name of ['1.5', '1.5-beta']) stage.claimOther(name, '1', 'in_progress', 'failure')
  const run = await stage.run()
  expect([run.outputs.outcome, run.annotations]).toEqual(['published', []])
})
