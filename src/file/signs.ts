// What must not be mailed to buyers, by the path of a file in any case, or by its text. Pure.

const ADVICE = 'Leave it out of the build. If buyers should have it, name it in `contents`.'

/** What a path or a text tells, worded to follow the names of files in a message. */
export type Signs = readonly (readonly [sign: RegExp, told: string])[]

const ENV = /(?:^|\/)\.env(?:\.(?!(?:[^/]*\.)?(?:example|sample|template|dist)$)[^/]+)?$/i
export const FORBIDDEN: Signs = [
  [ENV, `which often contains passwords. ${ADVICE}`],
  [/(?:^|\/)\.git\//i, `the Git history of your source code. ${ADVICE}`],
  [/\.ppk$/i, `which holds a private key. ${ADVICE}`]
]
export const USELESS: Signs = [
  [
    /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i,
    'left there by an operating system, and of no use to buyers.'
  ],
  [/(?:^|\/)node_modules\//i, 'the packages of a development install.']
]

/** In bytes as Latin-1, perhaps behind a byte order mark. */
const PRIVATE_KEY =
  /^(?:\xef\xbb\xbf)?[ \t]*-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----[ \t\r]*$/m
/** Whatever begins a line for `^` also ends it here: else each empty line would be searched to the end of the text. */
const NPM_TOKEN = /^[^#;\r\n\u2028\u2029]*_(?:authToken|auth|password)[ \t]*=[ \t]*(?!\$\{)\S/m
/** Of a Google service account; its JSON may have any order, and stand inside other JSON. */
const ACCOUNT = /"type"\s*:\s*"service_account"/
const ACCOUNT_KEY = /"private_key"\s*:\s*"[^"]{64}/

/** Whether a file is only the pointer that Git LFS has in its place (github.com/git-lfs/git-lfs, docs/spec.md), of some 130 bytes. */
export function isPointer(text: string): boolean {
  return /^version https:\/\/git-lfs\.github\.com\/spec\//.test(text)
}

/** Why a file must not be sent, by its bytes as Latin-1, worded as in `Signs`; empty if nothing is wrong. */
export function judgeText(path: string, text: string): string {
  // Most texts have no such word, which is found sooner than a line.
  if (text.includes('PRIVATE KEY') && PRIVATE_KEY.test(text))
    return `which holds a private key. ${ADVICE}`
  if (text.includes('"service_account"') && ACCOUNT.test(text) && ACCOUNT_KEY.test(text)) {
    return `which holds the private key of a Google service account. ${ADVICE}`
  }
  if (/\.npmrc$/i.test(path) && NPM_TOKEN.test(text)) return `which holds an npm token. ${ADVICE}`
  if (isPointer(text)) return `which Git LFS should have replaced by the real file. ${FETCH}`
  return ''
}

/** How to get the files that pointers stand for. */
export const FETCH =
  'Set `lfs: true` under `actions/checkout` in the job that builds, and build it again.'

const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|eot|mp[34]|ogg|wav|webm|class|dll|so|exe)$/i
const KEY_FILE = /(?:^|\/)(?:id_[a-z\d]+|[^/]*\.(?:pem|key|p8|pk8|asc|npmrc|json))$/i

/** How likely a file holds a key, a token or a pointer, by its path and its size in bytes. */
export function rateFile(path: string, size: number): 'likely' | 'perhaps' | 'no' {
  if (KEY_FILE.test(path)) return 'likely'
  // Only pointers are so small, and yet not too small.
  const isMedia = MEDIA.test(path) && (size < 100 || size > 200)
  return isMedia ? 'no' : 'perhaps'
}
