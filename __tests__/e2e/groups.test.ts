// Tests of the workflows in the documentation: what their buttons offer, and that a click on a plan, a check or a mark pushes
// no waiting publication out of its concurrency group.
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { readRecipes } from '../../scripts/workflows.ts'
import { MODE_NAMES } from '../../src/report/modes.ts'
import { fill } from '../support/workflow.ts'

const TAG = 'v1.4.2'
const OTHER_MODES = MODE_NAMES.filter(mode => mode !== 'publish')

/** The group of a release's own run. */
function groupOfRelease(group: string): string {
  return fill(group, { inputs: {}, github: { event_name: 'release', ref_name: TAG } })
}

/** The group of a run that a click started. */
function groupOfClick(group: string, inputs: Readonly<Record<string, string>>): string {
  return fill(group, { inputs, github: { event_name: 'workflow_dispatch', ref_name: 'main' } })
}

const clicked = readRecipes().flatMap(({ file, heading, offset, text }) => {
  const { on, concurrency } = parse(text)
  const hasMode = on?.workflow_dispatch?.inputs?.mode !== undefined
  const group = String(concurrency?.group)
  return hasMode ? [{ place: `${file}, ${heading}, line ${offset}`, group }] : []
})

test('the documentation has workflows with a button', () => {
  expect(clicked.length).toBeGreaterThan(5)
})

test.each(clicked)('$place: only publications of a tag share a group', ({ group }) => {
  const publishing = groupOfClick(group, { mode: 'publish', tag: TAG })
  expect(groupOfRelease(group)).toBe(publishing)

  for (const mode of OTHER_MODES) {
    for (const tag of [TAG, '']) {
      expect(groupOfClick(group, { mode, tag })).not.toBe(publishing)
    }
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
