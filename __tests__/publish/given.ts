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
  return parseInputs(name => given[name] ?? '')
}

/** Good inputs with these over them; throws when one is wrong. */
export async function inputsOf(given: Given = {}): Promise<PublishInputs> {
  const { inputs, faults } = await parse({ ...GOOD, ...given })
  if (!inputs) throw new Error(faults.map(describeFault).join('\n'))
  return inputs
}

/** Every fault of good inputs with these over them, as a user reads it. */
export async function faultsOf(given: Given): Promise<string[]> {
  const { inputs, faults } = await parse({ ...GOOD, ...given })
  expect(inputs === undefined).toBe(faults.length > 0)
  return faults.map(describeFault)
}

/** What is wrong with one input among good ones. */
export async function faultOf(input: InputName, value: string): Promise<string> {
  const faults = await faultsOf({ [input]: value })
  expect(faults).toHaveLength(1)
  const [fault = ''] = faults
  expect(fault.startsWith(`${input}: `)).toBe(true)
  return fault.slice(`${input}: `.length)
}
