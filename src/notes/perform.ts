// Does the tasks that need a parser of Markdown, which loads slowly. Loaded in a worker.
import { throwIf } from '../runner/action-error.ts'
import type { RepositoryName } from './addresses.ts'
import type { ChangelogFile } from './changelog-file.ts'
import { applyEdits, commentEdits, parseMarkdown } from './markdown.ts'
import { faultInWhole } from './other-version.ts'
import { findSection } from './sections.ts'
import { strip } from './strip.ts'
import { normalize } from './text.ts'
import {
  findConflict,
  findEscapedLine,
  findPointer,
  findUnfilled,
  signatureEdits
} from './unfinished.ts'

/** Takes comments out of notes, and treats their links as asked. */
interface WriteTask {
  readonly kind: 'write'
  readonly text: string
  readonly links: 'keep' | 'strip'
  readonly repository: RepositoryName
}

/** Renders Markdown, or finds the line because of which a text is not finished. */
interface TextTask {
  readonly kind: 'render' | 'escaped' | 'conflict' | 'unfilled'
  readonly text: string
}

/** Finds whether a text only points to something of the repository. */
interface PointerTask {
  readonly kind: 'pointer'
  readonly text: string
  readonly repository: RepositoryName
}

/** Finds a version's section in a changelog file, or judges a file of one version. */
interface FileTask extends ChangelogFile {
  readonly kind: 'section' | 'whole'
}

/** Something that is done to a text. */
export type Task = WriteTask | TextTask | PointerTask | FileTask

/** A text that was found or written. */
export interface TaskText {
  readonly text: string
  /** Each piece that was taken out of notes. */
  readonly removed: readonly string[]
}

/** An error, which crosses from the worker as plain data. */
export interface TaskRefusal {
  readonly refusal: string
  readonly advice: string
}

export type TaskAnswer = TaskText | TaskRefusal

/** Does a task. Throws an `ActionError`. */
export async function performTask(task: Task): Promise<TaskAnswer> {
  switch (task.kind) {
    case 'render':
      // Loads as slowly as all else, and few need it.
      return { text: (await import('./html.ts')).renderHtml(task.text), removed: [] }
    case 'escaped':
      return { text: findEscapedLine(task.text), removed: [] }
    case 'conflict':
      return { text: findConflict(task.text), removed: [] }
    case 'unfilled':
      return { text: findUnfilled(task.text), removed: [] }
    case 'pointer':
      return { text: findPointer(task.text, task.repository), removed: [] }
    case 'section':
      return { text: findSection(task), removed: [] }
    case 'whole':
      throwIf(faultInWhole(task))
      return { text: task.text, removed: [] }
    case 'write':
      return write(task)
  }
}

function write({ text: source, links, repository }: WriteTask): TaskText {
  const isPlain = !source.includes('<!--') && !source.includes('SIGNATURE-----')
  const root = isPlain ? undefined : parseMarkdown(source)
  const signatures = root ? signatureEdits(source, root) : []
  const comments = root ? commentEdits(source, root) : []
  const text = normalize(applyEdits(source, [...comments, ...signatures]))

  const signed = signatures.map(({ start, end }) => source.slice(start, end))
  if (links === 'keep') return { text, removed: signed }
  const stripped = strip(text, repository)
  return { text: stripped.text, removed: [...signed, ...stripped.removed] }
}
