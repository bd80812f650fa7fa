// Where the sandbox action starts: an old Node must be able to parse this file, which loads the rest.
const { env, versions } = process
const { node } = versions

if (Number.parseInt(node, 10) < 24) {
  const message = `The sandbox needs Node.js 24, and was started with ${node}.`
  process.stdout.write(
    env.GITEA_ACTIONS || env.FORGEJO_ACTIONS
      ? `error: ${message} Use an image, or a host, that has Node.js 24 or newer.\n`
      : `::error title=Node.js is too old::${message} Update the runner to 2.327.1 or newer.\n`
  )
  process.exitCode = 1
} else {
  const { run } = await import('./run.ts')
  await run()
}
