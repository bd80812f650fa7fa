// Owns a release for tests: as GitHub gives it, and what it is narrowed to.

export const raw = {
  id: 7,
  tag_name: 'v1.2.3',
  name: ' Spring ',
  body: '- New\r\n',
  prerelease: false,
  draft: false,
  html_url: 'https://github.com/o/r/releases/tag/v1.2.3'
}

export const release = {
  id: 7,
  tag: 'v1.2.3',
  name: 'Spring',
  notes: '- New\r\n',
  prerelease: false,
  draft: false,
  url: 'https://github.com/o/r/releases/tag/v1.2.3',
  assets: []
}
