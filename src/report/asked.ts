// The request that a run answers, by the step, the button and the event.
import type { WorkflowEvent } from '../github/event.ts'
import type { RunContext } from '../runner/runner.ts'
import type { Mode } from './modes.ts'

/** The request that a run answers: read once, before anything is known to be right. Unknown texts are empty. */
export interface Asked {
  readonly context: RunContext
  readonly event: WorkflowEvent
  /** The step's own input `mode`, as it is written, and its `tag`. */
  readonly stepMode: string
  readonly stepTag: string
  readonly button: Button
  /** The mode that was asked for, whatever is wrong with the run; undefined if it is not clear. */
  readonly mode: Mode | undefined
  /** The tag that the event is about, or the button's field; empty without one. */
  readonly eventTag: string
  /** The tag that the run is for, as far as its inputs and its event say. */
  readonly tag: string
  /** The shop's address; empty if it is wrong. */
  readonly baseUrl: string
}

/** The choices at *Run workflow*. */
export interface Button {
  /** The mode as it is there; undefined if the workflow has no such input. */
  readonly given: string | undefined
  /** The mode that it names; undefined if it is none of ours. */
  readonly mode: Mode | undefined
  /** Empty without one. */
  readonly tag: string
  /** It was pressed on a branch, and has no fields at all. */
  readonly isBare: boolean
  /** The names of its fields other than `mode` and `tag`. */
  readonly others: readonly string[]
}
