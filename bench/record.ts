// A publication of 1 MiB with the record, by a GitHub that is 100 ms away and silent about how late its lists are.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zipSync } from 'fflate'
import { startGitHub } from '../sandbox/github.ts'
import { startService } from '../sandbox/service.ts'
import { PUBLISH, REPOSITORY, runWhole, TOKEN } from './action.ts'
import { compare, type Figure, type Options } from './measure.ts'

const FILE = 'file.zip'

export async function* record(options: Options): AsyncGenerator<Figure> {
  const { folder } = options
  const zip = zipSync({ 'gallery/content': randomBytes(1024 ** 2) }, { level: 0 })
  await writeFile(path.join(folder, FILE), zip)
  const products = [{ id: 1, yours: true, benefits: [] }]
  const service = await startService({ token: TOKEN, products })
  const far = { latency: 100, hidesLag: true }
  let requests = 0
  const publish = async () => {
    // Each run has a GitHub of its own: the record would stop the second.
    const github = await startGitHub({ token: TOKEN, repository: REPOSITORY, ...far })
    github.addTag('v1.0.0', 'a'.repeat(40))
    const ms = await runWhole(PUBLISH, {
      ...{ folder, expected: ['outcome', 'published'], env: { GITHUB_API_URL: github.url } },
      inputs: {
        ...{ 'base-url': service.url, token: TOKEN, 'github-token': TOKEN },
        ...{ product: '1', file: FILE }
      }
    })
    requests = github.requests.length
    await github.close()
    return ms
  }
  const labels = { figure: 'publish with the record', unit: 'ms', aim: 9000 } as const
  yield* compare(options, labels, { ours: publish })
  const counted = { figure: `${labels.figure}, requests`, unit: 'requests', aim: 16 } as const
  yield* compare({ ...options, runs: 1 }, counted, { ours: async () => requests })
  await service.close()
}
