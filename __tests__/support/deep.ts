// Owns how much the suite tries: `npm run test:deep` tries all of it, `npm test` a sample.
import { env } from 'node:process'

const { DEEP: deep = '' } = env

export const DEEP: boolean = deep === '1'
