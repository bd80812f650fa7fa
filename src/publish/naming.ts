// A target's version name, title and patterns, from its inputs and the release. Pure.

import { fillGlob } from '../file/glob.ts'
import type { Release } from '../release/event.ts'
import { fill, type Names, versionOf } from '../release/tag.ts'
import type { Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import type { PublishInputs } from './inputs.ts'
import type { TargetInputs } from './target-inputs.ts'

/** What is published under which tag; a tag may have no release on GitHub. */
export interface Tagged {
  readonly tag: string
  readonly release: Release | undefined
}

/** A target's names and patterns, with the templates filled in. */
export interface Named {
  readonly route: Route
  readonly names: Names
  readonly versionName: string
  readonly title: string
  /** Used when the changelog is empty; may be empty itself. */
  readonly changelogFallback: string
  readonly file: readonly string[]
  readonly asset: readonly string[]
}

/** The names that templates know; the fault of a tag that does not fit `tag-pattern`. */
export function nameRelease(
  { tagPattern }: PublishInputs,
  { tag, release }: Tagged
): { readonly names: Names; readonly faults: readonly Fault[] } {
  const version = versionOf(tag, tagPattern)
  const names = { tag, version: version ?? tag, name: release?.name || tag }
  if (version !== undefined) return { names, faults: [] }
  const message = `"${tagPattern}" does not fit the tag "${tag}"`
  return { names, faults: [{ place: 'tag-pattern', message }] }
}

/**
 * Fills in a target's templates, and checks the lengths that the service sets. Where another release
 * stands in, a pattern takes any version.
 */
export function nameTarget(
  target: TargetInputs,
  names: Names,
  standsIn = false
): {
  readonly named: Named
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
} {
  const versionName = fill(target.versionName, names)
  const title = fill(target.title, names)
  const fillPattern = (pattern: string) =>
    standsIn ? pattern.replace(/\{(?:tag|version)\}/g, '*') : fillGlob(pattern, names)
  const checks = [checkLength('version-name', versionName), checkLength('title', title)]
  const named = {
    route: routeOf(target),
    names,
    versionName,
    title,
    changelogFallback: fill(target.changelogFallback, names),
    file: target.file.map(fillPattern),
    asset: target.asset.map(fillPattern)
  }
  return {
    named,
    faults: checks.flatMap(({ input, fault }) =>
      fault === undefined ? [] : [{ place: placeIn(target, input), message: fault }]
    ),
    warnings: checks.flatMap(({ input, warning }) =>
      warning === undefined ? [] : [`${placeIn(target, input)}: ${warning}`]
    )
  }
}

/** The service's address of a target. */
export function routeOf({ product, benefit }: TargetInputs): Route {
  return benefit === undefined ? { product } : { product, benefit }
}

/** Where an input of a target stands, for a message. */
export function placeIn({ place }: TargetInputs, input: string): string {
  return place === '' ? input : `${place}, ${input}`
}

/** Such as `12` or `12, benefit 34`. */
export function describeRoute({ product, benefit }: Route): string {
  return benefit === undefined ? `${product}` : `${product}, benefit ${benefit}`
}

const LONGEST = 255

interface LengthCheck {
  readonly input: string
  readonly fault?: string
  readonly warning?: string
}

/** The service's limit is taken in code points; it does not say whether it counts UTF-16 units instead. */
function checkLength(input: string, text: string): LengthCheck {
  const length = [...text].length
  if (length > LONGEST) {
    const fault = `is ${length} characters long, and the service takes ${LONGEST} at most: "${[...text].slice(0, 60).join('')}…"`
    return { input, fault }
  }
  if (text.trim() === '') return { input, fault: 'comes out empty' }
  if (text.length <= LONGEST) return { input }
  const warning =
    `has ${length} characters, but ${text.length} as some services count ` +
    `(in UTF-16 units); over ${LONGEST} it may be refused.`
  return { input, warning }
}
