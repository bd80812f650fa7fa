// Prepares a publication before anything is sent: its names, its text, its file, and the commit it was built from.
import { comparableName } from '../ledger/record.ts'
import { explainCheckout, isComparable, readCheckout } from '../release/checkout.ts'
import { commitOf, type TaggedRelease } from '../release/release.ts'
import { fill, type Names, readTag } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { openSecrets } from '../runner/text.ts'
import { writeChangelog } from './changelog.ts'
import { chooseFile } from './choose-file.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import type { Publication, VersionIdentity } from './publication.ts'

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

/** Names the version of a release. Throws an `ActionError` about its names, its tag, or the wrong checkout. */
export async function identify(
  env: Environment,
  config: PublishConfig,
  tagged: TaggedRelease
): Promise<VersionIdentity> {
  const names = namesOf(config, tagged)
  const versionName = nameFrom('version-name', config.versionName, names)
  const title = nameFrom('title', config.title, names)
  const commit = await commitOf(tagged, env.runner.context.sha, env.github)
  return { route: config.route, tagged, names, versionName, title, commit }
}

/** Finds and reads all that is to be sent. Throws an `ActionError`; closes nothing: the run does that. */
export async function prepare(
  env: Environment,
  config: PublishConfig,
  tagged: TaggedRelease
): Promise<Publication> {
  const identity = await identify(env, config, tagged)
  await compareCheckout(env, config, identity)
  const text = await writeChangelog(env, config, identity)
  findCredentials(config, { ...identity, ...text })
  const chosen = await chooseFile(env, config, identity)
  const { sha256 } = await chosen.file.digest()
  return Object.freeze({ ...identity, ...text, ...chosen, sha256 })
}

/** Compares the checked-out commit with the tag's, where the file comes from the workspace. */
async function compareCheckout(
  { runner }: Environment,
  { file, allowOtherVersion }: PublishConfig,
  { tagged, commit }: VersionIdentity
): Promise<void> {
  if (file.length === 0 || allowOtherVersion || !isComparable(tagged, runner.context)) return
  const checkout = await readCheckout(runner.context.workspace)
  if (checkout.why !== '') {
    runner.warning(`Which commit is checked out is not known: git says "${checkout.why}".`)
  }
  const message = explainCheckout(tagged, commit, checkout.commit)
  if (message === '') return
  // On the tag's own event, a build may have moved on from it.
  if (tagged.ownCommit) return runner.warning(message)
  throw new ActionError('commit', message, {
    advice:
      'Check out the tag before the build (`ref` of actions/checkout); if the file does not come from there, set `allow-other-version: true`.'
  })
}

/** In characters. A text has a shorter secret in it by chance, perhaps. */
const CERTAIN = 12

/** Throws an `ActionError` if a text would publish a credential of this step, as a link into `.git` can. */
function findCredentials(
  { token, githubToken }: PublishConfig,
  texts: Pick<Publication, 'changelog' | 'title' | 'versionName'>
): void {
  const { add, conceal } = openSecrets()
  for (const credential of [token, githubToken]) if (credential.length >= CERTAIN) add(credential)
  for (const name of ['changelog', 'title', 'versionName'] as const) {
    if (conceal(texts[name]) === texts[name]) continue
    const input = name === 'versionName' ? 'version-name' : name
    throw new ActionError('bad-input', `${input}: the text has a credential of this step in it.`, {
      advice: 'Take it out; if others may have seen it, replace it.'
    })
  }
}
