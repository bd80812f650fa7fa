// Whether a tag that somebody gave exists, and which one is meant if it does not.
import type { GitHub } from '../github/github.ts'
import { listReleases } from '../github/releases.ts'
import { hasBranch, listTags, readTagCommit } from '../github/tags.ts'
import { ActionError } from '../runner/action-error.ts'
import { findSimilar } from '../runner/similar.ts'
import { lookAgain } from './ask-again.ts'
import type { TaggedRelease } from './tagged.ts'

/** GitHub, as this file needs it. */
type Api = Pick<GitHub, 'read' | 'readAll' | 'isGitHub' | 'lag'>

interface TagQuestion {
  readonly api: Api
  /** Finds the tag's release again: it may have been made a moment ago. */
  look(): Promise<TaggedRelease>
  sleep(ms: number): Promise<void>
}

/** The tag with its release, or without one if the tag alone exists. Throws an `ActionError` if neither does. */
export async function findKnown(question: TagQuestion): Promise<TaggedRelease> {
  const { api, look, sleep } = question
  let tag = ''
  const lookForKnown = async () => {
    const tagged = await look()
    tag = tagged.tag
    return (await exists(tagged, api)) ? tagged : undefined
  }

  // It may have been made a moment ago.
  const found = await lookAgain(lookForKnown, { api, sleep })
  if (found) return found
  throw explainUnknown(tag, await listNames(api), await hasBranch(tag, api))
}

async function exists(tagged: TaggedRelease, api: Api): Promise<boolean> {
  // The tag that started the run is there.
  if (tagged.release || tagged.ownCommit) return true
  return (await readTagCommit(tagged.tag, api)) !== ''
}

/** The tags of releases, newest first, and all others. */
async function listNames(api: Api): Promise<readonly string[]> {
  const tags = await listTags(api)
  const releases = await listReleases(api)
  return [...new Set([...releases.map(({ tag }) => tag), ...tags])]
}

/** How many tags are shown where none is like the given one. */
const TAGS_SHOWN = 5

function explainUnknown(tag: string, names: readonly string[], isBranch: boolean): ActionError {
  const quotedNames = names.slice(0, TAGS_SHOWN).map(name => `"${name}"`)
  const newest = quotedNames.length > 0 ? ` The newest tags: ${quotedNames.join(', ')}.` : ''
  if (isBranch) {
    return new ActionError('event', `"${tag}" is a branch, not a tag.${newest}`, {
      advice: 'Choose the tag of a release.'
    })
  }

  const meant = names.find(name => coreOf(name) === coreOf(tag)) ?? findSimilar(tag, names)
  const hint = meant === undefined ? newest : ` Did you mean "${meant}"?`

  const message = `GitHub knows neither a release nor a tag "${tag}".${hint}`
  const advice =
    'Correct `tag`. A draft shows only to a job with `contents: write`; once it is published, that starts this workflow by itself.'
  return new ActionError('event', message, { advice })
}

/** The text from the first digit on, which `1.4.2`, `v1.4.2`, `V1.4.2` and `plugin-v1.4.2` have in common. */
function coreOf(tag: string): string {
  const folded = tag.toLowerCase()
  return folded.slice(Math.max(0, folded.search(/\d/)))
}
