// Owns a process that has a file mapped into its memory, and so changes it without a change of its times.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const MAPPER = `
import mmap, sys
with open(sys.argv[1], 'r+b') as file:
    memory = mmap.mmap(file.fileno(), 0)
    for line in sys.stdin:
        memory[int(line)] ^= 1
        print('changed', flush=True)
`

/** `change` flips a bit at a position; from its second call on, no time of the file tells. Python does it. */
export function mapFile(path: string) {
  const { stdin, stdout } = spawn('python3', ['-c', MAPPER, path], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  // A line may come in several pieces.
  const answers = createInterface(stdout)[Symbol.asyncIterator]()
  return {
    change: async (position: number) => {
      stdin.write(`${position}\n`)
      await answers.next()
    },
    [Symbol.dispose]: () => stdin.end()
  }
}
