// What every upload says beside its file, whoever sends it.

export const TOKEN = 'bench-token-that-opens-nothing'
export const GITHUB_TOKEN = 'bench-github-token-that-opens-nothing'
export const VERSION = '1.0.0'
export const TITLE = 'Bench 1.0.0'
export const CHANGELOG = '- Faster.'
export const FILE_OBJECT = '{"name": "file.zip", "content": "{base64}"}'
