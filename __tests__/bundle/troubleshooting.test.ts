// Owns docs/troubleshooting.md: each message that it quotes is one that a run prints.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { openShop, type PublishOptions, type Shop, type ShopOptions } from '../support/shop.ts'

/** How one comes to the message. */
interface Mistake {
  readonly shop?: ShopOptions
  readonly before?: (shop: Shop) => Promise<unknown>
  readonly run?: PublishOptions
}

const READ_ONLY = { contents: 'read', deployments: 'read' } as const
const OLD = { file: 'old/*.zip' }

/** By the message as the page quotes it. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  'No file matches': { run: { inputs: { file: 'build/*.zip' } } },
  '2 files match, and exactly one can be published': {
    before: shop => shop.write('dist/gallery-1.4.2-debug.zip', 'x'),
    run: { inputs: { file: 'dist/*.zip' } }
  },
  'is version "1.4.1", and the version to be published is "1.4.2"': {
    before: shop => shop.write('old/gallery-1.4.1.zip', 'x'),
    run: { inputs: OLD }
  },
  'the release event\'s action is "created"': { run: { action: 'created' } },
  'has no notes, and buyers must be told what is new': { shop: { release: { body: '' } } },
  'the job may not write deployments': { shop: { github: { permissions: READ_ONLY } } },
  'answered 401': { run: { inputs: { token: 'another-token-that-opens-nothing' } } },
  'answered 403': { run: { inputs: { product: '13' } } },
  'answered 404': { run: { inputs: { product: '99' } } },
  'Nobody knows whether … is published': {
    before: shop => {
      shop.service.misbehave({ kind: 'reset-after-body', stored: true })
      return shop.publish()
    },
    run: { attempt: 2 }
  },
  'was published by run … with different content': {
    before: async shop => {
      await shop.publish()
      await shop.write('dist/gallery-1.4.2.zip', 'other')
    },
    run: { runId: '9000002', env: { GITHUB_SHA: 'f'.repeat(40) } }
  }
}

function quotesOnPage(): string[] {
  const page = readFileSync(join(ROOT, 'docs', 'troubleshooting.md'), 'utf8')
  const [, section = ''] = /^## Common messages$(.*?)^## /ms.exec(page) ?? []
  const rows = section.split('\n').filter(line => line.startsWith('| `'))
  return rows.flatMap(row =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote)
  )
}

test('the page quotes these messages', () => {
  expect(quotesOnPage()).toEqual(Object.keys(MISTAKES))
})

test.each(Object.entries(MISTAKES))(
  'a run says “%s”',
  async (quote, { shop: options, before, run }) => {
    await using shop = await openShop(options)
    await before?.(shop)
    const { log } = await shop.publish(run)
    const parts = quote.split('…').map(part => part.replace(/[^\w ]/g, '\\$&'))
    expect(log).toMatch(new RegExp(parts.join('.+')))
  }
)
