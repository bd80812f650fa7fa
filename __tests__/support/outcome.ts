// Owns what is left of a step at its end: outputs, state, summary, and whether it failed.
import type { Manifest } from '../../scripts/manifest.ts'
import type { ChildEnd } from './child.ts'
import type { StepTexts } from './environment.ts'
import { MAX_OUTPUT_BYTES, MAX_SUMMARY_BYTES, measureOutputs, parsePairs } from './files.ts'
import type { Log, LogReader } from './log.ts'
import type { Masker } from './masks.ts'

/** What a run did. */
export interface Run extends Log {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** As printed, nothing masked. */
  readonly stdout: string
  readonly stderr: string
  /** What is wrong with the output file, or with its size. */
  readonly outputsError?: string
  /** Outputs that a job would drop, since they hold something masked. */
  readonly maskedOutputs: readonly string[]
  readonly undeclaredOutputs: readonly string[]
  readonly missingOutputs: readonly string[]
  readonly unexpectedInputs: readonly string[]
  /** As shown: masked, and empty when it was too large. */
  readonly summary: string
  readonly summaryDropped: boolean
  /** Variables and paths set for later steps. */
  readonly exported: Readonly<Record<string, string>>
  readonly paths: readonly string[]
  readonly raw: StepTexts
  readonly conclusion: 'success' | 'failure'
}

/** How the process ended, and all that it printed. */
export interface Printed extends ChildEnd {
  readonly stdout: string
  readonly stderr: string
}

/** Reads the files that a step left, and judges it. */
export function concludeRun(
  manifest: Manifest,
  reader: LogReader,
  printed: Printed,
  raw: StepTexts,
  unexpectedInputs: readonly string[]
): Run {
  const { page } = reader
  const read = (name: 'output' | 'state' | 'env') => {
    const file = parsePairs(raw[name])
    if (file.error !== undefined) {
      page.fault(`Unable to process file command '${name}' successfully. ${file.error}`)
    }
    return file
  }
  const output = read('output')
  const state = read('state')
  const exported = read('env')
  if ('NODE_OPTIONS' in exported.pairs) {
    page.annotate({
      kind: 'error',
      message: "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command."
    })
  }
  const summaryDropped = Buffer.byteLength(raw.summary) > MAX_SUMMARY_BYTES
  if (summaryDropped)
    page.annotate({
      kind: 'error',
      message: '$GITHUB_STEP_SUMMARY upload aborted, supports up to 1024k.'
    })

  const outputs = { ...reader.finish().outputs, ...output.pairs }
  const tooLarge = measureOutputs(outputs) > MAX_OUTPUT_BYTES
  if (tooLarge) page.fault('The outputs hold more than 1 MB.')
  const outputsError = output.error ?? (tooLarge ? 'The outputs hold more than 1 MB.' : undefined)

  const log = reader.finish()
  const names = Object.keys(outputs)
  return {
    ...log,
    ...printed,
    outputs,
    ...(outputsError === undefined ? {} : { outputsError }),
    maskedOutputs: names.filter(name => page.masker.mask(outputs[name] ?? '') !== outputs[name]),
    undeclaredOutputs: names.filter(name => !manifest.outputs.has(name)),
    missingOutputs: [...manifest.outputs.keys()].filter(name => !Object.hasOwn(outputs, name)),
    unexpectedInputs,
    state: { ...log.state, ...state.pairs },
    summary: summaryDropped ? '' : maskLines(raw.summary, page.masker),
    summaryDropped,
    exported: exported.pairs,
    paths: raw.path.split(/\r?\n/).filter(line => line !== ''),
    raw,
    conclusion: printed.exitCode === 0 && log.faults.length === 0 ? 'success' : 'failure'
  }
}

/** The runner masks a summary line by line. */
function maskLines(text: string, masker: Masker): string {
  return text.replace(/[^\r\n]+/g, line => masker.mask(line))
}
