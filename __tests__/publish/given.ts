// Owns inputs for tests: those of a healthy step, and what is wrong with one among good ones.
import { expect } from '@jest/globals'
import { type InputName, type PublishInputs, parseInputs } from '../../src/publish/inputs.ts'
import { describeFault } from '../../src/runner/values.ts'

export type Given = Readonly<Partial<Record<InputName, string>>>

/** The least that can be given. */
export const GOOD: Given = {
  'base-url': 'https://shop.example.com',
  token: 'pat_123',
  product: '12',
  file: 'dist/*.zip',
  'github-token': 'ghs_1'
}

export function parse(given: Given) {
  const texts = new Map(Object.entries(given))
  return parseInputs(name => texts.get(name) ?? '')
}

/** Good inputs with these over them; throws when one is wrong. */
export async function inputsOf(given: Given = {}): Promise<PublishInputs> {
  const { inputs, problems } = await parse({ ...GOOD, ...given })
  if (!inputs || problems.length > 0) throw new Error(problems.map(describeFault).join('\n'))
  return inputs
}

/** Every problem of good inputs with these over them, as a user reads it. */
export async function problemsOf(given: Given): Promise<string[]> {
  return (await parse({ ...GOOD, ...given })).problems.map(describeFault)
}

/** What is wrong with one input among good ones. */
export async function problemOf(input: InputName, value: string): Promise<string> {
  const problems = await problemsOf({ [input]: value })
  expect(problems).toHaveLength(1)
  const [problem = ''] = problems
  expect(problem.startsWith(`${input}: `)).toBe(true)
  return problem.slice(`${input}: `.length)
}
