// Which mode was chosen: by the step's input `mode`, or by the button of *Run workflow*. Pure.
import type { WorkflowEvent } from '../github/event.ts'
import { parseTag } from '../release/tag.ts'
import { MODE_NAMES, type Mode, modeIn } from '../report/modes.ts'
import { ActionError } from '../runner/action-error.ts'
import { parseBaseUrl } from '../runner/parsers.ts'
import { isPullRequest, type RunContext, type Runner } from '../runner/runner.ts'

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

/** The choices of the step and of the button. All of them may be wrong. */
export interface Choice {
  /** The step's own inputs, as they are written. */
  readonly stepMode: string
  readonly stepTag: string
  readonly button: Button
  /** The shop's address; empty if it is wrong. */
  readonly baseUrl: string
}

/** Reads the choices. Never throws. */
export function readChoice(
  { context, input }: Pick<Runner, 'context' | 'input'>,
  event: WorkflowEvent
): Choice {
  return {
    stepMode: input('mode'),
    stepTag: input('tag'),
    button: readButton(context, event),
    baseUrl: baseUrlIn(input('base-url'))
  }
}

function baseUrlIn(text: string): string {
  try {
    return parseBaseUrl(text)
  } catch {
    return ''
  }
}

/**
 * Reads what was chosen at *Run workflow* from the event, so that neither a missing line in the workflow nor a slip in it
 * makes a `check` publish.
 */
function readButton(
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
function usualMode({ button, stepTag }: Choice): Mode {
  return button.isBare && stepTag === '' ? 'check' : 'publish'
}

/** The mode of a step, as long as nothing is wrong with the choice. */
export function chosenMode(choice: Choice): Mode {
  return modeIn(choice.stepMode) ?? choice.button.mode ?? usualMode(choice)
}

/** Whether the step would publish, though another mode was chosen at the button. */
function overridesButton({ stepMode, button }: Choice): boolean {
  return stepMode === 'publish' && (button.mode ?? 'publish') !== 'publish'
}

/** Says how the chosen mode is wrong; empty if it is right. */
export function explainMode(choice: Choice): string {
  const { stepMode, button } = choice
  if (stepMode === '' && button.given !== undefined && button.mode === undefined) {
    const list = MODE_NAMES.map(one => `"${one}"`).join(', ')
    const what =
      button.given === '' ? 'empty' : `"${button.given}", which this action does not know`
    return `the button’s \`mode\` is ${what}: let the workflow offer ${list}`
  }

  if (overridesButton(choice)) {
    return `the step says "publish", and the button "${button.mode}": delete \`mode\` from the step`
  }
  return ''
}

/** The mode that was asked for, whatever is wrong with the run; undefined if a word was given that names none. */
export function askedMode(choice: Choice): Mode | undefined {
  const { stepMode, button } = choice
  // Where the step overrides the button, it is at fault.
  if (stepMode !== '' && !overridesButton(choice)) return modeIn(stepMode)
  return button.given === undefined ? usualMode(choice) : button.mode
}

/**
 * A run for a pull request or in a merge queue, which publishes nothing: it is skipped. One that is to publish is an error,
 * since it would be green, and send nothing, for ever: a workflow that listens to merged pull requests, say.
 */
export function faultInEvent(
  { stepMode, stepTag }: Choice,
  context: Pick<RunContext, 'eventName'>
): ActionError | undefined {
  if (!isPullRequest(context)) return undefined

  const message = 'A run for a pull request publishes nothing.'
  if (stepMode !== 'publish' && stepTag === '') return new ActionError('event-action', message)
  return new ActionError('event', message, {
    advice: 'Let this workflow start the publishing workflow instead, with the tag of the release.'
  })
}
