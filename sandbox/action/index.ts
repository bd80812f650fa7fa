// Where the sandbox action starts: an old Node must be able to parse this file, which loads the rest.
const { node } = process.versions

if (Number.parseInt(node, 10) < 24) {
  process.stdout.write(
    `::error title=Node.js is too old::The sandbox needs Node.js 24, and was started with ${node}. Update the runner to 2.327.1 or newer.\n`
  )
  process.exitCode = 1
} else {
  const { run } = await import('./run.ts')
  await run()
}
