// How a run ends early: it is canceled, or stopped by an error that nobody caught.
import { setTimeout } from 'node:timers/promises'

/** The uncaught error that aborted a signal; undefined for a canceled run. */
export function uncaughtErrorOf(reason: unknown): Error | undefined {
  return reason instanceof Error && reason.name !== 'AbortError' ? reason : undefined
}

/** The run was canceled, or stopped by an error that nobody caught. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  constructor() {
    super('the run was canceled')
  }
}

/** Resolves after `ms` milliseconds, or rejects with `CancelledError` as soon as the signal fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new CancelledError()
  })
}
