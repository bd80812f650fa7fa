// What is to be published: inputs and release put together into a target, or every fault in them. Pure.
import type { Route } from '../marketplace/client.ts'
import { normalise } from '../release/changelog.ts'
import type { Release } from '../release/event.ts'
import { fill, fillGlob, type Names, versionOf } from '../release/tag.ts'
import type { Fault, PublishInputs } from './inputs.ts'

/** One publication, planned: all but the file itself. */
export interface Target {
  readonly route: Route
  readonly tag: string
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
  /** Glob patterns with the templates filled in. */
  readonly patterns: readonly string[]
}

/** What is published under which tag; a tag may have no release on GitHub. */
export interface Subject {
  readonly tag: string
  readonly release: Release | undefined
}

export interface Plan {
  readonly target: Target
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
}

/** Plans the target; with faults, it must not be published. */
export function plan(inputs: PublishInputs, { tag, release }: Subject): Plan {
  const faults: Fault[] = []
  const warnings: string[] = []
  const version = versionOf(tag, inputs.tagPattern)
  if (version === undefined) {
    const message = `\`tag-pattern\` is "${inputs.tagPattern}", and the tag "${tag}" does not fit it`
    faults.push({ input: 'tag-pattern', message })
  }
  const names: Names = { tag, version: version ?? tag, name: release?.name || tag }
  const limit = (input: 'version-name' | 'title', text: string) => {
    const { fault, warning } = checkLength(input, text)
    if (fault) faults.push({ input, message: fault })
    if (warning) warnings.push(warning)
    return text
  }
  const changelog = normalise(inputs.changelog || release?.notes || '')
  if (changelog === '') faults.push({ input: 'changelog', message: whyNoChangelog(tag, release) })
  const target = {
    route: {
      product: inputs.product,
      ...(inputs.benefit === undefined ? {} : { benefit: inputs.benefit })
    },
    tag,
    versionName: limit('version-name', fill(inputs.versionName, names)),
    title: limit('title', fill(inputs.title, names)),
    changelog,
    changelogFormat: 'markdown' as const,
    patterns: inputs.file.map(pattern => fillGlob(pattern, names))
  }
  return { target, faults, warnings }
}

const LONGEST = 255

/** The service's limit is taken in code points; it does not say whether it counts UTF-16 units instead. */
function checkLength(input: string, text: string): { fault?: string; warning?: string } {
  const length = [...text].length
  if (length > LONGEST) {
    const fault = `\`${input}\` is ${length} characters long, and the service takes ${LONGEST} at most: "${text}"`
    return { fault }
  }
  if (text.trim() === '') return { fault: `\`${input}\` comes out empty` }
  if (text.length <= LONGEST) return {}
  const warning =
    `\`${input}\` has ${length} characters, but ${text.length} as some services count ` +
    `(in UTF-16 units); over ${LONGEST} it may be refused.`
  return { warning }
}

function whyNoChangelog(tag: string, release: Release | undefined): string {
  return release
    ? `the release ${tag} has no notes, and buyers must be told what is new: write release notes, or set \`changelog\``
    : `there is no published release for the tag "${tag}": create it first, or set \`changelog\``
}
