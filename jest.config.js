import { availableParallelism } from 'node:os'
import { env } from 'node:process'

const { DEEP } = env
const slowest = '<rootDir>/__tests__/support/slowest.js'

/** Jest runs the TypeScript sources as native ES modules; Node itself strips the types. */
export default {
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/__tests__/support/strip-types.js' },
  setupFiles: ['loopback-only', 'each-file'].map(name => `<rootDir>/__tests__/support/${name}.js`),
  // These tests mostly wait for processes and sockets. A number, since Jest takes `200%` for 200.
  maxWorkers: 2 * availableParallelism(),
  testEnvironment: '<rootDir>/__tests__/support/environment.js',
  reporters: DEEP === '1' ? ['default', slowest] : ['default'],
  // Whole processes run in many of them, on machines that may be busy.
  testTimeout: 30_000,
  modulePathIgnorePatterns: ['<rootDir>/build', '<rootDir>/dist'],
  // These need other people's servers: `npm run test:servers`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/__tests__/servers/'],
  watchman: false
}
