// The report of how a simulated world ended, and the promises that must hold in every world.

/** How a world ended for one version. */
export interface Story {
  /** How many versions there were of it before its job was run again. */
  readonly versions: number
  /** How the job ended when it was run again: the last word on whether it may end in doubt. */
  readonly rerun: string
  /** How it ended at the very end, after a person has marked what was in doubt. */
  readonly finally: string
  /** How many versions there were in the end. */
  readonly finalVersions: number
  /** Whether the service has it in the end, by a run or by hand. */
  readonly isThere: boolean
  /** Whether runs have sent it after a mark said that none will. */
  readonly isBroken: boolean
  /** A person has let it be sent again, by a slip. */
  readonly hasSlip: boolean
  /** Whether a run has sent it although it could see that a slip was corrected. */
  readonly isBlind: boolean
}

/** How a world ended. */
export interface Report {
  /** How each run ended, before the jobs were run again. */
  readonly outcomes: readonly string[]
  /** Whether anything befell a run from its `in_progress` on that may leave a version in doubt. */
  readonly excused: boolean
  /** Whether every run that ended with "already published" was given the digest of the very version. */
  readonly truthful: boolean
  /** One for each version. */
  readonly stories: readonly Story[]
  /** How each of a person's marks ended. */
  readonly marks: readonly string[]
  /** Whether a run has sent a lower version after a higher one. */
  readonly falls: boolean
  /** How long the first rerun took, in milliseconds. */
  readonly took: number
  /** Whether a run that lived to its end has left an upload held. */
  readonly leaks: boolean
}

/** The promises that were broken in a world. */
export function breachesOf(report: Report): string[] {
  const { outcomes, excused, truthful, stories, falls, leaks } = report
  const promises: (readonly [broken: boolean, breach: string])[] = [
    [outcomes.includes('stuck'), 'a run never ended'],
    [!truthful, 'a run was given the digest of another file than the one that is published'],
    [falls, 'a lower version came last'],
    [leaks, 'an upload is left held']
  ]

  for (const story of stories) {
    const { versions, rerun, finally: last, finalVersions, isThere, hasSlip } = story
    const doubt = [...outcomes, rerun].some(it => it === 'in doubt' || it === 'unknown')
    const isMissing = !isThere && last !== 'lower'
    promises.push(
      [versions > 1 && !hasSlip, `${versions} versions`],
      [finalVersions > 1 && !hasSlip, `${finalVersions} versions in the end`],
      [story.isBlind, 'a run has sent what a person had corrected'],
      [story.isBroken && !hasSlip, 'a run has sent what a mark said that none will'],
      [doubt && !excused, 'in doubt without a reason'],
      [isMissing && rerun !== 'in doubt', 'no version after the job ran again'],
      [
        !/^(published|already published: .*|lower)$/.test(last),
        `the last run ended with "${last}"`
      ],
      [isMissing, 'no version after a person looked']
    )
  }
  return promises.filter(([broken]) => broken).map(([, breach]) => breach)
}
