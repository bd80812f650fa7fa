// The clocks of one run, and its pauses.
import type { Stopwatch } from '../ledger/ledger.ts'

/** The clocks of a run. */
export interface Clock {
  stopwatch(): Stopwatch
  /** Pauses for `ms` milliseconds; rejects when the run is canceled, or the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The same, also in a canceled run, as long as it may write how its claim ended. */
  settlingPause(ms: number): Promise<void>
  /** Fires when a canceled run may not write that anymore. */
  readonly settled: AbortSignal
}

/** The parts of a clock. */
export interface ClockParts {
  /** Fires when the run is canceled. */
  readonly cancelled: AbortSignal
  /** Resolves after `ms` milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** By the clocks of this machine when left out. */
  stopwatch?: (() => Stopwatch) | undefined
}

/** A canceled run has 7 seconds in all: the runner waits 7.5 from SIGINT to SIGTERM. */
const SETTLING_MS = 6500

/** Opens the clocks of a run. */
export function openClock({ cancelled, sleep, stopwatch = startStopwatch }: ClockParts): Clock {
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_MS).unref()
  })

  return {
    stopwatch,
    sleep: (ms, signal = cancelled) => sleep(ms, AbortSignal.any([cancelled, signal])),
    settlingPause: ms => sleep(ms, settled.signal),
    settled: settled.signal
  }
}

/** Starts measuring by this machine's clocks. */
function startStopwatch(): Stopwatch {
  const steady = performance.now()
  const wall = Date.now()
  const atLeast = () => performance.now() - steady
  // `performance.now` stops while Linux sleeps; the other clock does not, but can be set.
  return { atLeast, atMost: () => Math.max(atLeast(), Date.now() - wall) }
}
