// Owns docs/pictures: job summaries of real runs of dist/, drawn as GitHub shows them.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { ROOT } from './manifest.ts'
import { SCENES } from './picture-scenes.ts'

const run = promisify(execFile)

/** Where the pictures of the documentation are. */
const FOLDER = path.join(ROOT, 'docs', 'pictures')
const THEMES = ['light', 'dark'] as const
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome', 'msedge']
const WIDTH = 840

type Theme = (typeof THEMES)[number]

/** The browser on the PATH; throws when there is none. */
function findBrowser(): string {
  const found = BROWSERS.find(name => spawnSync(name, ['--version']).status === 0)
  if (found !== undefined) return found
  throw new Error(`There is no browser on the PATH: install one of ${BROWSERS.join(', ')}`)
}

/** A whole page in GitHub's style; its height stands in the title once it is drawn. */
async function pageOf(markdown: string, theme: Theme): Promise<string> {
  const style = path.join(ROOT, `node_modules/github-markdown-css/github-markdown-${theme}.css`)
  const body = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true
  })

  return `<!doctype html><meta charset="utf-8"><style>
${await readFile(style, 'utf8')}
body { margin: 0; background: ${theme === 'dark' ? '#0d1117' : '#ffffff'}; color-scheme: ${theme} }
.markdown-body { padding: 24px 32px; font-family: "Liberation Sans", Helvetica, sans-serif, "Noto Color Emoji" }
</style><body><article class="markdown-body">${body}</article>
<script>document.title = String(Math.ceil(document.body.scrollHeight))</script>`
}

/** Draws one summary into a PNG. */
async function draw(browser: string, markdown: string, theme: Theme, to: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'picture-'))
  try {
    const file = path.join(folder, 'page.html')
    await writeFile(file, await pageOf(markdown, theme))

    // Nobody else's pages are opened, and containers often have no sandbox to offer.
    const common = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars']
    const profile = `--user-data-dir=${path.join(folder, 'profile')}`

    const open = (height: number, what: string) => {
      const size = `--window-size=${WIDTH},${height}`
      return run(browser, [...common, profile, size, what, pathToFileURL(file).href])
    }

    const { stdout } = await open(1000, '--dump-dom')
    const [, height] = /<title>(\d+)<\/title>/.exec(stdout) ?? []
    if (height === undefined) throw new Error(`${browser} did not draw the page`)
    await open(Number(height), `--screenshot=${to}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const browser = findBrowser()

  for (const { name, play } of SCENES) {
    const summary = await play()
    for (const theme of THEMES) {
      const file = path.join(FOLDER, `${name}-${theme}.png`)
      await draw(browser, summary, theme, file)
      process.stdout.write(`${path.relative(ROOT, file)}\n`)
    }
  }
}
