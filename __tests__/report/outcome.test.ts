// Tests of src/report: which report counts, as lines of the log and as outputs; failures; and how to go on.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github.ts'
import { failureOf, reportFailure, reportProblems } from '../../src/report/failures.ts'
import {
  ended,
  fitOutputs,
  logReport,
  outputsOf,
  type Report,
  type Reports
} from '../../src/report/outcome.ts'
import { adviseNewStart, adviseSettling, readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { published } from '../publish/running.ts'
import { openRecorder } from '../support/recorder.ts'

/** The facts of a run with these variables and inputs. */
const factsOf = (env: NodeJS.ProcessEnv = {}, inputs: Readonly<Record<string, string>> = {}) =>
  readFacts({ context: contextOf(env, '/'), input: name => inputs[name] ?? '' })

const outputs = (reports: Reports): Record<string, string> => Object.fromEntries(outputsOf(reports))

test('a field may be an object', () => {
  const fields = { id: 1, title: { a: [{ b: null }, 2n ** 64n] } }
  const { title } = outputs([{ ...published, fields }])
  expect(title).toBe('{"a":[{"b":null},18446744073709551616]}')
})

test.each([
  ['failed', ['skipped', 'failed', 'published']],
  ['published', ['skipped', 'published', 'skipped']]
] as const)('%s is the worst of %j', (worst, [first, ...others]) => {
  const of = (outcome: (typeof others)[number] | typeof first) => ended(outcome, '', '')
  expect(outputs([of(first), ...others.map(of)]).outcome).toBe(worst)
})

const OTHERS = 'the fields that the shop does not document'
const [C, X] = ['changelog', 'extra']
test.each([
  ['', 1, { [C]: 125_000 }, [C]],
  ['changelog', 3, { [C]: 125_000 }, ['title']],
  ['changelog', 3, { [C]: 125_000, [X]: 1000 }, ['title', X]],
  [OTHERS, 1, { [C]: 1000, [X]: 600_000 }, ['title', C]],
  [`changelog, and ${OTHERS}`, 1, { [C]: 300_000, [X]: 600_000 }, ['title']],
  ['every field of the version but id', 2, { title: 300_000, [X]: 600_000 }, []]
])('outputs that a job cannot pass on lose what is too much: %s', (out, count, sizes, left) => {
  const long = Object.entries(sizes).map(([field, size]) => [field, 'c'.repeat(size)])
  const one: Report = { ...published, fields: { id: 7, title: 'A', ...Object.fromEntries(long) } }
  const { fitting, leftOut } = fitOutputs([one, ...Array.from({ length: count - 1 }, () => one)])
  expect(leftOut).toBe(out)
  const shown = outputs(fitting)
  expect(Object.values(shown).join('').length).toBeLessThan(500_000)
  const versions: unknown = JSON.parse(shown.versions ?? '')
  const kept = Object.fromEntries(['id', ...left].map(field => [field, one.fields[field]]))
  expect(versions).toMatchObject(Array(count).fill({ changelog: null, ...kept }))
  expect(shown).toMatchObject({ id: '7', title: left.length === 0 ? '' : expect.any(String) })
})

const failure = (message: string, status: number, denied = false) =>
  new GitHubError(message, { status, denied })

test.each<[string, Error, string, string, string]>([
  ['GitHub', failure('It broke.', 502), 'github', 'It broke.', 'Run this job again.'],
  ['a wrong token', failure('No.', 401), 'github', 'No.', 'Check `github-token`'],
  ['no access', failure('No.', 404, true), 'github', 'No.', '`contents: read`'],
  ['a mistake of ours', new Error('oops'), 'internal', 'not have happened: oops', 'debug logging']
])('a run that ends by %s', (_, error, reason, message, advice) => {
  const report = reportFailure(failureOf(error, false, false), factsOf())
  expect(report).toMatchObject({ outcome: 'failed', reason })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test('several problems have the reason that they share', () => {
  const facts = factsOf()
  const problem = { place: 'file', message: 'm' }
  const none = { ...problem, reason: 'no-file' } as const
  const report = reportProblems([none, none], facts)
  expect(report).toMatchObject({ reason: 'no-file', complaints: [none, none] })
  expect(reportProblems([none, problem], facts).reason).toBe('bad-input')
  expect(reportProblems([none], facts)).toMatchObject({ reason: 'no-file', message: 'file: m' })
})

const DOCS = 'https://github.com/shops/publish/blob/v1/README.md#run-it-by-hand'
test.each<[string, Record<string, string>, Record<string, string>, string]>([
  [
    'a release',
    { GITHUB_REF: 'refs/tags/v1.4.2', GITHUB_WORKFLOW: 'Publish' },
    {},
    'Then Actions → Publish → Run workflow with mode `publish` and tag `v1.4.2`. No'
  ],
  [
    'a tag by hand',
    { GITHUB_REF: 'refs/heads/main', GITHUB_WORKFLOW: '.github/workflows/p.yml' },
    { tag: 'refs/tags/v1', mode: 'plan' },
    'Actions → .github/workflows/p.yml → Run workflow with mode `plan` and tag `v1`. No'
  ],
  ['a settlement', {}, { tag: 'v1', mode: 'settle' }, 'with mode `settle` and tag `v1`. No'],
  [
    'a wrong mode',
    {},
    { mode: 'Plan' },
    'Run workflow with mode `publish`. No such button? Add it: '
  ]
])('how to start again is told with all that is known: %s', (_, env, inputs, expected) => {
  const action = { GITHUB_ACTION_REPOSITORY: 'shops/publish', GITHUB_ACTION_REF: 'v1' }
  const advice = adviseNewStart(factsOf({ ...env, ...action }, inputs))
  expect(advice).toMatch(/^Fix the workflow on your default branch\. Then Actions → /)
  expect(advice).toContain(expected)
  expect(advice).toContain(` No such button? Add it: ${DOCS}.`)
  const local = adviseNewStart(factsOf(env, inputs))
  expect(local).toMatch(/No such button\? This action’s README shows it: “Run it by hand”\.$/)
})

test('a version in doubt is settled by the button, unless that would settle others, too', () => {
  const facts = factsOf({ GITHUB_REF: 'refs/tags/v1', GITHUB_WORKFLOW: 'Publish' })
  const path =
    /^Actions → Publish → Run workflow with mode `settle` and tag `v1`, and settle-as `published` if/
  expect(adviseSettling(facts)).toMatch(path)
  const alone =
    'has this step for this product alone, with `mode: settle` and `settle-as`: `published`'
  expect(adviseSettling({ ...facts, isSingle: false })).toContain(alone)
})

test('on a pull request, a push starts it again', () => {
  const advice = adviseNewStart(factsOf({ GITHUB_EVENT_NAME: 'pull_request' }))
  expect(advice).toBe('Push the correction to this pull request.')
})

const said = 'info: Published. Version id: 7.'
const sha256 = `info:   sha256     ${'ab'.repeat(32)}`
const download = 'info:   download   https://shop.example.com/d/7?a=1&b=2'
const failed = ended('failed', 'rejected', 'No.', 'Wait.')
const complaints = [{ place: 'file', message: 'm' }]
const several = ['error: Not published: No.\nWait.', 'error: file: file: m']
test.each<[string, Report, string, string[]]>([
  ['published', published, '', [said, sha256, download]],
  ['published, no link shown', { ...published, showLink: false }, 'a', [said, sha256]],
  ['planned', ended('planned', '', 'Not yet.'), '', ['info: Not yet.']],
  ['skipped', ended('skipped', 'prerelease', 'x'), 'a', ['notice: Skipped: a: x']],
  ['checked', { ...failed, heading: 'Check failed' }, '', ['error: Check failed: No.\nWait.']],
  ['in doubt', ended('unknown', 'in-doubt', 'x'), '', ['error: Outcome unknown: x']],
  ['several', { ...failed, complaints }, '', several]
])('the log says how it ended: %s', (_, report, name, expected) => {
  const { runner, lines } = openRecorder({ context: contextOf({}, '/') })
  logReport(runner, report, name)
  expect(lines).toEqual(expected)
})
