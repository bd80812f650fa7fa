// Outputs that a job can pass on: what is too long for GitHub is left out, and said so. Pure.
import { VERSION_FIELDS } from '../shop/version.ts'
import { outputsOf, type Report, type Reports, stringify, textOf } from './report.ts'

/** GitHub takes 1 MiB for all outputs of a job, counted in UTF-16; the job has other steps. */
const LIMIT = 1_000_000
/** Of so many fields a warning gives the names. */
const NAMED = 10

const DOCUMENTED: ReadonlySet<string> = new Set(VERSION_FIELDS)

interface Candidate {
  readonly index: number
  readonly field: string
  /** How many bytes go with it. */
  readonly gain: number
}

/** The reports with the longest fields left out until the outputs fit, and a warning that names them. */
export function fitOutputs(reports: Reports): {
  readonly fitting: Reports
  /** Empty when everything fits. */
  readonly leftOut: string
} {
  const excess = measure(reports) - LIMIT
  if (excess <= 0) return { fitting: reports, leftOut: '' }
  let gained = 0
  const dropped = candidatesIn(reports).filter(({ gain }) => {
    const needed = gained < excess
    if (needed) gained += gain
    return needed
  })
  const [first, ...others] = reports
  const without = (report: Report, index: number): Report => {
    const names = new Set(dropped.filter(it => it.index === index).map(({ field }) => field))
    const kept = Object.entries(report.fields).filter(([name]) => !names.has(name))
    return { ...report, fields: Object.fromEntries(kept) }
  }
  const fitting: Reports = [without(first, 0), ...others.map((it, index) => without(it, index + 1))]
  return { fitting, leftOut: warningOf(dropped, reports.length > 1) }
}

function measure(reports: Reports): number {
  return outputsOf(reports).reduce((bytes, [, value]) => bytes + 2 * value.length, 0)
}

/** Every field of every record, the longest first: ids are the last to go. */
function candidatesIn(reports: Reports): Candidate[] {
  const candidates = reports.flatMap(({ fields }, index) =>
    Object.entries(fields).map(([field, value]) => {
      const documented = DOCUMENTED.has(field)
      const times = field === 'id' ? 2 : 1
      const single = index === 0 && documented ? textOf(value).length : 0
      // Where a documented field was, `versions` has `null`; of any other nothing stays.
      const left = documented ? 'null'.length : -JSON.stringify(field).length
      const inVersions = Math.max(stringify(value).length - left, 0)
      return { index, field, gain: 2 * times * (single + inVersions) }
    })
  )
  return candidates.toSorted((a, b) => b.gain - a.gain)
}

function warningOf(dropped: readonly Candidate[], several: boolean): string {
  const names = dropped
    .slice(0, NAMED)
    .map(({ index, field }) => (several ? `${field} of versions[${index}]` : field))
  const more = dropped.length > NAMED ? ` and ${dropped.length - NAMED} more` : ''
  return (
    'All outputs of a job may hold 1 MB, so these are left empty, and null in `versions`: ' +
    `${names.join(', ')}${more}. The changelog that was sent stands in the log, ` +
    'and the record is in the shop.'
  )
}
