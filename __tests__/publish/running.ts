// Owns a run for tests: a real workspace, a log that takes notes, and a GitHub of canned answers.

import type { Stream } from '../../src/file/asset.ts'
import { type GitHub, GitHubError } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'
import type { Run } from '../../src/publish/adapters.ts'
import type { Log, Runner } from '../../src/runner/runner.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { openSecrets } from '../../src/runner/text.ts'
import { makeFolder } from '../support/folders.ts'
import { type Given, inputsOf } from './given.ts'

/** A log that remembers, a line for each call with its kind before it. */
export function listen() {
  const lines: string[] = []
  const note = (kind: string) => (text: string, title?: string) => {
    lines.push([kind, ...(title === undefined ? [] : [title]), text].join(': '))
  }
  const log: Log = {
    info: note('info'),
    block: note('block'),
    debug: note('debug'),
    notice: note('notice'),
    warning: note('warning'),
    error: note('error'),
    group: (name, body) => {
      lines.push(`group: ${name}`)
      return body()
    }
  }
  return { log, lines }
}

/** A GitHub that answers these routes below the repository, and remembers what it was asked. */
export function openFake(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const answer = async (route: string, parameters: Readonly<Record<string, unknown>> = {}) => {
    const path = route.split('/{repo}')[1] ?? ''
    asked.push([path, ...Object.values(parameters)].join(' '))
    const data = path in answers ? answers[path] : missing
    if (data instanceof Error) throw data
    return { data, now: NOW }
  }
  const github: GitHub = {
    read: answer,
    write: () => Promise.reject(new Error('nothing may be written')),
    readAll: async (route, parameters) => {
      const { data, now } = await answer(route, parameters)
      if (!Array.isArray(data)) throw new GitHubError('answered no list', 200, false, undefined)
      return { items: data, now }
    },
    close: () => {}
  }
  return { github, asked }
}

export const NOW = Date.parse('2026-01-02T03:04:05Z')
export const missing = new GitHubError('GitHub answered 404', 404, true, undefined)
export const down = new GitHubError('GitHub answered 502', 502, false, undefined)

export interface RunOptions {
  readonly inputs?: Given
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** GitHub's, by the route below the repository; 404 for any other. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Undefined when nobody says. */
  readonly private?: boolean | undefined
  /** The bytes of attached files, by their id; an error breaks the download. */
  readonly assets?: Readonly<Record<number, Buffer | Error>>
  readonly env?: Readonly<Record<string, string>>
  readonly cancelled?: AbortSignal
}

/** Opens a run; `notes` is what was logged, `asked` what GitHub was asked. */
export async function openTestRun(options: RunOptions = {}) {
  const [workspace, temp] = [makeFolder(options.files), makeFolder()]
  const { log, lines } = listen()
  const { conceal } = openSecrets()
  const { github, asked } = openFake(options.answers ?? {})
  const env = { GITHUB_REPOSITORY: 'acme/gallery', RUNNER_TEMP: temp, ...options.env }
  const unexpected = () => {
    throw new Error('not for this test')
  }
  const runner: Runner = {
    ...log,
    context: contextOf(env, workspace),
    conceal,
    cancelled: options.cancelled ?? new AbortController().signal,
    ...{ input: unexpected, payload: unexpected, mask: unexpected, output: unexpected },
    ...{ summary: unexpected, fail: unexpected }
  }
  const streamed: number[] = []
  const streamAsset: Stream = async (id, receive) => {
    streamed.push(id)
    const content = options.assets?.[id] ?? down
    if (content instanceof Error) throw content
    receive(content)
  }
  const run: Run = {
    ...{ runner, connect, github, settling: github, streamAsset },
    releases: { ...github, isFailure: error => error instanceof GitHubError },
    inputs: await inputsOf(options.inputs),
    sleep: () => Promise.resolve(),
    isPrivate: () => Promise.resolve('private' in options ? options.private : true)
  }
  return { run, workspace, temp, notes: lines, asked, streamed }
}
