// Which mode was chosen: by the step's input `mode`, by the button of *Run workflow*, or by the event. Pure.
import { parseTag } from '../release/tag.ts'
import { at } from '../runner/json.ts'
import { isPullRequest, type RunContext } from '../runner/runner.ts'
import { MODE_NAMES, type Mode, modeIn } from './modes.ts'

/** The mode of a step that names none, where no button does. */
export function usualMode(context: Pick<RunContext, 'eventName'>): Mode {
  return isPullRequest(context) ? 'plan' : 'publish'
}

/** The choices at *Run workflow*. */
export interface Button {
  /** The mode as it is there; undefined if the workflow has no such input. */
  readonly given: string | undefined
  /** The mode that it names; undefined if it is none of ours. */
  readonly mode: Mode | undefined
  /** Empty without one. */
  readonly tag: string
}

/**
 * Reads what was chosen at *Run workflow* from the event, so that neither a missing line in the workflow nor a slip in it
 * makes a `check` publish.
 */
export function readButton({ eventName }: Pick<RunContext, 'eventName'>, payload: unknown): Button {
  const inputs = eventName === 'workflow_dispatch' ? at(payload, 'inputs') : undefined
  const textOf = (name: string) => String(at(inputs, name) ?? '').trim()
  const given = at(inputs, 'mode') === undefined ? undefined : textOf('mode')
  return { given, mode: modeIn(given), tag: parseTag(textOf('tag')) }
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

/** The mode that was asked for, whatever is wrong with the run; undefined if a word was given that names none. */
export function askedMode(
  step: string,
  button: Button,
  context: Pick<RunContext, 'eventName'>,
  isRehearsed: boolean
): Mode | undefined {
  // Where the step overrides the button, it is at fault.
  if (step !== '' && !overridesButton(step, button, isRehearsed)) return modeIn(step)
  return button.given === undefined ? usualMode(context) : button.mode
}
