// Uploads: how long they take, compared with curl and openssl.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CHANGELOG, PUBLISH, runWhole, TITLE, TOKEN } from './action.ts'
import { type Contestants, compare, type Figure, type Options, run } from './measure.ts'
import { startSink } from './sink.ts'

const FILE_OBJECT = '{"name": "file.zip", "content": "{base64}"}'
const FIELDS = {
  title: TITLE,
  changelog: CHANGELOG,
  changelog_format: 'markdown'
}

/** Our body and client alone, without the digest: the milliseconds from the call to the answer. */
async function sendOurs(url: string, file: string, kind: string): Promise<number> {
  const script = path.join(import.meta.dirname, 'send.ts')
  return Number((await run({ args: [script, url, file, kind] })).stdout)
}

/** The arguments of every curl. It prints the status and the seconds. */
function curlArguments(url: string): string[] {
  const options = [
    ['-q'],
    ['--silent'],
    ['--show-error'],
    ['--fail'],
    ['--http1.1'],
    ['--noproxy', '*'],
    ['--output', '/dev/null'],
    ['--write-out', '%{http_code} %{time_total}'],
    ['--header', `Authorization: Bearer ${TOKEN}`]
  ]
  return [...options.flat(), `${url}/api/products/1/versions`]
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

/** `$1` and `$3` are the JSON around the file `$2`; all others are curl's arguments. */
const PIPELINE = `set -e; before=$1; file=$2; after=$3; shift 3
{ printf %s "$before"; base64 -w0 "$file"; printf %s "$after"; } | curl "$@" -X POST -T -`

/** `base64` piped into curl, which sends it as it comes: the milliseconds of the whole pipeline. */
async function sendPipeline(url: string, file: string, size: number): Promise<number> {
  const body = {
    ...FIELDS,
    file: JSON.parse(FILE_OBJECT),
    version_name: '1.0.0'
  }
  const [before = '', after = ''] = JSON.stringify(body).split('{base64}')
  const length = before.length + 4 * Math.ceil(size / 3) + after.length

  // Without these curl would send chunks, which the shop does not take.
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

/** openssl: the digest of a file, as the action reads it before it sends. */
async function digest(file: string): Promise<void> {
  await run({ program: 'openssl', args: ['dgst', '-sha256', file] })
}

/**
 * The work of the whole action by other programs: a digest before anything is sent, then curl, and a second digest at
 * the same time. The milliseconds of both passes.
 */
async function sendInTwoPasses(url: string, file: string): Promise<number> {
  const startedAt = performance.now()
  await digest(file)
  await Promise.all([sendCurl(url, file), digest(file)])
  return performance.now() - startedAt
}

/** The whole action from `dist/`: the milliseconds of its process. */
function publish(url: string, file: string): Promise<number> {
  return runWhole(PUBLISH, {
    folder: path.dirname(file),
    expected: ['outcome', 'published'],
    inputs: {
      'base-url': url,
      token: TOKEN,
      product: '1',
      file: path.basename(file)
    }
  })
}

export async function* uploads(options: Options): AsyncGenerator<Figure> {
  const { folder, size } = options
  const { http, close } = await startSink()
  const url = `${http}/${size}`
  const large = path.join(folder, 'large.bin')

  // Random, as a packed archive is.
  await writeFile(large, randomBytes(size))

  const time = (figure: string, aim: number, contestants: Contestants) =>
    compare(options, { figure, unit: 'times', aim }, contestants)

  yield* time('http', 1.15, {
    ours: () => sendOurs(url, large, 'multipart'),
    curl: () => sendCurl(url, large)
  })
  yield* time('base64', 0.6, {
    ours: () => sendOurs(url, large, 'base64'),
    'base64 | curl': () => sendPipeline(url, large, size)
  })
  yield* time('whole action', 1.2, {
    ours: () => publish(url, large),
    'openssl, then curl & openssl': () => sendInTwoPasses(url, large)
  })

  close()
}
