// What readers of the recipes change in them, as their pages say.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { built } from './recipe-sources.ts'

/** What is attached to the release v1.4.2. */
export const ATTACHED = { 'gallery-1.4.2.zip': built, 'gallery-pro-1.4.2.zip': built }
/** A token that the shop refuses. */
export const EXPIRED = 'a-token-that-has-expired'

/** The heading of the recipe for two audiences. */
export const TESTERS = 'pre-releases-for-testers-or-a-pro-edition'
/** The headings of the recipes for a person who approves, and for what comes after. */
export const APPROVAL = 'a-person-approves'
export const COMES_AFTER = 'what-comes-after'

/** Replaces one text of a workflow, which must be there. */
function replaced(text: string, from: string | RegExp, to: string): string {
  expect(text).toMatch(from)
  return text.replace(from, () => to)
}

/** An npm package in place of one of Composer, as the page says. */
export function forNpm(text: string): string {
  const packed = replaced(text, /git archive .*/, commandOf(/npm ci && [^`]*/))
  const named = replaced(packed, 'file: gallery-{version}.zip', 'file: acme-gallery-{version}.tgz')
  return replaced(named, /^ *contents: \|\n(?: {12}.*\n)+/m, '')
}

/** Several loaders in one archive, as the page says. */
export function forLoaders(text: string): string {
  const [build = ''] = /\.\/gradlew build .*/.exec(text) ?? []
  const scripts = [build, commandOf(/zip --junk-paths [^`]*/)]
  const packed = replaced(text, build, `|\n          ${scripts.join('\n          ')}`)

  const file = replaced(packed, /file: build.*/, 'file: gallery-{version}.zip')
  const jars = ['gallery-fabric-{version}.jar', 'gallery-neoforge-{version}.jar']
  return replaced(
    file,
    'contents: plugin.yml',
    `contents: |\n            ${jars.join('\n            ')}`
  )
}

/** The workflow of release-please with changesets, as the page says. */
export function forChangesets(text: string): string {
  const tool = replaced(text, 'id: release\n', 'id: changesets\n')
  const action = replaced(tool, /googleapis\/release-please-action@\S+/, 'changesets/action@v2')
  const tags = replaced(action, /tags=.*/, commandOf(/tags=\$\(jq --raw-output '\.\[\] [^`]*/))
  return replaced(tags, /OUTPUTS: .*/, commandOf(/PACKAGES: [^`]*/))
}

/** The same with a script that leaves its tags on the checked-out commit. */
export function forOwnTags(text: string): string {
  const checkout = 'uses: actions/checkout@v7\n      - run: git tag --force v1.4.2\n'
  const script = replaced(text, /uses: googleapis.*\n {8}with:\n.*\n/, checkout)
  const tags = replaced(script, /tags=.*/, commandOf(/tags=\$\(git [^`]*/))
  return replaced(tags, /\n *OUTPUTS: .*/, '')
}

/** A command that the page of the recipes names in its text. */
function commandOf(pattern: RegExp): string {
  const page = readFileSync(path.join(ROOT, 'docs/recipes.md'), 'utf8')
  const [found = ''] = pattern.exec(page) ?? []
  return found
}

/** A Pro edition in place of the testers. */
export function forPro(text: string): string {
  const released = replaced(text, '[published, released]', '[released]')
  const [everybody = '', second = ''] = released.split('  testers:\n')
  const file = replaced(second, 'asset: gallery-', 'asset: gallery-pro-')
  const benefit = replaced(file, 'benefit: 35', 'benefit: 34')
  return `${everybody}  testers:\n${replaced(benefit, '          prerelease: publish\n', '')}`
}

/** Each loader is an option of the product, with a jar of its own. */
export function forOptions(text: string): string {
  const fabric = replaced(
    forPro(text),
    'asset: gallery-',
    'benefit: 35\n          asset: gallery-fabric-'
  )
  return replaced(fabric, 'asset: gallery-pro-', 'asset: gallery-neoforge-').replaceAll(
    '-{version}.zip',
    '-{version}.jar'
  )
}
