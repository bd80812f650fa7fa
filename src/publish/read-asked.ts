// Reads what a run was asked to do: which mode, by the step's input or by the button of *Run workflow*, and which tag. Pure.
import { parseEvent, type WorkflowEvent } from '../github/event.ts'
import { parseTag } from '../release/tag.ts'
import type { Asked, Button } from '../report/asked.ts'
import { MODE_NAMES, type Mode, modeIn } from '../report/modes.ts'
import { ActionError } from '../runner/action-error.ts'
import { findUndeclared } from '../runner/inputs.ts'
import { parseBaseUrl } from '../runner/parsers.ts'
import { isPullRequest, type RunContext, type Runner } from '../runner/runner.ts'

/** The choices of the step and of the button. All of them may be wrong. */
type Choice = Pick<Asked, 'stepMode' | 'stepTag' | 'button'>

/**
 * Reads what was asked for. Never throws: all of it may be wrong.
 * @param payload Of the event.
 * @param declared The names of the inputs.
 */
export function readAsked(
  { context, input }: Pick<Runner, 'context' | 'input'>,
  payload: unknown,
  declared: readonly string[]
): Asked {
  const event = parseEvent(payload)
  const choice: Choice = {
    stepMode: input('mode'),
    stepTag: parseTag(input('tag')),
    button: readButton(context, event)
  }

  const eventTag = choice.button.tag || event.release?.tag || tagIn(context.ref)

  // Someone who wrote `dry-run` or `status: draft` did not want to mail everybody.
  const isClear = findUndeclared(context, declared).length === 0
  return Object.freeze({
    ...choice,
    context,
    event,
    mode: isClear ? askedMode(choice) : undefined,
    eventTag,
    tag: choice.stepTag || eventTag,
    baseUrl: baseUrlIn(input('base-url'))
  })
}

function tagIn(ref: string): string {
  const [, tag = ''] = /^refs\/tags\/(.+)$/.exec(ref) ?? []
  return tag
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
  return {
    given,
    mode: modeIn(given),
    tag: parseTag(inputs.tag?.trim() ?? ''),
    isBare,
    others: Object.keys(inputs).filter(name => name !== 'mode' && name !== 'tag')
  }
}

/** The mode of a step, as long as nothing is wrong with the choice. */
export function chosenMode(choice: Choice): Mode {
  return modeIn(choice.stepMode) ?? choice.button.mode ?? usualMode(choice)
}

/**
 * The mode where neither the step nor the button names one. A button without fields cannot say which release, so on a branch
 * it checks, unless the step has a tag; on a tag, it publishes that tag's release.
 */
function usualMode({ button, stepTag }: Choice): Mode {
  return button.isBare && stepTag === '' ? 'check' : 'publish'
}

/** The mode that was asked for, whatever is wrong with the run; undefined if it is not clear. */
function askedMode(choice: Choice): Mode | undefined {
  const { stepMode, button } = choice
  // Where the step overrides the button, it is at fault.
  if (stepMode !== '' && !overridesButton(choice)) return modeIn(stepMode)
  if (hidesMode(choice)) return undefined
  return button.given === undefined ? usualMode(choice) : button.mode
}

/** A button whose mode may be in a field of another name, such as `action` or `dry_run`. */
function hidesMode({ stepMode, button }: Choice): boolean {
  return stepMode === '' && button.given === undefined && button.others.length > 0
}

/** Whether the step would publish, though another mode was chosen at the button. */
function overridesButton({ stepMode, button }: Choice): boolean {
  return stepMode === 'publish' && (button.mode ?? 'publish') !== 'publish'
}

/** Describes how the step's tag is another one than the event's; empty if it is not. */
export function describeWrongTag({ stepTag, eventTag }: Asked): string {
  if (stepTag === '' || eventTag === '' || stepTag === eventTag) return ''
  return `"${stepTag}" is not the tag that this run is about, "${eventTag}": leave \`tag\` out, since the step takes that one by itself`
}

/** Describes how the chosen mode is wrong; empty if it is right. */
export function describeWrongMode(choice: Choice): string {
  const { stepMode, button } = choice
  if (stepMode === '' && button.given !== undefined && button.mode === undefined) {
    const list = MODE_NAMES.map(one => `"${one}"`).join(', ')
    const what =
      button.given === '' ? 'empty' : `"${button.given}", which this action does not know`
    return `the button’s \`mode\` is ${what}: let the workflow offer ${list}`
  }

  if (hidesMode(choice)) {
    const names = button.others.map(name => `\`${name}\``).join(', ')
    return `the button’s form has ${names}, and no field \`mode\`: call the field that decides \`mode\`; if none does, add the line \`mode: publish\` to the step`
  }

  if (overridesButton(choice)) {
    return `the step says "publish", and the button "${button.mode}": delete \`mode\` from the step`
  }
  return ''
}

/**
 * A run for a pull request or in a merge queue, which publishes nothing: it is skipped. One that is to publish is an error,
 * since it would be green, and send nothing, forever: a workflow that listens to merged pull requests, say.
 */
export function faultInEvent({ context, stepMode, stepTag }: Asked): ActionError | undefined {
  if (!isPullRequest(context)) return undefined

  const message = 'A run for a pull request publishes nothing.'
  if (stepMode !== 'publish' && stepTag === '') return new ActionError('event-action', message)
  return new ActionError('event', message, {
    advice: 'Let this workflow start the publishing workflow instead, with the tag of the release.'
  })
}
