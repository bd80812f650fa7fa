// Owns the rules that the workflows of this repository keep, so that none can do more than it must.
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Finding } from './usage.ts'

/** What is wrong, and the place in the YAML where it stands. */
interface Breach {
  readonly at: unknown
  readonly message: string
}

/** Where a workflow of our own breaks a rule. */
export function findBreaches(workflow: string): Finding[] {
  const lines = new LineCounter()
  const { contents } = parseDocument(workflow, { lineCounter: lines })
  const fields = fieldsOf(contents)
  const permissions = fields.get('permissions')
  const breaches: Breach[] = [...fieldsOf(fields.get('jobs'))].flatMap(([name, job]) =>
    checkJob(name, job, workflow)
  )
  if (!isMap(permissions) || permissions.items.length > 0) {
    const message = 'the workflow needs `permissions: {}`; its jobs take what they need'
    breaches.push({ at: permissions, message })
  }
  if (!fields.has('concurrency')) {
    breaches.push({ at: contents, message: 'the workflow needs a `concurrency` group' })
  }
  return breaches
    .map(({ at, message }) => ({ line: lines.linePos(placeOf(at)?.[0] ?? 0).line, message }))
    .sort((a, b) => a.line - b.line)
}

function checkJob(name: string, job: unknown, text: string): Breach[] {
  const fields = fieldsOf(job)
  const permissions = fields.get('permissions')
  const ungranted = isMap(permissions)
    ? []
    : [{ at: job, message: `the job "${name}" needs \`permissions\` of its own` }]
  const silent = [...fieldsOf(permissions)]
    .filter(([, grant]) => commentAfter(grant, text) === '')
    .map(([scope, at]) => {
      return { at, message: `the grant "${scope}" needs its reason in a comment behind it` }
    })
  // A job that calls a workflow has neither steps nor a limit.
  const endless =
    fields.has('timeout-minutes') || fields.has('uses')
      ? []
      : [{ at: job, message: `the job "${name}" needs \`timeout-minutes\`` }]
  const steps = fields.get('steps')
  const wrong = isSeq(steps) ? steps.items.flatMap(step => checkStep(step, text)) : []
  return [...ungranted, ...silent, ...endless, ...wrong]
}

function checkStep(step: unknown, text: string): Breach[] {
  const fields = fieldsOf(step)
  const run = fields.get('run')
  if (textOf(run).includes('${{')) {
    const message = 'an expression would be filled in before the shell reads the script: use `env`'
    return [{ at: run, message }]
  }
  const uses = fields.get('uses')
  const action = textOf(uses)
  if (action === '' || action.startsWith('./')) return []
  const breaches: Breach[] = []
  if (!/@[0-9a-f]{40}$/.test(action) || !/^v\d+\.\d+\.\d+$/.test(commentAfter(uses, text))) {
    const message = `"${action}" needs its full commit id, and its version in a comment behind it`
    breaches.push({ at: uses, message })
  }
  const keeps = textOf(fieldsOf(fields.get('with')).get('persist-credentials'))
  if (action.startsWith('actions/checkout@') && keeps !== 'false') {
    breaches.push({ at: uses, message: 'a checkout needs `persist-credentials: false`' })
  }
  return breaches
}

function fieldsOf(node: unknown): ReadonlyMap<string, unknown> {
  return new Map(isMap(node) ? node.items.map(({ key, value }) => [textOf(key), value]) : [])
}

function textOf(node: unknown): string {
  return isScalar(node) ? String(node.value) : ''
}

function placeOf(node: unknown) {
  return isNode(node) ? node.range : undefined
}

/** The comment on the line on which a value ends. */
function commentAfter(node: unknown, text: string): string {
  const rest = text.slice(placeOf(node)?.[1] ?? text.length).split('\n', 1)[0] ?? ''
  return /^\s+#\s*(.*?)\s*$/.exec(rest)?.[1] ?? ''
}
