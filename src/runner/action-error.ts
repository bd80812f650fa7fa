// The one error for users: thrown where something is found to be wrong, and made a result in one place. Pure.

/** Why a run did not do what it was for: stable words, which workflows may compare. */
export const REASONS = [
  // The release is not meant to be published by this run.
  'draft',
  'event',
  'event-action',
  'prerelease',
  'not-prerelease',
  'unmarked-prerelease',
  // The inputs, the release, or its text.
  'bad-input',
  'commit',
  'no-changelog',
  // The file.
  'bad-file',
  'file-changed',
  'file-version',
  'no-file',
  'several-files',
  // The file that the licenses go into.
  'output',
  // The version, by the record.
  'already-published',
  'different-content',
  'in-doubt',
  'busy',
  'withheld',
  'lower-version',
  'no-record',
  // The record itself.
  'permission',
  // The shop.
  'inconclusive',
  'no-answer',
  'not-sent',
  'rejected',
  'strange-answer',
  // Everything else.
  'github',
  'cancelled',
  'internal'
] as const
export type Reason = (typeof REASONS)[number]

/** How a failure is mended: the advice on how to go on depends on it. */
export type Remedy = 'run again' | 'edit release' | 'correct workflow'

/** A complaint about one input or one field. No message may quote a credential. */
export interface Complaint {
  /** The name of the input or the field. */
  readonly place: string
  readonly message: string
  /** Better advice than to correct the workflow, where this is all that is wrong. */
  readonly advice?: string
}

interface Details extends ErrorOptions {
  /** Advice in one sentence; empty if the reason's row in the documentation says it all. */
  readonly advice?: string
  /** Undefined where the advice says how to go on, or nothing mends it. */
  readonly remedy?: Remedy | undefined
  /** One for each input or field that is wrong. */
  readonly complaints?: readonly Complaint[]
}

/** Ends a run with a reason. Its message is one or two sentences for users, and quotes the culprit. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly reason: Reason
  readonly advice: string
  readonly remedy: Remedy | undefined
  readonly complaints: readonly Complaint[]

  constructor(reason: Reason, message: string, details: Details = {}) {
    const { advice = '', remedy, complaints = [], cause } = details
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.advice = advice
    this.remedy = remedy
    this.complaints = complaints
  }
}

/** Throws what was found to be wrong. */
export function throwIf(fault: ActionError | undefined): void {
  if (fault) throw fault
}
