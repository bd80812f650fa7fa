// Loaded before a measured process: writes down its peak memory when it ends.
import { readFileSync, writeFileSync } from 'node:fs'
import process, { env } from 'node:process'

const { PEAK_FILE = '' } = env

process.on('exit', () => {
  // On Linux, the figure of getrusage includes the parent's memory, so the process's own is read instead.
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
  // In KiB.
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  writeFileSync(PEAK_FILE, String(Number(peak) * 1024))
})
