// The repository of the recipes' tests, and the programs that their scripts call.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'

/** The notes of each release. */
export const NOTES = '- Albums can be sorted by date.'

/** The files of the repository; the programs that build are scripts of its own. */
const SOURCES = {
  'gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'readme.txt': `=== Gallery ===\n== Changelog ==\n= 1.4.2 =\n${NOTES}\n= 1.4.1 =\n- Old.\n`,
  'plugin.yml': 'name: Gallery\nversion: 1.4.2\n',
  'style.css': '/*\nTheme Name: Gallery\nVersion: 1.4.2\n*/\n',
  'composer.json': '{"name": "acme/gallery"}',
  'src/Gallery.php': '<?php\n',
  'includes/albums.php': '<?php\n',
  'assets/gallery.css': 'a {}\n',
  'auth.json': '{"http-basic": {"repo.example.com": {"username": "a", "password": "b"}}}',
  'tests/albums.php': '<?php\n',
  '.gitattributes': '*.sh export-ignore\nauth.json export-ignore\ntests export-ignore\n',
  'build.sh': `#!/bin/sh
mkdir -p dist && git archive --prefix gallery/ -o dist/gallery-1.4.2.zip HEAD
`,
  'packages/gallery/build.sh': `#!/bin/sh
mkdir -p dist && git archive -o dist/gallery-1.4.2.zip HEAD
`,
  'packages/gallery/gallery.js': '',
  'packages/gallery-vue/build.sh': `#!/bin/sh
mkdir -p dist && git archive -o dist/gallery-vue-1.4.2.zip HEAD
`,
  'packages/gallery-vue/gallery-vue.js': '',
  gradlew: `#!/bin/sh
version=\${2#-Pversion=}
jar() { mkdir -p "$(dirname "$1")" && git archive --format zip -o "$1" HEAD; }
jar "build/libs/gallery-$version.jar"
for loader in fabric neoforge; do jar "$loader/build/libs/gallery-$loader-$version.jar"; done
`
}
const SCRIPTS = [
  'build.sh',
  'packages/gallery/build.sh',
  'packages/gallery-vue/build.sh',
  'gradlew'
]

/** The archive that is attached to a release. */
export const built = zipOf({ 'gallery/gallery.php': SOURCES['gallery.php'] })

/** Another build of it. */
export const rebuilt = zipOf({
  'gallery/gallery.php': SOURCES['gallery.php'],
  'gallery/albums.php': '<?php\n'
})

/** Notes its name, its folder and its arguments. */
export const NOTED = `#!/bin/sh
{ printf '%s\\t' "$(basename "$0")" "$PWD" "$@"; echo; } >> "$CALLS"
`

/** The programs around the steps: all note how they are called, and some do what the recipe needs of them. */
const PROGRAMS = {
  gh: `${NOTED}case "$1 $2" in
  "workflow run") ! grep --quiet --fixed-strings --line-regexp -e "$5" "$(dirname "$0")/refused" ;;
  "api --paginate") cat "$(dirname "$0")/deployments" ;;
  api\\ repos/*/statuses) cat "$(dirname "$0")/status-$(basename "$(dirname "$2")")" ;;
esac
`,
  npm: `${NOTED}if [ "$1" = pack ]; then
  git archive --format tgz --prefix package/ --output acme-gallery-1.4.2.tgz HEAD
fi
`,
  composer: NOTED,
  curl: NOTED,
  // Copies what git knows, and removes what each --exclude names.
  rsync: `${NOTED}for to; do :; done
mkdir -p "$to" && git ls-files | tar -c -T - | tar -x -C "$to"
for one; do
  case "$one" in
    --exclude=*) find "$to" -mindepth 1 -depth -name "$(basename "\${one#--exclude=}")" -exec rm -rf {} + ;;
  esac
done
`,
  zip: `${NOTED}out=$PWD/$2
case "$1" in
  --recurse-paths) cd .. ;;
  --junk-paths) shift 2 && mkdir pack && cp "$@" pack ;;
esac
git add --force pack && git archive --output "$out" "$(git write-tree):pack"
`
}

function runGit(cwd: string, ...args: readonly string[]): string {
  const who = [
    'user.name=a',
    'user.email=a@example.com',
    'core.hooksPath=/none',
    'maintenance.auto=false'
  ]
  const variables = {
    ...env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null'
  }
  const given = [...who.flatMap(it => ['-c', it]), ...args]
  return execFileSync('git', given, { cwd, env: variables }).toString().trim()
}

interface Sources {
  /** The repository. */
  readonly folder: string
  /** The programs. */
  readonly bin: string
  /** The commit of the tag. */
  readonly commit: string
}

/** Makes the repository and the programs, of which every stage has a copy. */
function makeSources(): Sources {
  const folder = makeFolder(SOURCES)
  const bin = makeFolder()
  for (const [name, text] of Object.entries(PROGRAMS)) {
    putFile(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  for (const name of SCRIPTS) chmodSync(join(folder, name), 0o755)

  runGit(folder, 'init', '--quiet', '--initial-branch=main')
  runGit(folder, 'add', '.')
  runGit(folder, 'commit', '--quiet', '--message=a')
  const commit = runGit(folder, 'rev-parse', 'HEAD')

  // A build of the branch's code under the tag's name has this file, too.
  putFile(join(folder, 'later.php'))
  runGit(folder, 'add', '.')
  runGit(folder, 'commit', '--quiet', '--message=b')
  return { folder, bin, commit }
}

/** Made once, for all tests of a file. */
export const sources = makeSources()
