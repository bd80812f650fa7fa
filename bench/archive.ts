// RecordView into an archive of 100,000 entries: the processor's time, and how much more memory than a plain file needs.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { rawZip } from '../__tests__/files/raw-zip.ts'
import { openArtifact } from '../src/files/artifact.ts'
import { inspectArchive } from '../src/files/wrong-archive.ts'
import { compare, type Figure, type Labels, type Options, openPeak, run } from './measure.ts'

export async function* archive(options: Options): AsyncGenerator<Figure> {
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    return {
      name: `gallery/folder-${index % 500}/file-${index}.js`,
      content: `content ${index}`
    }
  })
  const parts = entries.map(({ name, content }) => {
    const header = {
      name,
      size: content.length,
      type: 'file' as const
    }
    return { header, body: content }
  })

  const write = async (name: string, content: Buffer | string) => {
    const file = path.join(options.folder, name)
    await writeFile(file, content)
    return file
  }
  const archives = {
    zip: await write('a.zip', rawZip(entries)),
    'tar.gz': await write('a.tgz', gzipSync(await packTar(parts)))
  }
  // The action does not look into a file that is no archive.
  const none = await write('none.bin', 'x')

  const peak = openPeak(options.folder)
  const look = async (file: string) => {
    const args = [...peak.nodeArguments, import.meta.filename, file]
    return Number((await run({ args, env: peak.env })).stdout)
  }
  const weigh = async (file: string) => {
    await look(file)
    return peak.read()
  }

  for (const [kind, file] of Object.entries(archives)) {
    const figure = `${kind} of 100,000 entries`
    const time: Labels = { figure, unit: 'ms', aim: 1000 }
    yield* compare(options, time, { ours: () => look(file) })

    const memory: Labels = { figure: `memory, ${figure}`, unit: 'MiB more', aim: 80 }
    yield* compare(options, memory, {
      ours: () => weigh(file),
      'no archive': () => weigh(none)
    })
  }
}

// Looks into one archive, and prints the milliseconds of the processor's time that it took.
if (import.meta.main) {
  const [, , file = ''] = process.argv
  const artifact = await openArtifact(file, path.dirname(file), [path.dirname(file)])

  const before = process.cpuUsage()
  await inspectArchive(artifact, { lines: [], versions: ['1.0.0'], isAttached: false })
  const { user, system } = process.cpuUsage(before)

  await artifact.close()
  process.stdout.write(String((user + system) / 1000))
}
