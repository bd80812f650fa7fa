// One upload by the body and the client alone, in a process of its own: no digest, no runner. Prints the milliseconds.
import { open, stat } from 'node:fs/promises'
import process from 'node:process'
import { VERSION_FIELDS } from '../__tests__/support/version-fields.ts'
import { readAhead } from '../src/files/artifact.ts'
import { connect } from '../src/http/connection.ts'
import { parseTemplate } from '../src/shop/body.ts'
import { startUpload } from '../src/shop/upload.ts'

const [, , baseUrl = '', path = '', kind = ''] = process.argv

const { size } = await stat(path)
const handle = await open(path)

const readAt = (buffer: Buffer, position: number) =>
  handle.read(buffer, 0, buffer.length, position).then(() => buffer)

const chunks = () => readAhead(readAt, size)
const template = kind === 'base64' ? '{"name": "file.zip", "content": "{base64}"}' : undefined

const startedAt = performance.now()
const upload = await startUpload(connect, {
  service: { baseUrl, token: 'bench-token-that-opens-nothing' },
  route: { product: 1 },
  fields: {
    ...VERSION_FIELDS,
    versionName: '1.0.0',
    title: 'Bench',
    changelog: '- Faster.'
  },
  file: {
    name: 'file.zip',
    size,
    chunks
  },
  template: template && parseTemplate(template),
  patience: {
    stall: 60_000,
    answer: 300_000,
    grace: 5000
  },
  signal: new AbortController().signal,
  conceal: String
})
const result = upload.kind === 'held' ? await upload.finish() : upload
const ms = performance.now() - startedAt

if (result.kind !== 'published') throw new Error(JSON.stringify(result))
process.stdout.write(String(ms))
