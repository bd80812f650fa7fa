// How much the suite tries: `npm run test:deep` tries all of it, `npm test` a sample.
import { env } from 'node:process'

const { DEEP: deep = '' } = env

export const DEEP: boolean = deep === '1'

/** How many runs a property gets: a few in `npm test`, many in the deep suite. */
export function pick(few: number, many: number): number {
  return DEEP ? many : few
}

/** A few of many forms of one thing in `npm test`, the first ones; all of them in the deep suite. */
export function sampleOf<T>(all: readonly T[], few = 3): readonly T[] {
  return DEEP ? all : all.slice(0, few)
}
