// What the bundle starts from. Both actions are in it, so that what they share is there once; each loads
// only its own room. Imported here is what both of them need in every run.
import './runner/runner.ts'

/** Starts the publish action. */
export const publish = () => import('./publish/index.ts')

/** Starts the licenses action. */
export const licenses = () => import('./licenses/index.ts')

/** The section of a version in a changelog, for the notes of this repository's own releases. */
export const changelogSection = async (changelog: string, version: string, tag: string) =>
  (await import('./changelog/section.ts')).takeSection(changelog, version, tag)
