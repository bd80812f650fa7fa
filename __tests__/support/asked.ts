// What a shop was asked in a test.
import { expect } from '@jest/globals'
import type { Service } from '../../sandbox/service.ts'

/** Expects that the shop got no request at all: no upload, and no check, which is a run's preflight. */
export function expectNothingAsked({ service }: { readonly service: Service }): void {
  expect(service.requests).toEqual([])
  expect(service.checks).toEqual([])
}
