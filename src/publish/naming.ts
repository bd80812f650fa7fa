// A target's version name, title and patterns, from its inputs and the release. Pure.
import { fillGlob } from '../file/glob.ts'
import type { Tagged } from '../release/release.ts'
import { fill, type Names, versionOf } from '../release/tag.ts'
import type { Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { type PublishInputs, placeIn, type TargetInputs } from './inputs.ts'

/** A target with its names and patterns, once the templates are filled in. */
export type Named = Readonly<ReturnType<typeof nameTarget>>

/** Names every target. Finds tags that do not fit, names that the shop rejects, and duplicate targets. */
export function nameTargets(inputs: PublishInputs, { tag, release, standIn }: Tagged) {
  const { tagPattern, targets } = inputs
  const version = versionOf(tag, tagPattern)
  const names = { tag, version: version ?? tag, name: release?.name || tag }
  const message = `"${tagPattern}" does not match the tag "${tag}"`
  const misfit = version === undefined ? [{ place: 'tag-pattern', message }] : []
  const named = targets.map(target => nameTarget(target, names, standIn !== ''))
  const lengths = named.flatMap(({ target, versionName, title }) => [
    ...checkLength(placeIn(target, 'version-name'), versionName),
    ...checkLength(placeIn(target, 'title'), title)
  ])
  const keys = named.map(one => `product ${describeRoute(one.route)}, version "${one.versionName}"`)
  const duplicates = keys.flatMap((key, index) => {
    const [first, place = ''] = [keys.indexOf(key), index].map(at => named[at]?.target.place)
    return first === place
      ? []
      : [{ place, message: `would publish the same version as ${first}: ${key}` }]
  })
  return { named, problems: [...misfit, ...lengths, ...duplicates] }
}

/** With a stand-in, the next version is unknown, so `{tag}` and `{version}` in patterns become `*`. */
function nameTarget(target: TargetInputs, names: Names, standsIn: boolean) {
  const fillOne = (pattern: string) =>
    standsIn ? pattern.replace(/\{(?:tag|version)\}/g, '*') : fillGlob(pattern, names)
  return {
    ...{ target, names, route: target.route },
    versionName: fill(target.versionName, names),
    title: fill(target.title, names),
    changelogFallback: fill(target.changelogFallback, names),
    changelogFormat: target.changelogFormat,
    patterns: {
      file: target.file.map(fillOne),
      asset: target.asset.map(fillOne),
      contents: target.contents.map(fillOne)
    }
  }
}

/** A product as users read it, such as `12` or `12, benefit 34`. */
export function describeRoute({ product, benefit }: Route): string {
  return benefit === undefined ? `${product}` : `${product}, benefit ${benefit}`
}

const LONGEST = 255 // characters, by the shop's rules

function checkLength(place: string, text: string): Fault[] {
  const characters = [...text]
  if (text.trim() === '') return [{ place, message: 'is empty once it is filled in' }]
  if (characters.length <= LONGEST) return []
  const start = characters.slice(0, 60).join('')
  const message = `is ${characters.length} characters long, and the shop accepts at most ${LONGEST}: "${start}…"`
  return [{ place, message }]
}
