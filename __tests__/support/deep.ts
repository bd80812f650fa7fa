// Owns how much the suite tries: `npm run test:deep` tries all of it, `npm test` a sample.
import { env } from 'node:process'

const { DEEP: deep = '' } = env

export const DEEP: boolean = deep === '1'

/** How many runs a property gets: a few in `npm test`, many in the deep suite. */
export function pick(few: number, many: number): number {
  return DEEP ? many : few
}

/** Some rows of a table in `npm test`, from all over it; all of them in the deep suite. */
export function some<const T>(rows: readonly T[], few: number): readonly T[] {
  const step = Math.ceil(rows.length / few)
  return DEEP ? rows : rows.filter((_, index) => index % step === 0)
}
