// Stryker's settings. `run.ts` passes what is mutated; and which tests run, by the environment.
import process from 'node:process'

const PLUGIN = './node_modules/@stryker-mutator/jest-runner/dist/src/index.js'

export default {
  testRunner: 'jest',
  plugins: [new URL(PLUGIN, import.meta.url).href],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    configFile: 'jest.config.js',
    enableFindRelatedTests: false,
    config: { testMatch: JSON.parse(process.env.MUTATION_TESTS ?? '[]'), maxWorkers: 1 }
  },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['mutation', 'dist', 'build', 'bench'],
  tempDirName: 'mutation/.tmp',
  // TypeScript 7 has no interface for programs, which Stryker would ask.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false, skipFull: true },
  jsonReporter: { fileName: 'mutation/.tmp/report.json' },
  thresholds: { high: 95, low: 85, break: 85 }
}
