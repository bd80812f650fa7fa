// Owns a publication and its memory on the stand-in for GitHub, for tests.
import { openDeployments, type Publication } from '../../src/ledger/deployments.ts'
import type { Opened } from '../github/opened.ts'
import { claimOf } from './claims.ts'
import { isLost } from './remembering.ts'

export const publication: Publication = {
  baseUrl: 'https://shop.example.com/eu',
  product: 12,
  benefit: 34,
  versionName: '1.4.2'
}
export const environment = 'shop.example.com/products/12/benefits/34'
export const { claimant } = claimOf(1, '')

/** The memory of the publication, or of one that differs in these. */
export function remember({ github }: Pick<Opened, 'github'>, over: Partial<Publication> = {}) {
  return openDeployments(github, { ...publication, ...over }, 'v1.4.2', isLost)
}
