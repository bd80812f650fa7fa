// What the summary says about the whole run. Pure.
import type { Runner } from '../runner/runner.ts'

/** What a summary says about the whole run; what is not known is left out. */
export interface RunFacts {
  /** Stands first: another release stands in. */
  readonly note?: string
  /** Whether the shop is a stand-in on this machine. */
  readonly rehearsal?: boolean
  readonly tag?: string
  /** The product as the inputs name it, for a run that ended before there was a version. */
  readonly product?: string
  /** Such as `https://github.com/acme/gallery`. */
  readonly repositoryUrl?: string
  readonly runId?: string
  readonly runAttempt?: number
  /** The address of this action's documentation folder. */
  readonly documentation?: string
  readonly milliseconds?: number
}

/** What the summary says about the run, as far as it is known from the start. */
export function factsOf({ input, context }: Runner): RunFacts {
  const { serverUrl, repository, runId, runAttempt, ref, actionRepository, actionRef } = context
  const isTag = ref.startsWith('refs/tags/')
  const ids = [input('product').trim(), input('benefit').trim()].filter(id => /^\d+$/.test(id))
  return {
    tag: input('tag').trim() || (isTag ? ref.slice('refs/tags/'.length) : ''),
    product: ids.join(', benefit '),
    repositoryUrl: repository === '' ? '' : `${serverUrl}/${repository}`,
    runId,
    runAttempt,
    documentation:
      actionRepository === '' ? '' : `${serverUrl}/${actionRepository}/blob/${actionRef}/docs`
  }
}
