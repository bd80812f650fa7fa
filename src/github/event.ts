// The event that started the workflow: what is read of its payload, which GitHub has written.
import { at, textAt } from '../runner/json.ts'
import { parseRelease, type Release } from './releases.ts'

/** An event's payload, narrowed; absent texts are empty. */
export interface WorkflowEvent {
  /** Such as `released`. */
  readonly action: string
  /** The release of a release event; undefined in other events, or if it has no tag. */
  readonly release: Release | undefined
  /** The button's fields in a run by hand, their names in lower case; none if the workflow declares none. */
  readonly inputs: Readonly<Record<string, string>>
  /** Undefined if it does not say. */
  readonly isPrivate: boolean | undefined
}

/** Narrows an event's payload. */
export function parseEvent(payload: unknown): WorkflowEvent {
  const inputs = Object.entries(Object(at(payload, 'inputs')))
  return {
    action: textAt(payload, 'action'),
    release: parseRelease(at(payload, 'release')),
    // GitHub's own contexts ignore case: `Mode` is `inputs.mode`, too.
    inputs: Object.fromEntries(
      inputs.map(([name, value]) => [name.toLowerCase(), String(value ?? '')])
    ),
    isPrivate: isPrivateIn(at(payload, 'repository'))
  }
}

/** Whether a repository is private, as an event or an answer has it; undefined if it does not say. */
export function isPrivateIn(repository: unknown): boolean | undefined {
  const isPrivate = at(repository, 'private')
  return typeof isPrivate === 'boolean' ? isPrivate : undefined
}
