// Reports without credentials: what the service sends back is shown in places that no runner masks. Pure.
import { type Conceal, concealing } from '../runner/secrets.ts'
import type { Report, Reports } from './report.ts'

/** The same reports with `***` for each secret, and whether one was found. */
export function concealIn(
  reports: Reports,
  secrets: readonly string[]
): { readonly reports: Reports; readonly found: boolean } {
  const conceal = concealing(secrets)
  let found = false
  const noting: Conceal = text => {
    const shown = conceal(text)
    found ||= shown !== text
    return shown
  }
  const [first, ...others] = reports
  const concealed: Reports = [
    concealReport(first, noting),
    ...others.map(report => concealReport(report, noting))
  ]
  return { reports: concealed, found }
}

function concealReport(report: Report, conceal: Conceal): Report {
  const { message, advice, annotations, fields, subject, preview } = report
  const about = subject && {
    ...subject,
    versionName: conceal(subject.versionName),
    title: conceal(subject.title),
    changelog: conceal(subject.changelog)
  }
  return {
    ...report,
    message: conceal(message),
    advice: conceal(advice),
    annotations: annotations.map(({ kind, title, message: text }) => {
      return { kind, title: conceal(title), message: conceal(text) }
    }),
    fields: concealMembers(fields, conceal),
    ...(about ? { subject: about } : {}),
    ...(preview === undefined ? {} : { preview: conceal(preview) })
  }
}

/** The names, too: the service may send any. Nothing here is nested beyond reason. */
function concealMembers(object: object, conceal: Conceal): Readonly<Record<string, unknown>> {
  const entries = Object.entries(object)
  return Object.fromEntries(
    entries.map(([name, value]) => [conceal(name), concealValue(value, conceal)])
  )
}

function concealValue(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value)
  if (Array.isArray(value)) return value.map(item => concealValue(item, conceal))
  return typeof value === 'object' && value !== null ? concealMembers(value, conceal) : value
}
