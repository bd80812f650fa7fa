// Says which Node is needed, before an older one fails at the first file: it cannot read TypeScript.
const { version, exit, stderr } = process
const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)

if (major < 24 || (major === 24 && minor < 2)) {
  stderr.write(`This needs Node.js 24.2 or newer, and was started with ${version}.
\`npm ci\` installs one for most systems, unless it is told to --omit=optional.\n`)
  exit(1)
}
