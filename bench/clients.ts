// Those that upload: our body and client alone, and curl in both forms. Each takes one file to the sink once.
import path from 'node:path'
import { execPath } from 'node:process'
import { type Command, run } from './measure.ts'
import { CHANGELOG, FILE_OBJECT, TITLE, TOKEN, VERSION } from './texts.ts'

export type Kind = 'multipart' | 'base64'

export interface Upload {
  /** The sink's address. */
  readonly url: string
  readonly file: string
  readonly size: number
  readonly kind: Kind
  /** Path of the certificate to trust. */
  readonly cert?: string
  /** A command to run it by, such as `ip netns exec NAME`. */
  readonly before?: readonly string[]
}

/** Our body and client: the milliseconds from the call to the answer. */
export async function sendOurs(upload: Upload): Promise<number> {
  const { url, file, size, kind, cert, before } = upload
  const script = path.join(import.meta.dirname, 'send.ts')
  const { stdout } = await run(
    by(before, {
      program: execPath,
      args: [script, url, file, String(size), kind],
      env: cert === undefined ? {} : { NODE_EXTRA_CA_CERTS: cert }
    })
  )
  return Number(stdout)
}

/** curl: the milliseconds by its own clock, or for base64 the time of the whole pipeline. */
export async function sendCurl(upload: Upload): Promise<number> {
  const { kind, before } = upload
  const { ms, stdout } = await run(by(before, kind === 'base64' ? pipeline(upload) : curl(upload)))
  const [status = '', seconds = ''] = stdout.split(' ')
  if (status !== '201') throw new Error(`curl got ${status}`)
  return kind === 'base64' ? ms : Number(seconds) * 1000
}

function by(before: readonly string[] = [], command: Command): Command {
  const [program, ...args] = [...before, command.program, ...command.args]
  return program === undefined ? command : { ...command, program, args }
}

function curl({ url, file, cert }: Upload): Command {
  const field = (name: string, value: string) => ['--form-string', `${name}=${value}`]
  return {
    program: 'curl',
    args: [
      ...common(cert),
      ...field('title', TITLE),
      ...field('changelog', CHANGELOG),
      ...field('changelog_format', 'markdown'),
      ...['--form', `file=@${file};type=application/octet-stream`],
      ...field('version_name', VERSION),
      `${url}/api/products/1/versions`
    ]
  }
}

/** `$1` and `$3` are the JSON around the file `$2`; what follows is curl's. */
const PIPELINE = [
  'set -e; before=$1; file=$2; after=$3; shift 3',
  '{ printf %s "$before"; base64 -w0 "$file"; printf %s "$after"; } | curl "$@" --data-binary @-'
].join('\n')

function pipeline({ url, file, cert }: Upload): Command {
  const [before = '', after = ''] = JSON.stringify({
    title: TITLE,
    changelog: CHANGELOG,
    changelog_format: 'markdown',
    file: JSON.parse(FILE_OBJECT),
    version_name: VERSION
  }).split('{base64}')
  const header = ['--header', 'Content-Type: application/json']
  const request = [...common(cert), ...header, `${url}/api/products/1/versions`]
  return { program: 'sh', args: ['-c', PIPELINE, 'sh', before, file, after, ...request] }
}

function common(cert: string | undefined): string[] {
  return [
    ...['-q', '--silent', '--show-error', '--fail', '--http1.1', '--noproxy', '*'],
    ...['--output', '/dev/null', '--write-out', '%{http_code} %{time_total}'],
    ...['--header', `Authorization: Bearer ${TOKEN}`],
    ...(cert === undefined ? [] : ['--cacert', cert])
  ]
}
