// Makes the properties try the same cases in every run; `PROPERTY_SEED` has them try others.
import { env } from 'node:process'
import fc from 'fast-check'

const { PROPERTY_SEED = '20260131' } = env

fc.configureGlobal({ seed: Number(PROPERTY_SEED) })
