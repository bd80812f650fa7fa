/** Jest runs the TypeScript sources as native ES modules; Node itself strips the types. */
export default {
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/__tests__/support/strip-types.js' },
  setupFiles: ['<rootDir>/__tests__/support/loopback-only.ts'],
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/build', '<rootDir>/dist'],
  watchman: false
}
