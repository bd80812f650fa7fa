// Uploads: how long they take and how much memory they need, beside curl.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runWhole, workspaceIn } from './action.ts'
import { type Kind, sendCurl, sendOurs, type Upload } from './clients.ts'
import { compareTimes, type Figure, printFigures, round, say } from './figures.ts'
import { openFolder } from './folder.ts'
import { openLink } from './link.ts'
import { inTurn, median, peakOf, run } from './measure.ts'
import { readOptions } from './options.ts'
import { checked, MIB, type Sample, writeSample } from './samples.ts'
import { type Sink, startSink } from './sink-process.ts'
import { FILE_OBJECT, TOKEN } from './texts.ts'

const DELAY = 50

const options = readOptions()
const { runs } = options

/** What all figures share: the sink, and a folder whose workspace holds the files. */
interface Bench {
  readonly folder: string
  readonly sink: Sink
  readonly cert: string
  readonly large: Sample
  readonly small: Sample
}

async function compareClients(
  sink: Sink,
  sample: Sample,
  figure: string,
  aim: number,
  upload: Pick<Upload, 'url' | 'kind'> & Partial<Upload>
): Promise<Figure> {
  const whole = { file: sample.path, size: sample.size, ...upload }
  const other = upload.kind === 'base64' ? 'base64 | curl' : 'curl'
  const ours = { name: 'ours', run: () => sendOurs(whole) }
  const theirs = { name: other, run: () => sendCurl(whole) }
  const { kind } = upload
  const contestants = [
    await checked(sink, sample, kind, ours),
    await checked(sink, sample, kind, theirs)
  ] as const
  return compareTimes({ figure, contestants, runs, aim })
}

/** Older versions of curl hold 1 GiB of standard input at most, and its base64 is a third longer than a file. */
const CURL_TAKES = 700 * MIB

async function compareBase64({ sink, folder, large }: Bench): Promise<Figure> {
  const compare = (figure: string, sample: Sample) =>
    compareClients(sink, sample, figure, 0.6, { url: sink.http, kind: 'base64' })
  try {
    return await compare('base64 over HTTP', large)
  } catch (error) {
    if (!(error instanceof Error && /--data-binary: out of memory/.test(error.message))) throw error
    say('This curl does not take so much from standard input: base64 is compared with 700 MiB.')
    const sample = await writeSample(path.join(folder, 'reduced.bin'), CURL_TAKES)
    return compare('base64 over HTTP, 700 MiB', sample)
  }
}

function publishWhole({ sink, folder }: Bench, sample: Sample, kind: Kind, more = {}) {
  return runWhole({
    folder,
    outcome: 'published',
    inputs: {
      'base-url': sink.http,
      token: TOKEN,
      product: '1',
      file: path.basename(sample.path),
      upload: kind,
      'base64-file': FILE_OBJECT,
      once: 'off'
    },
    ...more
  })
}

async function compareWhole(bench: Bench): Promise<Figure> {
  const { sink, large } = bench
  const upload = { url: sink.http, file: large.path, size: large.size, kind: 'multipart' } as const
  const digest = { program: 'openssl', args: ['dgst', '-sha256', large.path] }
  const ours = { name: 'ours', run: () => publishWhole(bench, large, 'multipart') }
  const theirs = { name: 'curl', run: () => sendCurl(upload) }
  const openssl = { name: 'openssl', run: async () => (await run(digest)).ms }
  const contestants = [
    await checked(sink, large, 'multipart', ours),
    await checked(sink, large, 'multipart', theirs),
    openssl
  ] as const
  return compareTimes({ figure: 'whole action', contestants, runs, aim: 1.35 })
}

async function compareMemory(bench: Bench, kind: Kind): Promise<Figure> {
  const peakFile = path.join(bench.folder, 'peak')
  const contestant = (name: string, sample: Sample) =>
    checked(bench.sink, sample, kind, {
      name,
      run: () =>
        peakOf(peakFile, (nodeArguments, env) =>
          publishWhole(bench, sample, kind, { nodeArguments, env })
        )
    })
  const { large, small } = bench
  const results = await inTurn(
    [await contestant('large', large), await contestant('1 KiB', small)],
    runs
  )
  const [ours = Number.NaN, other = Number.NaN] = results.map(all => median(all) / MIB)
  const difference = round(ours - other, 10)
  return {
    figure: `peak memory, ${kind}`,
    unit: 'MiB',
    values: { large: round(ours, 10), '1 KiB': round(other, 10) },
    ...{ difference, aim: 24, met: difference <= 24 }
  }
}

async function compareDelayed(bench: Bench): Promise<Figure | undefined> {
  const link = openLink(DELAY)
  if (typeof link === 'string') {
    say(`No figure over a delayed link, since this machine does not allow one: ${link}`)
    return undefined
  }
  const sink = await startSink(link.host, link.atServer)
  try {
    const sample = await writeSample(
      path.join(bench.folder, 'delayed.bin'),
      Math.min(options.size, 100 * MIB)
    )
    const upload = { url: sink.http, kind: 'multipart', before: link.atClient } as const
    return await compareClients(sink, sample, `delay of ${DELAY} ms`, 1, upload)
  } finally {
    sink.close()
    link.close()
  }
}

async function measure(bench: Bench): Promise<void> {
  const { sink, large, cert } = bench
  const clients = (figure: string, aim: number, upload: Parameters<typeof compareClients>[4]) =>
    compareClients(sink, large, figure, aim, upload)
  const all: Readonly<Record<string, () => Promise<Figure | undefined>>> = {
    http: () => clients('multipart over HTTP', 1.4, { url: sink.http, kind: 'multipart' }),
    tls: () => clients('multipart over TLS', 1.15, { url: sink.https, kind: 'multipart', cert }),
    base64: () => compareBase64(bench),
    whole: () => compareWhole(bench),
    memory: () => compareMemory(bench, 'multipart'),
    'memory-base64': () => compareMemory(bench, 'base64'),
    delay: () => compareDelayed(bench)
  }
  const figures: Figure[] = []
  try {
    for (const [name, figure] of Object.entries(all)) {
      if (!name.includes(options.only)) continue
      say(`… ${name}`)
      const done = await figure()
      if (done) figures.push(done)
    }
  } finally {
    printFigures('uploads', figures)
  }
}

const folder = await openFolder()
const sink = await startSink()
try {
  const workspace = workspaceIn(folder)
  await mkdir(workspace)
  const cert = path.join(folder, 'cert.pem')
  await writeFile(cert, sink.cert)
  const large = await writeSample(path.join(workspace, 'large.bin'), options.size)
  const small = await writeSample(path.join(workspace, 'small.bin'), 1024)
  await measure({ folder, sink, cert, large, small })
} finally {
  sink.close()
}
