// What is done to texts, with all that loads slowly. Loaded in a worker.
import type { RepositoryName } from './addresses.ts'
import { applyEdits, commentEdits, parseMarkdown } from './markdown.ts'
import { findSection, refuseOthers } from './sections.ts'
import { strip } from './strip.ts'
import { normalize } from './text.ts'
import type { ChangelogFile } from './titles.ts'
import { findEscapedLine, findPointer } from './unfinished.ts'

/** What is done to a text. */
export type Task =
  | Readonly<{ kind: 'write'; text: string; links: 'keep' | 'strip'; repository: RepositoryName }>
  | Readonly<{ kind: 'render' | 'escaped'; text: string }>
  | Readonly<{ kind: 'pointer'; text: string; repository: RepositoryName }>
  | Readonly<{ kind: 'section' | 'whole' } & ChangelogFile>

/** What came of it; an error crosses from the worker as plain data. */
export type TaskAnswer = Readonly<
  { text: string; removed: readonly string[] } | { refusal: string; advice: string }
>

/** Does a task. Throws an `ActionError`. */
export async function performTask(task: Task): Promise<TaskAnswer> {
  switch (task.kind) {
    case 'render':
      // Loads as slowly as all else, and few need it.
      return { text: (await import('./html.ts')).renderHtml(task.text), removed: [] }
    case 'escaped':
      return { text: findEscapedLine(task.text), removed: [] }
    case 'pointer':
      return { text: findPointer(task.text, task.repository), removed: [] }
    case 'section':
      return { text: findSection(task), removed: [] }
    case 'whole':
      refuseOthers(task)
      return { text: task.text, removed: [] }
    case 'write': {
      const hasComments = task.text.includes('<!--')
      const edits = hasComments ? commentEdits(task.text, parseMarkdown(task.text)) : []
      const text = normalize(applyEdits(task.text, edits))
      return task.links === 'strip' ? strip(text, task.repository) : { text, removed: [] }
    }
  }
}
