// Owns how the runner reads the files that a step writes: outputs, state, environment, summary.

/** What a file held up to its first fault, and that fault. */
export interface PairsFile {
  readonly pairs: Readonly<Record<string, string>>
  readonly error?: string
}

/** The largest summary that the runner takes, in bytes. */
export const MAX_SUMMARY_BYTES = 1_048_576

/** The most that all outputs of a job may hold, counted in UTF-16. */
export const MAX_OUTPUT_BYTES = 1_048_576

/** Reads `NAME=VALUE` lines and `NAME<<END` blocks; pairs before a fault still count. */
export function parsePairs(text: string): PairsFile {
  const pairs = new Map<string, string>()
  const lines = readFileLines(text.replace(/^\uFEFF/, ''))
  const result = (error?: string): PairsFile => ({
    pairs: Object.fromEntries(pairs),
    ...(error === undefined ? {} : { error })
  })
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (equals < 0 && heredoc < 0) return result(`Invalid format '${line}'`)
    if (heredoc < 0 || (equals >= 0 && equals < heredoc)) {
      if (equals === 0) return result(`Invalid format '${line}'. Name must not be empty`)
      pairs.set(line.slice(0, equals), line.slice(equals + 1))
      continue
    }
    const name = line.slice(0, heredoc)
    const delimiter = line.slice(heredoc + 2)
    if (name === '' || delimiter === '') {
      return result(`Invalid format '${line}'. Name and delimiter must not be empty`)
    }
    const end = lines.indexOf(delimiter, index + 1)
    if (end < 0) return result(`Invalid value. Matching delimiter not found '${delimiter}'`)
    pairs.set(name, lines.slice(index + 1, end).join('\n'))
    index = end
  }
  return result()
}

/** The size that counts against the limit of a job's outputs. */
export function measureOutputs(outputs: Readonly<Record<string, string>>): number {
  return Object.values(outputs).reduce((bytes, value) => bytes + 2 * value.length, 0)
}

// Only LF ends a line here: outside Windows, a CR is part of the value.
function readFileLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
