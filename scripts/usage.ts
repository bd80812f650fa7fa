// Owns the check that a workflow uses our own actions as their action.yml files say.
import path from 'node:path'
import { isMap, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { type Manifest, ROOT } from './manifest.ts'

/** A fault, and the line that it stands in. */
export interface Finding {
  readonly line: number
  readonly message: string
}

/** The repository, by its name or, in the documentation, by what stands for it. */
const REPOSITORY = String.raw`(?:\.|OWNER\/REPO|[^/@]+\/publish-version)`
/** A job may call a workflow of ours in the same way. */
const NO_WORKFLOW = String.raw`(?!\/\.github\/workflows\/)`
const FOLDER = String.raw`(?:\/([^@]*?)\/?)?`
/** Such as `./sandbox`, `OWNER/REPO@v1` or, of any owner, `acme/publish-version/licenses@v1`. */
const ACTION = new RegExp(`^${REPOSITORY}${NO_WORKFLOW}${FOLDER}(?:@|$)`)

/** Such as `steps.publish.outputs.version_id`. */
const OUTPUT = /\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g

/** Inputs, outputs and paths of our actions that do not exist, and inputs left out. */
export function findMisuses(workflow: string, manifests: readonly Manifest[]): Finding[] {
  const lines = new LineCounter()
  const findings: Finding[] = []
  /** The actions that steps use, by the steps' ids. */
  const users = new Map<unknown, Manifest>()

  visit(parseDocument(workflow, { lineCounter: lines }), {
    Map: (_, step) => {
      const uses = String(step.get('uses'))
      const match = ACTION.exec(uses)
      if (match === null) return

      const [, folder = ''] = match
      const used = manifests.find(({ file }) => path.relative(ROOT, path.dirname(file)) === folder)
      if (used) users.set(step.get('id'), used)

      const faults = used ? findInputFaults(step, used) : [`there is no action at "${uses}"`]
      const { line } = lines.linePos(step.range?.[0] ?? 0)
      for (const message of faults) {
        findings.push({ line, message })
      }
    }
  })

  for (const [index, text] of workflow.split('\n').entries()) {
    for (const [, id = '', name = ''] of text.matchAll(OUTPUT)) {
      // Steps of other actions may have any outputs.
      const isThere = users.get(id)?.outputs.has(name) ?? true
      if (isThere) continue
      findings.push({ line: index + 1, message: `the step "${id}" has no output "${name}"` })
    }
  }
  return findings
}

function findInputFaults(step: YAMLMap, { inputs }: Manifest): string[] {
  const given = step.get('with')
  const keys = isMap(given) ? given.items.map(({ key }) => (isScalar(key) ? key.value : key)) : []
  const names = keys.map(String)

  const unknown = names.filter(name => !inputs.has(name))
  const missing = [...inputs].filter(([name, { required }]) => required && !names.includes(name))
  return [
    ...unknown.map(name => `the action has no input "${name}"`),
    ...missing.map(([name]) => `the required input "${name}" is missing`)
  ]
}
