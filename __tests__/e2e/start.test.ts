// Tests of dist/: the action starts with its credentials hidden, and the same in whatever process.
import { expect, test } from '@jest/globals'
import { GITHUB_TOKEN, openShop, TOKEN } from '../support/shop.ts'

// Every run is searched for credentials, debug output included.
test('credentials are masked before anything else is printed, and go to their own service alone', async () => {
  await using shop = await openShop()
  const run = await shop.publish({ secrets: [], debug: true })

  expect(run.masks).toEqual(expect.arrayContaining([TOKEN, GITHUB_TOKEN]))

  const [first, second] = run.stdout.split('\n')
  expect([first, second].every(line => line?.startsWith('::add-mask::'))).toBe(true)

  const toGitHub = JSON.stringify(shop.github.requests)
  const toShop = shop.service.requests.map(({ headers, body }) => [headers, body.toString()])
  expect([toGitHub.includes(GITHUB_TOKEN), toGitHub.includes(TOKEN)]).toEqual([true, false])
  expect(JSON.stringify(toShop)).toContain(TOKEN)
  expect(JSON.stringify(toShop)).not.toContain(GITHUB_TOKEN)
})

test('a run says the same in a process of its own as in one that others have used', async () => {
  await using shop = await openShop()
  const sharing = [await shop.publish(), await shop.publish(), await shop.publish()]
  const { outputs, summary, stdout } = await shop.publish({ nodeArguments: ['--no-warnings'] })

  expect(sharing[0]?.outputs.outcome).toBe('published')
  for (const run of sharing.slice(1)) {
    expect(run).toMatchObject({
      outputs,
      summary,
      stdout,
      exitCode: 0
    })
  }
})
