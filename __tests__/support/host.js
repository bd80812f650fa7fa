// A process that runs one action after another, for runs that need no process of their own. Plain JavaScript,
// as loopback-only.js is. Each run gets its own variables and folder, and its `exit` ends it. Its output ends with a
// mark. Only the entry of dist/ is loaded again: the bundle keeps nothing from run to run, and the deep suite, which
// gives each run a process of its own, would show it if it did.
import { registerHooks } from 'node:module'
import process, { chdir, env, getActiveResourcesInfo, stderr, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

const EVENTS = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'beforeExit']
let count = 0

registerHooks({
  resolve(specifier, context, resolve) {
    const found = resolve(specifier, context)
    const isEntry = /\/dist\/(publish|licenses)\/index\.js$/.test(found.url)
    return isEntry ? { ...found, url: `${found.url}?run=${count}` } : found
  }
})

process.on('message', async ({ script, folder, variables, mark }) => {
  const { promise: ended, resolve: end } = Promise.withResolvers()
  let isSound = true
  count += 1

  // The run gets its own variables, folder and exit.
  for (const name of Object.keys(env)) Reflect.deleteProperty(env, name)
  Object.assign(env, variables)
  chdir(folder)
  process.exitCode = undefined
  process.exit = code => end(code ?? process.exitCode ?? 0)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, () => {
      isSound = false
    })
  }

  await import(pathToFileURL(script))
  const exitCode = await ended

  for (const event of EVENTS) process.removeAllListeners(event)
  for (const stream of [stdout, stderr]) stream.write(mark)
  // Windows removes no folder that a process is in.
  chdir(import.meta.dirname)

  // A real exit would have cut off what is still open; the next run must not find it.
  const open = getActiveResourcesInfo().filter(it => /TCP|TLS|Addr|Process|Message|Worker/.test(it))
  process.send({ exitCode, isReusable: isSound && open.length === 0 })
})
process.on('disconnect', () => process.reallyExit(0))
