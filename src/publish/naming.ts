// A target's version name, title and patterns, from its inputs and the release. Pure.
import { fillGlob } from '../file/glob.ts'
import type { Tagged } from '../release/release.ts'
import { fill, type Names, readTag, type TagReading } from '../release/tag.ts'
import { describeRoute } from '../report/ways.ts'
import { type Fault, placeIn } from '../runner/values.ts'
import type { PublishInputs, TargetInputs } from './inputs.ts'

/** A target with its names and patterns, once the templates are filled in. */
export interface Named extends Pick<TargetInputs, 'route' | 'changelogFormat'> {
  readonly target: TargetInputs
  readonly names: Names
  readonly versionName: string
  readonly title: string
  readonly changelogFallback: string
  /** The input that names the file, and its patterns; none where no file is needed. */
  readonly source: 'file' | 'asset'
  readonly patterns: readonly string[]
  readonly rules: readonly string[]
}

/** Names every target. Finds tags that do not fit, names that the shop rejects, and duplicate targets. */
export function nameTargets(inputs: PublishInputs, { tag, release, standIn }: Tagged) {
  const { tagPattern, targets } = inputs
  const reading = readTag(tag, tagPattern)
  const names = { tag, version: reading.version, name: release?.name || tag }
  const named = targets.map(target => nameTarget(target, names, standIn !== ''))
  const lengths = named.flatMap(({ target, versionName, title }) => [
    ...checkLength(placeIn(target, 'version-name'), versionName),
    ...checkLength(placeIn(target, 'title'), title)
  ])
  const problems = [...doubtsAbout(reading, inputs, tag), ...lengths, ...duplicatesIn(named)]
  return { named, problems }
}

/** What keeps a version from being read out of the tag. A target whose name does without one may have any tag. */
function doubtsAbout(
  { kind, pattern }: TagReading,
  { tagPattern, targets }: PublishInputs,
  tag: string
): Fault[] {
  if (kind === 'version') return []
  if (kind === 'misfit') {
    return [{ place: 'tag-pattern', message: `"${tagPattern}" does not match the tag "${tag}"` }]
  }
  const target = targets.find(({ versionName }) => versionName.includes('{version}'))
  if (!target) return []
  const whole = "set `version-name: '{tag}'`"
  const message =
    kind === 'hidden'
      ? `the tag "${tag}" holds more than the version. Set \`tag-pattern: '${pattern}'\`; or, if the whole tag is the version’s name, ${whole}`
      : `there is no version in the tag "${tag}". If that is the version’s name, ${whole}; or write another name there, without {version}`
  return [{ place: placeIn(target, 'version-name'), message }]
}

function duplicatesIn(named: readonly Named[]): Fault[] {
  const keys = named.map(one => `product ${describeRoute(one.route)}, version "${one.versionName}"`)
  return named.flatMap(({ target: { place } }, index) => {
    const key = keys[index] ?? ''
    const first = keys.indexOf(key)
    if (first === index) return []
    const earlier = named[first]?.target.place
    return [{ place, message: `would publish the same version as ${earlier}: ${key}` }]
  })
}

/** With a stand-in, the next version is unknown, so `{tag}` and `{version}` in patterns become `*`. */
function nameTarget(target: TargetInputs, names: Names, standsIn: boolean): Named {
  const fillOne = (pattern: string) =>
    standsIn ? pattern.replace(/\{(?:tag|version)\}/g, '*') : fillGlob(pattern, names)
  return {
    target,
    names,
    route: target.route,
    versionName: fill(target.versionName, names),
    title: fill(target.title, names),
    changelogFallback: fill(target.changelogFallback, names),
    changelogFormat: target.changelogFormat,
    source: target.asset.length > 0 ? 'asset' : 'file',
    patterns: [...target.asset, ...target.file].map(fillOne),
    rules: target.contents.map(fillOne)
  }
}

const NAME_LIMIT = 255 // characters, by the shop's rules

function checkLength(place: string, text: string): Fault[] {
  const characters = [...text]
  if (text.trim() === '') return [{ place, message: 'is empty once it is filled in' }]
  if (characters.length <= NAME_LIMIT) return []
  const start = characters.slice(0, 60).join('')
  const message = `is ${characters.length} characters long, and the shop accepts at most ${NAME_LIMIT}: "${start}…"`
  return [{ place, message }]
}
