// One upload by the body and the client alone, in a process of its own: no digest, no runner. Prints the milliseconds.
import { open } from 'node:fs/promises'
import process from 'node:process'
import { connect } from '../src/http/connection.ts'
import { parseTemplate } from '../src/shop/body.ts'
import { publishVersion } from '../src/shop/publish.ts'
import { CHANGELOG, FILE_OBJECT, TITLE, TOKEN, VERSION } from './texts.ts'

const CHUNK = 510 * 1024

/** As the action reads. */
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) break
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
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
  commit: async () => undefined
})
const ms = performance.now() - startedAt
if (result.kind !== 'published') throw new Error(JSON.stringify(result))
process.stdout.write(String(ms))
