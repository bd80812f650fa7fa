// Tries the files that a release will need, as far as a check can without a release.
import { openArtifact } from '../files/artifact.ts'
import { filesBelow, findFile } from '../files/find.ts'
import { inspectFile } from '../files/inspect.ts'
import { fillAny } from '../files/patterns.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { quoteName } from '../runner/words.ts'
import { findMissing } from './changelog-source.ts'
import type { PublishConfig } from './config.ts'
import type { Step } from './environment.ts'

/** The end of a trial, in sentences. */
export interface Trial {
  /** About files that are there now, and inputs that could not be tested. */
  readonly notes: readonly string[]
  /** About files without which a release would fail. */
  readonly warnings: readonly string[]
}

/** Looks for `file` and `changelog-file` in the workspace, as it is now. */
export async function tryFiles(step: Step): Promise<Trial> {
  const { workspace } = step.runner.context
  const isEmpty = (await filesBelow(workspace)).length === 0
  const trials = [await tryFile(step, isEmpty), await tryChangelogFile(step, isEmpty)]
  return {
    notes: trials.flatMap(({ notes }) => notes),
    warnings: trials.flatMap(({ warnings }) => warnings)
  }
}

const note = (text: string): Trial => ({ notes: [text], warnings: [] })
const warning = (text: string): Trial => ({ notes: [], warnings: [text] })
const NOTHING: Trial = { notes: [], warnings: [] }

const NO_FILE =
  'At a release, this would fail: neither `file` nor `asset` is given, and one of them has to say which file is sent.'

const EMPTY = 'the workspace is empty, since nothing was built or checked out before this step'

async function tryFile({ config, runner }: Step, isEmpty: boolean): Promise<Trial> {
  if (config.asset.length > 0) return note('`asset` was not tested: it needs a release.')
  if (config.file.length === 0) return warning(NO_FILE)
  if (isEmpty) return note(`\`file\` was not tested: ${EMPTY}.`)

  try {
    const path = await openAndTry(config, runner.context)
    return note(`\`file\` matches ${quoteName(path)} now.`)
  } catch (error) {
    if (!(error instanceof ActionError)) throw error
    const isOpen = error.reason === 'several-files' && config.file.some(it => it !== fillAny(it))
    if (isOpen) return note(SEVERAL)
    return warning(`At a release, this would fail: ${error.message}`)
  }
}

const SEVERAL =
  '`file` matches several files, with any version in its place; which one shows at a release, or in a plan.'

/** Returns the path of the file. Throws an `ActionError` if it could not be published. */
async function openAndTry(config: PublishConfig, context: RunContext): Promise<string> {
  const { workspace, temp } = context
  const path = await findFile(config.file.map(fillAny), workspace)
  const file = await openArtifact(path, workspace, [workspace, temp])
  try {
    const lines = config.contents.map(fillAny)
    const names = { tag: '', version: '' }
    await inspectFile(file, { lines, names, versions: undefined })
    return file.path
  } finally {
    await file.close()
  }
}

async function tryChangelogFile({ config, runner }: Step, isEmpty: boolean): Promise<Trial> {
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
