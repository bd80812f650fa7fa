// What every step of a run has at hand: the doors, the inputs, and what the event said.

import type { Retry, Stream } from '../file/download.ts'
import type { GitHub } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishInputs } from './inputs.ts'

/** Resolves after so many milliseconds, or rejects as soon as the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface Errand {
  readonly runner: Runner
  readonly inputs: PublishInputs
  readonly connect: Connect
  readonly github: GitHub
  /** The same for writes that settle a claim, which go on for a moment when the run is cancelled. */
  readonly settling: GitHub
  /** Streams a release's asset from GitHub. */
  readonly streamAsset: Stream
  readonly downloads: Retry
  readonly sleep: Sleep
  /** The event's payload; rejects when the file cannot be read. */
  payload(): Promise<unknown>
  /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
  isPrivate(): Promise<boolean | undefined>
}
