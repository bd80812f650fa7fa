// The texts of a version, for all tests that send one: a new field of the form is added to them here.
import type { VersionFields } from '../../src/shop/form.ts'

/** A version whose fields all have a value; where a test needs others, it spreads this one. */
export const VERSION_FIELDS: VersionFields = {
  versionName: '1.4.2',
  title: 'Gallery 1.4.2',
  changelog: 'Line one\nLine two: ünïcode',
  changelogFormat: 'markdown'
}
