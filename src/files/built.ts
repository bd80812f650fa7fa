// The built file of the workspace: found, the right one of two jars, and opened.
import { sep } from 'node:path'
import { throwIf } from '../runner/action-error.ts'
import { type Artifact, openArtifact, relativeTo } from './artifact.ts'
import { anchor, findFile, isFileThere } from './find.ts'
import { isExclusion, matcherOf, pathOf } from './patterns.ts'
import { faultInThinJar } from './wrong-file.ts'

/** The folders of a job. */
interface JobFolders {
  readonly workspace: string
  readonly temp: string
}

/**
 * Opens the one file that matches. Its user closes it.
 * @param patterns With all placeholders filled in.
 * @param written The patterns as the workflow has them, for messages.
 * @throws {ActionError} `no-file`, `several-files`, `bad-file` or `file-changed`.
 */
export async function openBuilt(
  patterns: readonly string[],
  { workspace, temp }: JobFolders,
  written: readonly string[]
): Promise<Artifact> {
  const path = await findFile(patterns, workspace, written)
  const fuller = await findFullerJar(path, patterns, workspace)
  throwIf(faultInThinJar(relativeTo(workspace, path), fuller && relativeTo(workspace, fuller)))
  return openArtifact(path, workspace, [workspace, temp])
}

/** The endings that Gradle's shadow, and Maven's shade and assembly, give to a jar that has its libraries in it. */
const FULLER = ['-all', '-shaded', '-jar-with-dependencies', '-fat']

/**
 * The path of a jar that has its libraries in it, next to one that may not; empty if there is none, or if an exclusion
 * says that the plain one is meant.
 */
async function findFullerJar(
  path: string,
  patterns: readonly string[],
  workspace: string
): Promise<string> {
  const [, stem] = /^(.*)\.jar$/i.exec(path) ?? []
  if (stem === undefined) return ''

  for (const word of FULLER) {
    const other = `${stem}${word}.jar`
    if (!(await isFileThere(other))) continue

    const exclusions = patterns.filter(isExclusion).flatMap(it => anchor(it, workspace))
    const isExcluded = await matcherOf(exclusions.map(pathOf), { nocase: sep === '\\' })
    return isExcluded(other.replaceAll(sep, '/')) ? '' : other
  }
  return ''
}
