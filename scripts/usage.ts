// Owns the check that a workflow uses our own actions as their action.yml files say.
import path from 'node:path'
import { isMap, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { type Manifest, ROOT } from './manifest.ts'

/** A fault, and the line that it stands in. */
export interface Finding {
  readonly line: number
  readonly message: string
}

// Whoever owns the repository, its name is this.
const REPOSITORY = /^(?:\.|OWNER\/REPO|[^/@]+\/publish-version)(?:\/([^@]*))?(?:@|$)/

/** Inputs, outputs and paths of our actions that do not exist, and inputs left out. */
export function findMisuses(workflow: string, manifests: readonly Manifest[]): Finding[] {
  const lines = new LineCounter()
  const findings: Finding[] = []
  const users = new Map<string, Manifest>()
  visit(parseDocument(workflow, { lineCounter: lines }), {
    Map: (_, step) => {
      const uses = step.get('uses')
      const match = typeof uses === 'string' ? REPOSITORY.exec(uses) : null
      // A job may call one of our workflows the same way.
      if (match === null || match[1]?.startsWith('.github/workflows/')) return
      const line = lines.linePos(step.range?.[0] ?? 0).line
      const [, subfolder = ''] = match
      const folder = subfolder.replace(/\/$/, '')
      const manifest = manifests.find(
        ({ file }) => path.relative(ROOT, path.dirname(file)) === folder
      )
      if (manifest === undefined) {
        findings.push({ line, message: `there is no action at "${uses}"` })
        return
      }
      for (const message of findInputFaults(step, manifest)) findings.push({ line, message })
      const id = step.get('id')
      if (typeof id === 'string') users.set(id, manifest)
    }
  })
  return [...findings, ...findOutputFaults(workflow, users)]
}

function findInputFaults(step: YAMLMap, manifest: Manifest): string[] {
  const given = step.get('with')
  const names = isMap(given)
    ? given.items.map(({ key }) => String(isScalar(key) ? key.value : key))
    : []
  const unknown = names.filter(name => !manifest.inputs.has(name))
  const missing = [...manifest.inputs].filter(
    ([name, input]) => input.required && !names.includes(name)
  )
  return [
    ...unknown.map(name => `the action has no input "${name}"`),
    ...missing.map(([name]) => `the required input "${name}" is missing`)
  ]
}

function findOutputFaults(workflow: string, users: ReadonlyMap<string, Manifest>): Finding[] {
  return workflow
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
        ([, id = '', name = '']) =>
          (users.get(id)?.outputs.has(name) ?? true)
            ? []
            : [{ line: index + 1, message: `the step "${id}" has no output "${name}"` }]
      )
    )
}
