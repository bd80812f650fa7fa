// Tests of the workflows in the documentation: what their buttons offer, and that a click on a plan, a check or a mark pushes
// no waiting publication out of its concurrency group.
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { readRecipes } from '../../scripts/workflows.ts'
import { MODE_NAMES } from '../../src/report/modes.ts'
import { fill } from '../support/workflow.ts'

const TAG = 'v1.4.2'
const OTHER_MODES = MODE_NAMES.filter(mode => mode !== 'publish')

/** An event that publishes: a release, or a push of a tag, or of a branch where the release is made. */
interface Start {
  readonly event: string
  readonly ref: string
}

function startsOf(on: Readonly<Record<string, { readonly tags?: unknown } | null>>): Start[] {
  const starts: Start[] = []
  if ('release' in on) starts.push({ event: 'release', ref: TAG })
  if ('push' in on) starts.push({ event: 'push', ref: on.push?.tags ? TAG : 'main' })
  return starts
}

function groupOfStart(group: string, { event, ref }: Start): string {
  return fill(group, { inputs: {}, github: { event_name: event, ref_name: ref } })
}

/** The group of a run that a click started. */
function groupOfClick(group: string, inputs: Readonly<Record<string, string>>): string {
  return fill(group, { inputs, github: { event_name: 'workflow_dispatch', ref_name: 'main' } })
}

const clicked = readRecipes().flatMap(({ file, heading, offset, text }) => {
  const { on, concurrency } = parse(text)
  const hasMode = on?.workflow_dispatch?.inputs?.mode !== undefined
  const group = String(concurrency?.group)
  return hasMode
    ? [{ place: `${file}, ${heading}, line ${offset}`, group, starts: startsOf(on) }]
    : []
})

test('the documentation has workflows with a button', () => {
  expect(clicked.length).toBeGreaterThan(10)
})

test.each(clicked)('$place: only publications of a tag share a group', ({ group, starts }) => {
  const publishing = groupOfClick(group, { mode: 'publish', tag: TAG })
  const started = starts.map(start => groupOfStart(group, start))

  for (const mode of OTHER_MODES) {
    for (const tag of [TAG, '']) {
      expect([publishing, ...started]).not.toContain(groupOfClick(group, { mode, tag }))
    }
  }

  for (const start of starts) {
    const own = groupOfStart(group, start)
    if (start.ref === TAG) expect(own).toBe(publishing)
    // A click without a tag would push out a run that makes the release.
    else expect(own).not.toBe(groupOfClick(group, { mode: 'publish', tag: '' }))
  }
})

test('every button that offers modes offers all of them', () => {
  const offered = readRecipes().flatMap(({ file, heading, text }) => {
    const options = parse(text).on?.workflow_dispatch?.inputs?.mode?.options
    return options === undefined ? [] : [{ place: `${file}, ${heading}`, options }]
  })

  expect(offered.length).toBeGreaterThan(0)
  for (const { place, options } of offered) {
    expect([place, ...options.toSorted()]).toEqual([place, ...MODE_NAMES.toSorted()])
  }
})
