// Loaded before every test file: the debug commands of @actions/glob stay out of the output.
import { stdout } from 'node:process'

const write = stdout.write.bind(stdout)
stdout.write = (text, ...others) => String(text).startsWith('::debug::') || write(text, ...others)
