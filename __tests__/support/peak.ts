// Measures the memory of a process: loaded into it before its script, it writes down the peak when the process ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import process, { env } from 'node:process'
import { pathToFileURL } from 'node:url'

/** A process that is measured, and its peak. */
export interface Peak {
  /** The arguments that it needs. */
  readonly nodeArguments: readonly string[]
  /** The variables that it needs. */
  readonly env: Readonly<Record<string, string>>
  /** The peak of the last one, in MiB. */
  read(): Promise<number>
}

/** Measures peaks by a file in that folder. */
export function openPeak(folder: string): Peak {
  const file = path.join(folder, 'peak')
  return {
    nodeArguments: [`--import=${pathToFileURL(import.meta.filename)}`],
    env: { PEAK_FILE: file },
    read: async () => Number(await readFile(file, 'utf8')) / 1024 ** 2
  }
}

const { PEAK_FILE } = env
if (PEAK_FILE !== undefined) {
  process.on('exit', () => {
    // On Linux, the figure of getrusage includes the parent's memory, so the process's own is read instead.
    const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
    // In KiB.
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
    writeFileSync(PEAK_FILE, String(Number(peak) * 1024))
  })
}
