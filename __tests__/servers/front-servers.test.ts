// Tests of src/publish with all that it calls: uploads through servers that put their own word in the place of the
// shop's, after the shop has stored the version.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { SHORTEST_UPLOAD } from '../../sandbox/service.ts'
import { firstNote, openStage } from '../faults/stage.ts'
import { openServers, over, type Servers, startApache, startNginx } from './programs.ts'

/** The shop does this once it has stored an upload. */
const FAILS: Fault = {
  kind: 'answer',
  status: 500,
  body: { message: 'Server Error' },
  least: SHORTEST_UPLOAD
}
const ANSWERS: Fault = { kind: 'slow-answer', ms: 1, least: SHORTEST_UPLOAD }

type Start = (servers: Servers, shop: number) => Promise<number>
const nginx =
  (settings: string): Start =>
  (servers, shop) =>
    startNginx(servers, shop, `client_max_body_size 64m; proxy_read_timeout 1s; ${settings}`)

const FIREWALL = ['apache2', 'libapache2-mod-security2', 'modsecurity-crs']
const MISSING = 'location = /50x.html { root /nowhere; }'
const SETUPS: readonly (readonly [string, Start, Fault, string])[] = [
  [
    'nginx that intercepts the shop’s errors',
    nginx(`proxy_intercept_errors on; error_page 500 502 503 504 /50x.html; ${MISSING}`),
    FAILS,
    'answered 404 (nginx, a page called "404 Not Found")'
  ],
  [
    'Apache with mod_security, which reads answers',
    startApache,
    ANSWERS,
    'answered 403 (Apache, “403 Forbidden”)'
  ]
]

// A firewall takes this for a leak when the shop repeats it.
const changelog = '- Fixed: Call to undefined method Album::sorted'

for (const [name, start, fault, said] of SETUPS) {
  const needs = start === startApache ? FIREWALL : ['nginx']
  over(needs)(`${name} (needs ${needs.join(', ')})`, () => {
    test('answers in place of a shop that has stored the version: it is in doubt, and one after a re-run', async () => {
      await using servers = await openServers()
      await using stage = await openStage()
      const port = await start(servers, Number(new URL(stage.service.url).port))
      const inputs = { 'base-url': `http://127.0.0.1:${port}`, changelog }
      stage.service.misbehave(fault)

      const run = await stage.run({ inputs })

      expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
      expect(firstNote(run)).toContain(said)

      const again = await stage.run({ inputs, attempt: 2 })
      expect(again.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
      expect([stage.service.versions.length, stage.histories()]).toEqual([1, ['in_progress error']])
    })

    test('passes on the shop’s other answers', async () => {
      await using servers = await openServers()
      await using stage = await openStage()
      const port = await start(servers, Number(new URL(stage.service.url).port))
      const inputs = { 'base-url': `http://127.0.0.1:${port}` }

      const refused = await stage.run({ inputs: { ...inputs, token: 'another' } })
      expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })

      const run = await stage.run({ inputs })
      expect([run.outputs.outcome, stage.service.versions.length]).toEqual(['published', 1])
    })
  })
}
