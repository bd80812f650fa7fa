// Owns that advice is a path, on dist/: what the words say that a user sees is done, and ends well.
import { expect, jest, test } from '@jest/globals'
import { parse } from 'yaml'
import {
  BY_HAND,
  openShop,
  type PublishOptions,
  type Shop,
  type ShopOptions,
  TOKEN
} from '../support/shop.ts'

jest.setTimeout(60_000)

/** What a user reads on the page of a run, and what it says of how to go on. */
interface Words {
  readonly all: string
  /** The groups of an expression; throws when nobody says so. */
  find(expression: RegExp): string[]
  /** The value that the words give to an input, such as `order: any`. */
  input(name: string): Record<string, string>
  /** The run that "Actions → … → Run workflow with …" starts, with these inputs corrected. */
  button(corrected?: Record<string, string>): PublishOptions
  again(): PublishOptions
}

function wordsOf(all: string): Words {
  const find = (expression: RegExp) => {
    const found = expression.exec(all)
    if (!found) throw new Error(`Nobody says ${expression}:\n${all}`)
    return found.slice(1)
  }
  return {
    all,
    find,
    input(name) {
      const [value = ''] = find(new RegExp(`\`${name}: ([^\`]+)\``))
      return { [name]: parse(value) }
    },
    button(corrected = {}) {
      const [, mode = '', tag = ''] = find(
        /Actions → (\S+) → Run workflow with mode `(\w+)` and tag `([^`]+)`[^?]*\. No such button\? Add it: /
      )
      return { event: BY_HAND, attempt: 1, runId: '9000002', inputs: { mode, tag, ...corrected } }
    },
    again() {
      find(/(run this job again)/i)
      return { attempt: 2 }
    }
  }
}

interface Scene {
  readonly shop?: ShopOptions
  /** The run that stops; the healthy one when left out. */
  readonly given?: PublishOptions
  before?(shop: Shop): Promise<unknown>
  /** Does what the words say; gives what is different in the next run. */
  follow(words: Words, shop: Shop): PublishOptions | Promise<PublishOptions>
  readonly ends?: string
}

const off = { inputs: { record: 'false' } }
const OTHER = 'c0ffee0000000000000000000000000000000000'

/** A lost answer: look into the shop, say what is there by the button, and run the job again. */
function inDoubt(stored: boolean, ends: string): Scene {
  return {
    async before(shop) {
      shop.service.misbehave({ kind: 'reset-after-body', stored, least: 200 })
      await shop.publish()
    },
    given: { attempt: 2 },
    async follow(words, shop) {
      const [there = '', absent = ''] = words.find(
        /settle-as `([\w-]+)` if the version is there, or `([\w-]+)` if it is not/
      )
      const found = shop.service.versions.length > 0 ? there : absent
      const settled = await shop.publish(words.button({ file: '', 'settle-as': found }))
      expect(settled.outputs.outcome).toBe('settled')
      return { ...words.again(), attempt: 3 }
    },
    ends
  }
}

const SCENES: Readonly<Record<string, Scene>> = {
  'bad-input: a misspelled input': {
    shop: off,
    given: { env: { INPUT_BENEFITS: '34' } },
    follow(words) {
      const [name = ''] = words.find(
        /^.*benefits: is not an input of this action\. Did you mean `([\w-]+)`\?/
      )
      return { ...words.button({ [name]: '34' }), env: {} }
    }
  },
  'bad-input: a tag with more than a version': {
    shop: { ...off, release: { tag: 'plugin-v1.4.2' } },
    follow(words) {
      return words.button(words.input('tag-pattern'))
    }
  },
  'bad-input: an empty token': {
    shop: off,
    given: { inputs: { token: '' } },
    follow(words) {
      words.find(/the name of the secret/)
      return { inputs: { token: TOKEN } }
    }
  },
  commit: {
    shop: off,
    given: { event: BY_HAND, inputs: { tag: 'v1.4.2' } },
    async before(shop) {
      await shop.write('.git/HEAD', OTHER)
    },
    async follow(words, shop) {
      const [yaml = ''] = words.find(/\n( +- uses: .*(?:\n {5,}.*)+)/)
      expect(parse(yaml)).toEqual([
        { uses: 'actions/checkout@v7', with: { ref: `\${{ inputs.tag }}` } }
      ])
      const run = words.button()
      await shop.write('.git/HEAD', shop.github.commitOf(run.inputs?.tag ?? '') ?? '')
      return run
    }
  },
  'no-file': {
    shop: off,
    given: { inputs: { file: 'Dist/gallery-*.zip' } },
    follow(words) {
      const [file = ''] = words.find(/Is it "([^"]+)"\?/)
      return words.button({ file })
    }
  },
  'several-files': {
    shop: off,
    before: shop => shop.write('dist/gallery-1.4.1.zip', 'old'),
    follow: words => words.button({ file: words.find(/Use this line.*\n {2}(.+)/).join() })
  },
  'file-version': {
    shop: off,
    given: { inputs: { file: 'out/*.zip' } },
    before: shop => shop.write('out/gallery-1.4.1.zip', 'old'),
    async follow(words, shop) {
      const [version = '', pattern = ''] = words.find(
        /Build or attach the file of "([^"]+)"; with \{version\} in the pattern, such as "([^"]+)"/
      )
      await shop.write(`out/gallery-${version}.zip`, 'new')
      return words.button({ file: `out/${pattern}` })
    }
  },
  'no-changelog': {
    shop: { ...off, release: { body: '' } },
    async follow(words, shop) {
      words.find(/(write what is new)/i)
      shop.addRelease({ body: 'Albums can be sorted.' })
      return words.again()
    }
  },
  permission: {
    shop: { github: { permissions: { deployments: 'read' } } },
    follow(words, shop) {
      const [lines = ''] = words.find(/\n( +permissions:\n(?: {6,}.*\n)+)/)
      const { permissions } = parse(lines)
      expect(permissions).toEqual({ contents: 'read', deployments: 'write' })
      shop.github.setPermissions(permissions)
      expect(words.all).not.toContain('once: off')
      return words.button()
    }
  },
  'lower-version': {
    async before(shop) {
      shop.addRelease({ tag: 'v1.5.0' })
      await shop.write('dist/gallery-1.5.0.zip', 'new')
      const inputs = { file: 'dist/gallery-{version}.zip' }
      await shop.publish({ event: shop.event({ tag: 'v1.5.0' }), runId: '9000009', inputs })
    },
    given: { inputs: { file: 'dist/gallery-{version}.zip' } },
    follow(words) {
      return words.button(words.input('order'))
    }
  },
  'rejected: a token that is wrong': {
    shop: off,
    given: { inputs: { token: 'another-token-that-opens-nothing' } },
    follow(words) {
      words.find(/Create a new one .*store it as the secret/)
      return { ...words.again(), inputs: { token: TOKEN } }
    }
  },
  'rejected: a product that is not there': {
    shop: off,
    given: { inputs: { product: '99' } },
    follow(words) {
      words.find(/Check [^.]*`(product)`/)
      return words.button({ product: '12' })
    }
  },
  'in-doubt: it never arrived': inDoubt(false, 'published'),
  'in-doubt: it is in the shop': inDoubt(true, 'skipped'),
  draft: {
    shop: { ...off, release: { draft: true }, github: { permissions: { contents: 'write' } } },
    given: { event: BY_HAND, inputs: { tag: 'v1.4.2' } },
    async follow(words, shop) {
      const plan = { event: BY_HAND, inputs: { tag: 'v1.4.2', ...words.input('mode') } }
      expect((await shop.publish(plan)).outputs.outcome).toBe('planned')
      words.find(/publish the release on GitHub first, and run this again/)
      shop.addRelease({ draft: false })
      return {}
    }
  },
  event: {
    shop: off,
    given: { event: BY_HAND },
    follow(words) {
      const [name = ''] = words.find(/Set the input `(\w+)` to the tag to publish/)
      return { inputs: { [name]: 'v1.4.2' } }
    }
  },
  'not-approved': {
    shop: off,
    given: { inputs: { 'approved-plan': 'a'.repeat(64) } },
    async follow(words, shop) {
      const planned = await shop.publish({ inputs: words.input('mode') })
      return { inputs: { 'approved-plan': planned.outputs.plan_digest ?? '' } }
    }
  },
  'different-content': {
    async before(shop) {
      await shop.publish()
      await shop.write('dist/gallery-1.4.2.zip', 'other')
    },
    given: { runId: '9000002', env: { GITHUB_SHA: OTHER } },
    follow(words, shop) {
      words.find(/(Give the new content a new version)/)
      shop.addRelease({ tag: 'v1.4.3' })
      return { event: shop.event({ tag: 'v1.4.3' }), inputs: { 'allow-other-version': 'true' } }
    }
  }
}

test.each(Object.entries(SCENES))('%s: following the words ends well', async (name, scene) => {
  await using shop = await openShop(scene.shop)
  await scene.before?.(shop)
  const before = shop.service.versions.length
  const stopped = await shop.publish(scene.given)
  expect([stopped.outputs.reason, shop.service.versions.length]).toEqual([
    name.split(':')[0],
    before
  ])
  const words = wordsOf(stopped.annotations.map(({ message }) => message).join('\n'))
  const next = await scene.follow(words, shop)
  const inputs = { ...scene.given?.inputs, ...next.inputs }
  const { outputs } = await shop.publish({ ...scene.given, ...next, inputs })
  expect(outputs.outcome).toBe(scene.ends ?? 'published')
  const names = shop.service.versions.map(({ versionName }) => versionName)
  expect(names).toEqual([...new Set(names)])
})
