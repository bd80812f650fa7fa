// Loaded before a measured process: writes down its peak memory when it ends.
import { readFileSync, writeFileSync } from 'node:fs'
import process, { env } from 'node:process'

const { PEAK_FILE = '' } = env

/** In bytes. Linux counts in the figure of getrusage what the parent held, so its own is read instead. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

process.on('exit', () => writeFileSync(PEAK_FILE, String(peak())))
