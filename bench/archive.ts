// Looking into an archive of 100,000 entries: the processor's time, and the memory beside what is no archive.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { rawZip } from '../__tests__/file/raw-zip.ts'
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
  const ours = await place('a.zip', rawZip(entries, { zip64: true }))
  // Nothing is looked into.
  const none = await place('none.bin', 'x')
  const weigh = (look: typeof ours) => () => look().then(peak.read)
  const contestants = { ours: weigh(ours), 'no archive': weigh(none) }
  const memory = { figure: 'memory, zip of 100,000 entries', unit: 'MiB', aim: 100 } as const
  yield* compare(options, { figure: 'zip of 100,000 entries', unit: 'ms', aim: 1300 }, { ours })
  yield* compare(options, memory, contestants)
}

/** Looks into one archive, and prints the milliseconds of the processor's time that it took. */
async function lookInto(file: string): Promise<void> {
  const artifact = await openArtifact(file, path.dirname(file), [path.dirname(file)])
  const before = process.cpuUsage()
  const { problems } = await inspectArchive(artifact, [], ['1.0.0'])
  const { user, system } = process.cpuUsage(before)
  await artifact.close()
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  process.stdout.write(String((user + system) / 1000))
}

if (import.meta.main) await lookInto(process.argv[2] ?? '')
