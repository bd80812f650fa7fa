// Which mode was chosen: by the step's input `mode`, by the button of *Run workflow*, or by the event. Pure.
import type { WorkflowEvent } from '../github/event.ts'
import { parseTag } from '../release/tag.ts'
import { MODE_NAMES, type Mode, modeIn } from '../report/modes.ts'
import { isPullRequest, type RunContext } from '../runner/runner.ts'

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
}

/**
 * Reads what was chosen at *Run workflow* from the event, so that neither a missing line in the workflow nor a slip in it
 * makes a `check` publish.
 */
export function readButton(
  { eventName, ref }: Pick<RunContext, 'eventName' | 'ref'>,
  event: Pick<WorkflowEvent, 'inputs'>
): Button {
  const isPressed = eventName === 'workflow_dispatch'
  const inputs = isPressed ? event.inputs : {}
  const given = inputs.mode?.trim()

  const isOnBranch = !ref.startsWith('refs/tags/')
  const isBare = isPressed && isOnBranch && Object.keys(inputs).length === 0
  return { given, mode: modeIn(given), tag: parseTag(inputs.tag?.trim() ?? ''), isBare }
}

/**
 * The mode of a step that names none, where the button names none. A button without fields cannot say which release, so
 * on a branch it checks, unless the step has a tag; on a tag, it publishes that tag's release.
 */
export function usualMode(
  context: Pick<RunContext, 'eventName'>,
  button: Button,
  stepTag: string
): Mode {
  if (isPullRequest(context)) return 'plan'
  return button.isBare && stepTag === '' ? 'check' : 'publish'
}

/**
 * Whether the step would publish at a real shop, though another mode was chosen at the button. A rehearsal publishes to a
 * simulated one whatever the button says.
 */
function overridesButton(step: string, button: Button, isRehearsed: boolean): boolean {
  return step === 'publish' && (button.mode ?? 'publish') !== 'publish' && !isRehearsed
}

/** Says how the chosen mode is wrong; empty if it is right. `step`: the input `mode`, or empty. */
export function explainMode(step: string, button: Button, isRehearsed: boolean): string {
  if (step === '' && button.given !== undefined && button.mode === undefined) {
    const list = MODE_NAMES.map(one => `"${one}"`).join(', ')
    const what =
      button.given === '' ? 'empty' : `"${button.given}", which this action does not know`
    return `the button’s \`mode\` is ${what}: let the workflow offer ${list}`
  }

  if (overridesButton(step, button, isRehearsed)) {
    return `the step says "publish", and the button "${button.mode}": delete \`mode\` from the step`
  }
  return ''
}

/** The step's own inputs, as they are written. */
export interface StepChoice {
  readonly mode: string
  readonly tag: string
}

/** The mode that was asked for, whatever is wrong with the run; undefined if a word was given that names none. */
export function askedMode(
  step: StepChoice,
  button: Button,
  context: Pick<RunContext, 'eventName'>,
  isRehearsed: boolean
): Mode | undefined {
  // Where the step overrides the button, it is at fault.
  if (step.mode !== '' && !overridesButton(step.mode, button, isRehearsed)) {
    return modeIn(step.mode)
  }
  return button.given === undefined ? usualMode(context, button, step.tag) : button.mode
}
