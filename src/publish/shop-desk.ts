// The shop as one run asks it.
import type { Connect } from '../http/exchange.ts'
import type { Asked } from '../report/asked.ts'
import { CancelledError } from '../runner/cancellation.ts'
import type { Runner } from '../runner/runner.ts'
import { type CheckResult, checkRoute } from '../shop/check.ts'
import type { Clock } from './clock.ts'
import type { PublishConfig } from './config.ts'

/** The way to the shop, and the run that takes it. */
export interface ShopDesk {
  readonly connect: Connect
  readonly runner: Runner
  readonly asked: Asked
  readonly config: PublishConfig
  readonly clock: Clock
}

/** Asks the shop with a request that has no field of a version, and so cannot publish. */
export async function requestCheck({ connect, runner, config }: ShopDesk): Promise<CheckResult> {
  const { baseUrl, token, route, upload, stallTimeout, responseTimeout } = config
  const result = await checkRoute(connect, {
    service: { baseUrl, token },
    route,
    upload,
    patience: { stall: stallTimeout, answer: responseTimeout },
    signal: runner.cancelled,
    conceal: runner.conceal
  })

  if (result.kind === 'noAnswer' && result.cause instanceof CancelledError) throw result.cause
  return result
}
