// 100,000 licenses, listed and compared with a bare loop over the same pages; and the memory that a million take.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { Client } from 'undici'
import { LICENSES, runWhole } from './action.ts'
import { compare, type Figure, type Labels, type Options, openPeak, run } from './measure.ts'

/** How many licenses are listed when the time counts. */
const TIMED = 100_000
/** How many the service has, listed when the memory counts. */
const ALL = 1_000_000
/** V8 lets the space for new objects grow to 128 MiB, which would hide what the licenses take. */
const YOUNG = '--max-semi-space-size=8'

export async function* licenses(options: Options): AsyncGenerator<Figure> {
  const { folder } = options
  const server = fork(path.join(import.meta.dirname, 'license-server.ts'))
  const [address]: readonly unknown[] = await once(server, 'message')

  const peak = openPeak(folder)
  const nodeArguments = [...peak.nodeArguments, YOUNG]
  for (const size of [100, 1000]) {
    const url = `http://${address}/${size}`
    const list = (format: string, count: number, more = {}) => {
      const limit = count === ALL ? {} : { 'max-pages': String(count / size) }
      return runWhole(LICENSES, {
        folder,
        expected: ['count', String(count)],
        inputs: {
          'base-url': url,
          'api-key': 'bench-key',
          format,
          ...limit
        },
        ...more
      })
    }

    const args = [import.meta.filename, url, String(TIMED / size)]
    const undici = async () => (await run({ args })).ms
    for (const format of ['json', 'csv']) {
      const labels: Labels = {
        figure: `${format}, pages of ${size}`,
        unit: 'times',
        aim: 2.5
      }
      yield* compare(options, labels, { ours: () => list(format, TIMED), undici })
    }

    const weigh = (count: number) => async () => {
      await list('json', count, { env: peak.env, nodeArguments })
      return peak.read()
    }
    const labels: Labels = {
      figure: `memory, pages of ${size}`,
      unit: 'MiB more',
      // 200 bytes a license.
      aim: 190
    }
    yield* compare(options, labels, { million: weigh(ALL), 'one page': weigh(size) })
  }
  server.disconnect()
}

/** Listing is compared with this: it asks for one page after another, and throws the bodies away. */
async function readBare(baseUrl: string, pages: number): Promise<void> {
  const { origin, pathname } = new URL(baseUrl)
  const client = new Client(origin)
  for (let page = 1; page <= pages; page++) {
    const path = `${pathname}/api/v1/licenses?page=${page}`
    const { body } = await client.request({ method: 'GET', path })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  }
  await client.close()
}

if (import.meta.main) await readBare(process.argv[2] ?? '', Number(process.argv[3]))
