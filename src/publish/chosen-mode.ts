// Which mode was chosen: by the step's input `mode`, by the button of *Run workflow*, or by the event. Pure.
import type { WorkflowEvent } from '../github/event.ts'
import { parseTag } from '../release/tag.ts'
import { MODE_NAMES, type Mode, modeIn } from '../report/modes.ts'
import { parseBaseUrl } from '../runner/parsers.ts'
import { isPullRequest, type RunContext, type Runner } from '../runner/runner.ts'
import { isLocal } from '../shop/request.ts'

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
function usualMode({ button, stepTag }: Choice, context: Pick<RunContext, 'eventName'>): Mode {
  if (isPullRequest(context)) return 'plan'
  return button.isBare && stepTag === '' ? 'check' : 'publish'
}

/** The mode of a step, as long as nothing is wrong with the choice. */
export function chosenMode(choice: Choice, context: Pick<RunContext, 'eventName'>): Mode {
  return modeIn(choice.stepMode) ?? choice.button.mode ?? usualMode(choice, context)
}

/**
 * Whether the step would publish at a real shop, though another mode was chosen at the button. A rehearsal publishes to a
 * simulated one whatever the button says.
 */
function overridesButton({ stepMode, button, baseUrl }: Choice): boolean {
  const isRehearsed = isLocal(baseUrl)
  return stepMode === 'publish' && (button.mode ?? 'publish') !== 'publish' && !isRehearsed
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
export function askedMode(
  choice: Choice,
  context: Pick<RunContext, 'eventName'>
): Mode | undefined {
  const { stepMode, button } = choice
  // Where the step overrides the button, it is at fault.
  if (stepMode !== '' && !overridesButton(choice)) return modeIn(stepMode)
  return button.given === undefined ? usualMode(choice, context) : button.mode
}
