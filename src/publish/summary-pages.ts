// Which page of the documentation a summary leads to. Pure.
import type { Reason } from './report.ts'
import { linkTo } from './summary-text.ts'

const SKIPPED = [
  'troubleshooting.md#the-workflow-does-not-start-or-skips',
  'Runs that skip'
] as const
const DOUBT = ['re-runs.md#in-doubt', 'In doubt'] as const
const PAGES: Partial<Record<Reason, readonly [page: string, title: string]>> = {
  'already-published': ['re-runs.md', 'Re-runs'],
  'bad-input': ['inputs.md', 'Inputs'],
  'different-content': ['re-runs.md', 'Re-runs'],
  'event-action': SKIPPED,
  'in-doubt': DOUBT,
  'no-answer': DOUBT,
  'no-changelog': ['inputs.md#what-buyers-read', 'What buyers read'],
  'no-file': ['inputs.md#which-file', 'Which file'],
  'not-prerelease': SKIPPED,
  'not-sent': ['troubleshooting.md#connections-and-proxies', 'Connections and proxies'],
  permission: ['re-runs.md#permissions', 'Permissions'],
  prerelease: SKIPPED,
  'several-files': ['inputs.md#which-file', 'Which file'],
  'strange-answer': DOUBT
}

/** Where the documentation has more, by the reason; empty where there is nothing to add. */
export function pageFor(reason: Reason, documentation = ''): string {
  if (reason === '' || documentation === '') return ''
  const [page, title] = PAGES[reason] ?? ['troubleshooting.md', 'Troubleshooting']
  return `More: ${linkTo(`${documentation}/${page}`, title)}`
}
