// Loaded before every test file. Properties try the same cases in every run (`PROPERTY_SEED` has them try others),
// and the debug commands of @actions/glob stay out of the output.
import { env, stdout } from 'node:process'
import fc from 'fast-check'

const { PROPERTY_SEED = '20260131' } = env

fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

const write = stdout.write.bind(stdout)
stdout.write = (text, ...others) => String(text).startsWith('::debug::') || write(text, ...others)
