// One upload by the body and the client alone, in a process of its own: no digest, no runner. Prints the milliseconds.
import { open } from 'node:fs/promises'
import process from 'node:process'
import { connect } from '../src/http/connection.ts'
import { parseTemplate } from '../src/shop/body.ts'
import { publishVersion } from '../src/shop/publish.ts'
import { CHANGELOG, FILE_OBJECT, TITLE, TOKEN, VERSION } from './texts.ts'

const CHUNK = 510 * 1024

/** As the action reads, with the next read under way while the last is sent. */
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  const [first, second] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)]
  let position = 0
  let [now, next] = [first, second]
  let reading = file.read(now, 0, CHUNK, position)
  for (;;) {
    const { bytesRead } = await reading
    if (bytesRead === 0) break
    position += bytesRead
    reading = file.read(next, 0, CHUNK, position)
    yield now.subarray(0, bytesRead)
    ;[now, next] = [next, now]
  }
  await file.close()
}

const [, , baseUrl = '', path = '', size = '', kind = ''] = process.argv
const template = kind === 'base64' ? parseTemplate(FILE_OBJECT) : undefined
const startedAt = performance.now()
const result = await publishVersion(connect, {
  service: { baseUrl, token: TOKEN },
  route: { product: 1 },
  fields: {
    versionName: VERSION,
    title: TITLE,
    changelog: CHANGELOG,
    changelogFormat: 'markdown'
  },
  file: { name: 'file.zip', size: Number(size), chunks: () => readChunks(path) },
  template,
  patience: { stall: 60_000, answer: 300_000, grace: 5000 },
  signal: new AbortController().signal,
  permit: async () => undefined
})
const ms = performance.now() - startedAt
if (result.kind !== 'published') throw new Error(JSON.stringify(result))
process.stdout.write(String(ms))
