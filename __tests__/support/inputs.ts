// Owns the inputs that the runner gives to an action.
import type { Manifest } from '../../scripts/manifest.ts'

/** What a step's inputs become. */
export interface ResolvedInputs {
  /** Every `INPUT_…` variable. */
  readonly env: Readonly<Record<string, string>>
  /** Inputs given, but not declared. The runner warns, and hands them on. */
  readonly unexpected: readonly string[]
}

/** Merges the inputs given with the defaults; an empty value given beats a default. */
export function resolveInputs(
  manifest: Manifest,
  given: Readonly<Record<string, string>>,
  github: ReadonlyMap<string, string>
): ResolvedInputs {
  const declared = new Set([...manifest.inputs.keys()].map(name => name.toLowerCase()))
  const values = new Map(Object.entries(given).map(([name, value]) => [variableName(name), value]))
  for (const [name, input] of manifest.inputs) {
    const variable = variableName(name)
    if (!values.has(variable)) values.set(variable, evaluateDefault(input.default ?? '', github))
  }
  return {
    env: Object.fromEntries(values),
    unexpected: Object.keys(given).filter(name => !declared.has(name.toLowerCase()))
  }
}

function variableName(input: string): string {
  return `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`
}

function evaluateDefault(text: string, github: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const name = /^\s*github\.(\w+)\s*$/.exec(expression)?.[1]
    const value = name === undefined ? undefined : github.get(name)
    if (value === undefined) throw new Error(`Cannot evaluate the default \${{${expression}}}`)
    return value
  })
}
