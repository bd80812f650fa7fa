// Which of the files attached to a release is meant, and the wait until it is there.
import { sizeText } from '../runner/text.ts'
import { explainSeveral, hintsFor, tableOf } from './explain.ts'
import { FileFault, listed, quoted } from './fault.ts'
import { hasWildcard, includes, matcherOf } from './glob.ts'
import { judgeVersion, type Versions } from './versions.ts'

/** An attached file as GitHub describes it. */
export interface Asset {
  readonly id: number
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** `uploaded`, or another word while the upload is unfinished. */
  readonly state: string
  /** Such as `sha256:…`; empty when GitHub gives none. */
  readonly digest: string
}

/** What is attached to a release at one moment. */
export interface Attached {
  readonly assets: readonly Asset[]
  /** Nothing can be attached any more. */
  readonly immutable?: boolean
}

/** How the release is looked at. */
export interface Looking {
  readonly tag: string
  /** In milliseconds; 0: not to wait at all. */
  readonly timeout: number
  look(): Promise<Attached>
  /** Waits, or throws when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** What is wanted, with the versions that names are compared with. */
export interface Wanted {
  readonly patterns: readonly string[]
  readonly versions: Versions
}

/** Every three seconds in a minute. */
const LOOKS = 20
const LONGEST_PAUSE = 5000

/**
 * Chooses among a release's files, looking again until the one that is wanted is there; several targets
 * share the looks and the time. What it gives throws a `FileFault` for none, several, or an unfinished one.
 */
export function openAttached(looking: Looking): (wanted: Wanted) => Promise<Asset> {
  const { tag, timeout, look, sleep, tell } = looking
  const pause = Math.min(timeout / LOOKS, LONGEST_PAUSE)
  let looks: readonly [newest: Attached, before?: Attached] | undefined
  let waited = 0
  return async wanted => {
    const matches = await matcherOf(wanted.patterns)
    // Names are unique in a release: one that is spelled out cannot be joined by a second.
    const wild = wanted.patterns.some(pattern => includes(pattern) && hasWildcard(pattern))
    let told = false
    for (;;) {
      looks ??= [await look()]
      const [newest, before] = looks
      const chosen = newest.assets.filter(({ name }) => matches(name))
      const [asset, ...others] = chosen
      if (others.length > 0) {
        const found = chosen.map(({ name, size }) => ({
          name,
          row: [quoted(name), sizeText(size)]
        }))
        throw new FileFault(
          'several-files',
          explainSeveral('attached files', found, wanted.versions)
        )
      }
      const ready = asset?.state === 'uploaded'
      const final = newest.immutable === true || timeout === 0
      if (asset && ready && (final || !wild || isSame(asset, before, matches))) return plain(asset)
      if (final || (!ready && waited >= timeout)) {
        throw faultOf(asset, wanted, newest, tag, waited)
      }
      if (!told && !ready) tell(describeWait(asset, wanted, newest, tag, timeout))
      told ||= !ready
      await sleep(pause)
      waited += pause
      looks = [await look(), newest]
    }
  }
}

/** Whether the look before saw the same file, and no other. */
function isSame(
  asset: Asset,
  before: Attached | undefined,
  matches: (name: string) => boolean
): boolean {
  const [same, ...others] = before?.assets.filter(({ name }) => matches(name)) ?? []
  return same?.id === asset.id && same.state === asset.state && others.length === 0
}

/** It becomes the name of a file in a folder of ours. */
function plain(asset: Asset): Asset {
  if (!/^\.{0,2}$|[\\/\0]/.test(asset.name)) return asset
  const message = `The attached file's name ${quoted(asset.name)} is not a plain file name.`
  throw new FileFault('bad-file', message)
}

function describeWait(
  unfinished: Asset | undefined,
  { patterns }: Wanted,
  { assets }: Attached,
  tag: string,
  timeout: number
): string {
  const what = unfinished
    ? `the upload of ${quoted(unfinished.name)} to the release ${tag} to be finished`
    : `a file that matches ${patterns.join(' ')} to be attached to the release ${tag}`
  const there = assets.length === 0 ? 'no file' : listed(assets.map(({ name }) => name))
  return `Waiting up to ${timeout / 1000} seconds for ${what}. Attached now: ${there}.`
}

function faultOf(
  unfinished: Asset | undefined,
  wanted: Wanted,
  attached: Attached,
  tag: string,
  waited: number
): FileFault {
  const after = waited > 0 ? ` after ${Math.round(waited / 100) / 10} seconds` : ''
  if (unfinished) {
    const message = `The upload of ${quoted(unfinished.name)} to the release ${tag} is not finished${after} (its state is "${unfinished.state}"). Run this job again when it is; for an upload that broke, delete the file from the release and attach it again.`
    return new FileFault('bad-file', message)
  }
  return new FileFault('no-file', explainNone(wanted, attached, tag, after))
}

function explainNone(
  { patterns, versions }: Wanted,
  { assets, immutable }: Attached,
  tag: string,
  after: string
): string {
  const inFolder = patterns.some(pattern => /[^/]\/[^/]/.test(pattern.replace(/^!?\.\//, '')))
  const rows = assets.map(({ name }) => {
    const isOther = judgeVersion(name, versions).kind === 'other'
    return [quoted(name), isOther ? 'another version' : '']
  })
  return [
    `No attached file matches${after}:`,
    ...patterns.map(pattern => `  ${pattern}`),
    ...(inFolder ? ['Attached files have no folder: write only the name.'] : hintsFor(patterns)),
    ...(rows.length === 0
      ? [`The release ${tag} has no attached files.`]
      : [`Attached to the release ${tag}:`, ...tableOf(rows)]),
    immutable
      ? 'The release is immutable: nothing can be attached to it any more.'
      : 'Attach the built file before this job runs (`needs:`), raise `asset-timeout`, or use `file`.'
  ].join('\n')
}
