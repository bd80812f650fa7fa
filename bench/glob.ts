// Finding the file: the action's patterns over a large tree, beside a bare walk through it.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execPath } from 'node:process'
import { compareTimes, printFigures } from './figures.ts'
import { openFolder } from './folder.ts'
import { type Contestant, run } from './measure.ts'
import { readOptions } from './options.ts'

/** Files in a folder, and folders in a folder. */
const WIDTH = 100

/** As many empty files, and the one archive among them. */
async function plantTree(root: string, files: number): Promise<void> {
  for (let start = 0; start < files; start += WIDTH) {
    const number = start / WIDTH
    const folder = path.join(root, `group-${Math.floor(number / WIDTH)}`, `folder-${number}`)
    await mkdir(folder, { recursive: true })
    const names = Array.from({ length: Math.min(WIDTH, files - start) }, (_, at) => `file-${at}.js`)
    await Promise.all(names.map(name => writeFile(path.join(folder, name), '')))
    if (start + WIDTH >= files) await writeFile(path.join(folder, 'built.zip'), 'zip')
  }
}

function contestant(name: string, kind: 'patterns' | 'walk', root: string): Contestant {
  const args = [path.join(import.meta.dirname, 'find.ts'), kind, root]
  return {
    name,
    run: async () => {
      const { stdout } = await run({ program: execPath, args })
      // Before it stand what the package that looks for files says to a runner that debugs.
      return Number(stdout.split('\n').at(-1))
    }
  }
}

const { files, runs } = readOptions()
const root = await openFolder()
await plantTree(root, files)
const contestants = [
  contestant('ours', 'patterns', root),
  contestant('walk', 'walk', root)
] as const
await contestants[1].run()
printFigures('glob', [
  await compareTimes({ figure: `**/*.zip in ${files} files`, contestants, runs })
])
