// Twins: targets that would be the same publication, which is a fault. Pure.
import type { Fault } from '../runner/values.ts'
import { describeRoute, type Named } from './naming.ts'
import type { TargetInputs } from './target-inputs.ts'

/** Targets that would be the same publication. */
export function findTwins(
  targets: readonly { readonly inputs: TargetInputs; readonly named: Named }[]
): Fault[] {
  const first = new Map<string, string>()
  return targets.flatMap(({ inputs, named: { route, versionName } }) => {
    const key = JSON.stringify([route.product, route.benefit ?? null, versionName])
    const twin = first.get(key)
    if (twin === undefined) {
      first.set(key, inputs.place)
      return []
    }
    const message = `is the same publication as ${twin}: product ${describeRoute(route)}, version "${versionName}"`
    return [{ place: inputs.place, message }]
  })
}
