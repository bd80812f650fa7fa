// One publication: everything that would be sent, once it is found, inspected and written. Frozen when it is made.
import type { Artifact } from '../files/artifact.ts'
import type { PresentRun } from '../ledger/same-content.ts'
import type { TaggedRelease } from '../release/find-release.ts'
import type { Names } from '../release/tag.ts'
import type { Subject } from '../report/result.ts'
import type { RunContext } from '../runner/runner.ts'
import type { TextSource, VersionFields } from '../shop/form.ts'
import type { Route } from '../shop/request.ts'

/** Which version it is, before its text and its file are known. */
export interface VersionIdentity {
  readonly route: Route
  readonly tagged: TaggedRelease
  /** The values for templates: the tag, the version in it, and the release's name. */
  readonly names: Names
  readonly versionName: string
  readonly title: string
  /** The commit that the tag names; empty if it is unknown. */
  readonly commit: string
}

/** Everything that is sent for a version, and where it comes from. */
export interface Publication extends VersionIdentity, VersionFields {
  readonly textSource: TextSource
  /** The pieces that were taken out of the changelog, as they were written. */
  readonly removed: readonly string[]
  readonly file: Artifact
  /** The file's, in hexadecimal digits. */
  readonly sha256: string
  /** The contents of an archive, in a line, or that nothing looked into the file. */
  readonly contents: string
}

/** A run with the file that it would send, to be compared with what is recorded. */
export function presentRunOf(
  { runId, runAttempt, job }: RunContext,
  { commit, sha256, file }: Publication
): PresentRun {
  return {
    runId,
    runAttempt,
    job,
    commit,
    sha256,
    fileSource: file.origin.source,
    filePath: file.path
  }
}

/** A file as people read it: its path, or the name of an attached one and the tag. */
export function describeSentFile({ name, path, origin }: Artifact, tag: string): string {
  return origin.source === 'release' ? `${name}, attached to ${tag}` : path
}

/** A publication as the report shows it. */
export function subjectOf(publication: Publication): Subject {
  return {
    tagged: publication.tagged,
    route: publication.route,
    versionName: publication.versionName,
    title: publication.title,
    changelog: publication.changelog,
    removed: publication.removed,
    contents: publication.contents,
    file: describeSentFile(publication.file, publication.tagged.tag),
    size: publication.file.size,
    sha256: publication.sha256
  }
}
