// The version that a tag stands for, and the names that buyers see. Pure.
import { comparableName } from '../ledger/record.ts'
import type { TaggedRelease } from '../release/release.ts'
import { fill, type Names, readTag } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import type { PublishConfig } from './config.ts'

const NAME_LIMIT = 255 // characters, by the shop's rules

/** The values for templates. Throws an `ActionError` about a tag whose version is not clear. */
export function namesOf(
  { tagPattern, versionName }: Pick<PublishConfig, 'tagPattern' | 'versionName'>,
  { tag, release }: Pick<TaggedRelease, 'tag' | 'release'>
): Names {
  const { kind, version, pattern } = readTag(tag, tagPattern)
  if (kind === 'misfit') {
    throw wrong(`tag-pattern: "${tagPattern}" does not match the tag "${tag}".`)
  }
  if (kind !== 'version' && versionName.includes('{version}')) {
    const whole = "If the whole tag is the version’s name, set `version-name: '{tag}'`."
    throw kind === 'hidden'
      ? wrong(
          `The tag "${tag}" holds more than the version: set \`tag-pattern: '${pattern}'\`.`,
          whole
        )
      : wrong(`There is no version in the tag "${tag}".`, whole)
  }
  return { tag, version, name: release?.name || tag }
}

/** A template with the names filled in. Throws an `ActionError` for a text that the shop does not take. */
export function nameFrom(input: 'version-name' | 'title', template: string, names: Names): string {
  const text = fill(template, names)
  if (comparableName(text).trim() === '') {
    throw wrong(`${input}: "${template}" is empty once it is filled in.`)
  }
  const characters = [...text]
  if (characters.length <= NAME_LIMIT) return text
  const start = characters.slice(0, 60).join('')
  throw wrong(
    `${input}: "${start}…" has ${characters.length} characters, and the shop accepts at most ${NAME_LIMIT}.`
  )
}

function wrong(message: string, advice = ''): ActionError {
  return new ActionError('bad-input', message, { advice })
}
