// Owns a runner that writes down what a run printed, set and summed up, in the form that the real one prints.

import type { Log, Runner } from '../../src/runner/runner.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { harmless, oneLine, openSecrets, quoted } from '../../src/runner/text.ts'

export interface Recording {
  /** As printed; nothing that the door prints for itself is missing. */
  readonly stdout: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  readonly failed: boolean
}

export interface RecorderOptions {
  readonly inputs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly workspace: string
  readonly payload: unknown
  readonly cancelled?: AbortSignal
}

/** Opens the recorder. */
export function openRecorder(options: RecorderOptions): {
  readonly runner: Runner
  readonly recording: () => Recording
} {
  const lines: string[] = []
  const outputs: Record<string, string> = {}
  let summary = ''
  let failed = false
  const { add, conceal } = openSecrets()
  const annotate = (kind: string) => (text: string, title?: string) => {
    const heading = title === undefined ? '' : ` title=${property(oneLine(conceal(title)))}`
    lines.push(`::${kind}${heading}::${data(harmless(conceal(text)))}`)
  }
  const log: Log = {
    info: text => void lines.push(harmless(conceal(text))),
    block: text => void lines.push(quoted(conceal(text))),
    debug: annotate('debug'),
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    group: async (name, body) => {
      lines.push(`::group::${data(oneLine(conceal(name)))}`)
      return await body().finally(() => lines.push('::endgroup::'))
    }
  }
  const runner: Runner = {
    ...log,
    context: contextOf(options.env, options.workspace),
    cancelled: options.cancelled ?? new AbortController().signal,
    input: name => (options.inputs[name] ?? '').trim(),
    payload: () => Promise.resolve(options.payload),
    mask: add,
    conceal,
    output: (name, value) => {
      outputs[name] = conceal(value)
    },
    summary: async text => {
      summary = conceal(text)
    },
    fail: () => {
      failed = true
    }
  }
  const recording = () => ({ stdout: `${lines.join('\n')}\n`, outputs, summary, failed })
  return { runner, recording }
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
