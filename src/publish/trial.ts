// Tries the files that a release will need, as far as a check can without a release.
import { relativeTo } from '../files/artifact.ts'
import { findFile } from '../files/find.ts'
import { filesBelow } from '../files/nearest.ts'
import { ActionError } from '../runner/action-error.ts'
import { quoteName } from '../runner/words.ts'
import { findMissing } from './changelog-source.ts'
import type { Environment } from './environment.ts'

/** The end of a trial, in sentences. */
export interface Trial {
  /** About files that are there now, and inputs that could not be tested. */
  readonly notes: readonly string[]
  /** About files without which a release would fail. */
  readonly warnings: readonly string[]
}

/** Looks for `file` and `changelog-file` in the workspace, as it is now. */
export async function tryFiles(env: Environment): Promise<Trial> {
  const { workspace } = env.runner.context
  const isEmpty = (await filesBelow(workspace)).length === 0
  const trials = [await tryFile(env, isEmpty), await tryChangelogFile(env, isEmpty)]
  return {
    notes: trials.flatMap(({ notes }) => notes),
    warnings: trials.flatMap(({ warnings }) => warnings)
  }
}

const note = (text: string): Trial => ({ notes: [text], warnings: [] })
const warning = (text: string): Trial => ({ notes: [], warnings: [text] })
const NOTHING: Trial = { notes: [], warnings: [] }

const EMPTY = 'the workspace is empty, since nothing was built or checked out before this step'

async function tryFile({ config, runner }: Environment, isEmpty: boolean): Promise<Trial> {
  const { workspace } = runner.context
  if (config.asset.length > 0) return note('`asset` was not tested: it needs a release.')
  if (config.file.length === 0) return NOTHING
  if (isEmpty) return note(`\`file\` was not tested: ${EMPTY}.`)

  // The version is not known, so it may be anything.
  const patterns = config.file.map(pattern => pattern.replace(/\{(?:tag|version)\}/g, '*'))
  try {
    const path = await findFile(patterns, workspace, config.file)
    return note(`\`file\` matches ${quoteName(relativeTo(workspace, path))} now.`)
  } catch (error) {
    if (!(error instanceof ActionError)) throw error
    return warning(`At a release, this would fail: ${error.message}`)
  }
}

async function tryChangelogFile({ config, runner }: Environment, isEmpty: boolean): Promise<Trial> {
  const { changelogFile } = config
  if (changelogFile === '') return NOTHING
  if (/\{(?:tag|version)\}/.test(changelogFile)) {
    return note('`changelog-file` was not tested: its path depends on the release.')
  }
  if (isEmpty) return note(`\`changelog-file\` was not tested: ${EMPTY}.`)

  const missing = await findMissing(changelogFile, runner.context.workspace)
  if (missing) return warning(`At a release, this would fail: ${missing.message}`)
  return note(
    '`changelog-file` is there; whether it has the version shows at a release, or in a plan.'
  )
}
