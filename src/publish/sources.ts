// Where the parts of a publication come from.
import type { GitHub } from '../github/github.ts'
import type { Asked } from '../report/asked.ts'
import type { Runner } from '../runner/runner.ts'
import type { Clock } from './clock.ts'
import type { PublishConfig } from './config.ts'

/** Where the parts of a publication come from: the step, the workspace, the release. */
export interface Sources {
  readonly runner: Runner
  readonly asked: Asked
  readonly config: PublishConfig
  readonly github: GitHub
  readonly clock: Clock
  /** Runs at the end: closes files, and removes what was downloaded. */
  readonly endings: AsyncDisposableStack
}
