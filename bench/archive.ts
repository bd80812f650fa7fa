// Looking into an archive of 100,000 entries: the processor's time, and the memory beside what is no archive.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { rawZip } from '../__tests__/files/raw-zip.ts'
import { inspectArchive } from '../src/files/archive.ts'
import { openArtifact } from '../src/files/artifact.ts'
import { compare, type Figure, type Options, openPeak, run } from './measure.ts'

export async function* archive(options: Options): AsyncGenerator<Figure> {
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    return { name: `gallery/folder-${index % 500}/file-${index}.js`, content: `content ${index}` }
  })
  const peak = openPeak(options.folder)
  const place = async (name: string, content: Buffer | string) => {
    const file = path.join(options.folder, name)
    await writeFile(file, content)
    const args = [...peak.nodeArguments, import.meta.filename, file]
    return async () => Number((await run({ args, env: peak.env })).stdout)
  }
  const parts = entries.map(({ name, content }) => {
    return { header: { name, size: content.length, type: 'file' as const }, body: content }
  })
  const looks = {
    zip: await place('a.zip', rawZip(entries)),
    'tar.gz': await place('a.tgz', gzipSync(await packTar(parts)))
  }
  // Nothing is looked into.
  const none = await place('none.bin', 'x')
  const weigh = (look: typeof none) => () => look().then(peak.read)
  for (const [kind, look] of Object.entries(looks)) {
    const figure = `${kind} of 100,000 entries`
    yield* compare(options, { figure, unit: 'ms', aim: 1000 }, { ours: look })
    const contestants = { ours: weigh(look), 'no archive': weigh(none) }
    yield* compare(options, { unit: 'MiB more', aim: 80, figure: `memory, ${figure}` }, contestants)
  }
}

// Looks into one archive, and prints the milliseconds of the processor's time that it took.
if (import.meta.main) {
  const [, , file = ''] = process.argv
  const artifact = await openArtifact(file, path.dirname(file), [path.dirname(file)])
  const before = process.cpuUsage()
  await inspectArchive(artifact, { rules: [], versions: ['1.0.0'] })
  const { user, system } = process.cpuUsage(before)
  await artifact.close()
  process.stdout.write(String((user + system) / 1000))
}
