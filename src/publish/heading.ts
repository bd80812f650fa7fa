// What a check says in its heading of the version that it was started for.
import type { Run } from './adapters.ts'
import type { TargetInputs } from './inputs.ts'
import { versionsOf } from './memory.ts'
import { nameTargets, tagOfRun } from './naming.ts'
import type { Report } from './report.ts'

/**
 * The report of a check, with a heading that says so when the version of the run's tag is not published: a check is
 * green, and who pressed the button with a tag takes it for a publication.
 */
export async function headCheck(run: Run, target: TargetInputs, report: Report): Promise<Report> {
  const { inputs, runner } = run
  const tag = tagOfRun(runner)
  if (report.outcome !== 'checked' || tag === '' || inputs.once === 'off') return report
  const tagged = { tag, release: undefined, standIn: '', ownCommit: false }
  const { named, problems } = nameTargets({ ...inputs, targets: [target] }, tagged)
  // A check does not read the release, and so does not know its name.
  const isNamed = problems.length === 0 && !target.versionName.includes('{name}')
  const [one] = isNamed ? named : []
  if (!one) return report
  const memory = await versionsOf(run, one.route).catch(() => undefined)
  const standing = await memory?.standing(one.versionName).catch(() => undefined)
  if (standing?.state !== 'none') return report
  return { ...report, heading: `Checked. ${tag} is not published` }
}
