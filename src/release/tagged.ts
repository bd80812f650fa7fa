// A tag with its release, as a run is about it.
import type { Release } from '../github/releases.ts'

/** A tag, with its release if it has one. The tag of a draft may not exist yet. */
export interface TaggedRelease {
  readonly tag: string
  readonly release: Release | undefined
  /** On a pull request: it is the newest release, in place of the next one. */
  readonly standsIn: boolean
  /** The release's name when the event happened, if it has another one now. */
  readonly renamedFrom?: string | undefined
  /** The tag started the run, so its commit is the run's own. */
  readonly ownCommit: boolean
}
