// Owns the sample in README.md: the summary of a real run of dist/, without what differs from run to run.
import { openShop } from '../__tests__/support/shop.ts'

/** The job summary of a release that is published, as Markdown. */
export async function sampleSummary(): Promise<string> {
  await using shop = await openShop()
  const { summary } = await shop.publish()
  return summary
    .replaceAll(shop.service.url, 'https://shop.example.com')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '6f1c2d3e')
    .trim()
}

/** The sample as a quotation, so that its heading is none of the README's. */
export async function renderSample(): Promise<string> {
  const summary = await sampleSummary()
  return summary.replace(/^/gm, '> ').replace(/ +$/gm, '')
}
