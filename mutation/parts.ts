// What is mutated: the parts that decide, each with the tests that are to notice. Slow tests are left out: what
// only a simulation of thousands of worlds would notice is noticed too late.

export interface Part {
  /** Files in src/. */
  readonly sources: readonly string[]
  /** Files in __tests__/, without `.test.ts`. */
  readonly tests: readonly string[]
}

export const PARTS: Readonly<Record<string, Part>> = {
  ledger: {
    sources: ['ledger/ledger.ts', 'ledger/record.ts', 'ledger/commit.ts'],
    tests: ['ledger', 'record', 'last-look'].map(name => `ledger/${name}`)
  },
  tag: {
    sources: ['release/tag.ts', 'release/file-version.ts'],
    tests: ['release/tag', 'release/file-version']
  },
  event: {
    sources: ['release/event.ts'],
    tests: ['release/event', 'release/event-payload']
  },
  sections: {
    sources: ['release/section.ts', 'release/heading.ts'],
    tests: ['release/changelog-section']
  },
  changelog: {
    sources: [
      ...['changelog', 'rewrite', 'expand', 'strip', 'authorship', 'addresses', 'align'],
      ...['words', 'tidy', 'edits', 'ranges', 'raw-html', 'rendering']
    ].map(name => `release/${name}.ts`),
    tests: [
      ...['changelog', 'changelog-expand', 'changelog-strip', 'authorship', 'addresses', 'align'],
      ...['words', 'tidy', 'edits', 'ranges', 'rendering']
    ].map(name => `release/${name}`)
  },
  body: {
    sources: ['marketplace/body.ts', 'marketplace/base64.ts'],
    tests: ['body', 'base64', 'fragment', 'client'].map(name => `marketplace/${name}`)
  },
  answers: {
    sources: ['marketplace/version.ts', 'marketplace/retry.ts'],
    tests: ['marketplace/version', 'marketplace/retry']
  },
  inputs: {
    sources: [
      ...['publish/inputs.ts', 'publish/target-inputs.ts', 'publish/targets.ts'],
      ...['publish/naming.ts', 'publish/twins.ts', 'runner/values.ts', 'licenses/inputs.ts']
    ],
    tests: [
      ...['publish/inputs', 'publish/inputs-credentials', 'publish/target-inputs'],
      ...['publish/targets', 'publish/naming', 'publish/twins', 'runner/values', 'licenses/inputs']
    ]
  },
  escaping: {
    sources: ['runner/text.ts', 'runner/secrets.ts', 'release/fault.ts'],
    tests: ['runner/text', 'runner/secrets', 'release/fault']
  }
}
