// Uploads: how long they take and how much memory they need, beside curl and openssl.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CHANGELOG, PUBLISH, runWhole, TITLE, TOKEN } from './action.ts'
import { type Contestants, compare, type Figure, type Options, openPeak, run } from './measure.ts'
import { startSink } from './sink.ts'

const FILE_OBJECT = '{"name": "file.zip", "content": "{base64}"}'
const FIELDS = { title: TITLE, changelog: CHANGELOG, changelog_format: 'markdown' }

/** Our body and client alone, without the digest: the milliseconds from the call to the answer. */
async function sendOurs(url: string, file: string, kind: string): Promise<number> {
  const script = path.join(import.meta.dirname, 'send.ts')
  return Number((await run({ args: [script, url, file, kind] })).stdout)
}

function curlArguments(url: string): string[] {
  return [
    ...['-q', '--silent', '--show-error', '--fail', '--http1.1', '--noproxy', '*'],
    ...['--output', '/dev/null', '--write-out', '%{http_code} %{time_total}'],
    ...['--header', `Authorization: Bearer ${TOKEN}`],
    `${url}/api/products/1/versions`
  ]
}

/** curl: the milliseconds by its own clock. */
async function sendCurl(url: string, file: string): Promise<number> {
  const fields = Object.entries({ ...FIELDS, version_name: '1.0.0' })
  const form = fields.flatMap(([name, value]) => ['--form-string', `${name}=${value}`])
  const args = [...curlArguments(url), ...form, '--form', `file=@${file}`]
  const [status, seconds] = (await run({ program: 'curl', args })).stdout.split(' ')
  if (status !== '201') throw new Error(`curl got ${status}`)
  return Number(seconds) * 1000
}

/** `$1` and `$3` are the JSON around the file `$2`; what follows is curl's. */
const PIPELINE = `set -e; before=$1; file=$2; after=$3; shift 3
{ printf %s "$before"; base64 -w0 "$file"; printf %s "$after"; } | curl "$@" -X POST -T -`

/** `base64` piped into curl, which sends it as it comes: the milliseconds of the whole pipeline. */
async function sendPipeline(url: string, file: string, size: number): Promise<number> {
  const body = { ...FIELDS, file: JSON.parse(FILE_OBJECT), version_name: '1.0.0' }
  const [before = '', after = ''] = JSON.stringify(body).split('{base64}')
  const length = before.length + 4 * Math.ceil(size / 3) + after.length
  // Without these it would send chunks, which the shop does not take.
  const headers = [
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Transfer-Encoding:'
  ]
  const request = [...curlArguments(url), ...headers.flatMap(it => ['--header', it])]
  const args = ['-c', PIPELINE, 'sh', before, file, after, ...request]
  const { ms, stdout } = await run({ program: 'sh', args })
  if (!stdout.startsWith('201 ')) throw new Error(`curl got ${stdout}`)
  return ms
}

export async function* uploads(options: Options): AsyncGenerator<Figure> {
  const { folder, size } = options
  const sink = await startSink()
  const [large, tiny] = [path.join(folder, 'large.bin'), path.join(folder, 'tiny.bin')]
  // Random, as a packed archive is.
  await writeFile(large, randomBytes(size))
  await writeFile(tiny, randomBytes(1024))
  const http = `${sink.http}/${size}`
  const time = (figure: string, aim: number, contestants: Contestants) =>
    compare(options, { figure, unit: 'times', aim }, contestants)

  yield* time('http', 1.15, {
    ours: () => sendOurs(http, large, 'multipart'),
    curl: () => sendCurl(http, large)
  })
  yield* time('base64', 0.6, {
    ours: () => sendOurs(http, large, 'base64'),
    'base64 | curl': () => sendPipeline(http, large, size)
  })
  const publish = (file: string, bytes: number, upload: string, more = {}) => {
    const [url, name] = [`${sink.http}/${bytes}`, path.basename(file)]
    const given = {
      'base-url': url,
      token: TOKEN,
      product: '1',
      file: name,
      record: 'false',
      upload
    }
    const inputs = { ...given, 'base64-file': FILE_OBJECT }
    return runWhole(PUBLISH, { folder, expected: ['outcome', 'published'], inputs, ...more })
  }
  const digest = () => run({ program: 'openssl', args: ['dgst', '-sha256', large] })
  yield* time('whole action', 1.3, {
    ours: () => publish(large, size, 'multipart'),
    'curl & openssl': async () => {
      const startedAt = performance.now()
      await Promise.all([sendCurl(http, large), digest()])
      return performance.now() - startedAt
    }
  })
  const peak = openPeak(folder)
  for (const upload of ['multipart', 'base64']) {
    const weigh = (file: string, bytes: number) => async () => {
      await publish(file, bytes, upload, peak)
      return peak.read()
    }
    const contestants = { large: weigh(large, size), '1 KiB': weigh(tiny, 1024) }
    yield* compare(options, { figure: `memory, ${upload}`, unit: 'MiB more', aim: 16 }, contestants)
  }
  sink.close()
}
