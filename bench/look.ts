// Looks into one archive, and prints the milliseconds of the processor's time that it took.
import path from 'node:path'
import process from 'node:process'
import { inspectArchive } from '../src/file/archive.ts'
import { openArtifact } from '../src/file/artifact.ts'

const [, , file = ''] = process.argv
const folder = path.dirname(file)
const artifact = await openArtifact(file, folder, [folder])
const before = process.cpuUsage()
const { problems } = await inspectArchive(artifact, [], ['1.0.0'])
const { user, system } = process.cpuUsage(before)
await artifact.close()
if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
process.stdout.write(String((user + system) / 1000))
