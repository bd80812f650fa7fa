// The sandbox in a process of its own: the service and GitHub, for `startup.ts`.
import process from 'node:process'
import { startGitHub } from '../sandbox/github.ts'
import { startService } from '../sandbox/service.ts'
import { benchRelease, REPOSITORY } from './action.ts'
import { GITHUB_TOKEN, TOKEN } from './texts.ts'

const service = await startService({
  token: TOKEN,
  products: [{ id: 1, yours: true, benefits: [] }]
})
const github = await startGitHub({ token: GITHUB_TOKEN, repository: REPOSITORY })
github.addRelease(benchRelease())
process.on('disconnect', async () => {
  await Promise.all([service.close(), github.close()])
  process.exit()
})
process.send?.({ service: service.url, github: github.url })
