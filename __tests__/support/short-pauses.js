// Loaded into every process of `npm run play`: an action pauses for a tenth of its time. Plain JavaScript, as
// loopback-only.js is.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const { setTimeout } = timers

timers.setTimeout = (ms, ...others) => setTimeout(ms / 10, ...others)
syncBuiltinESMExports()
