// The form of a version, as one table of fields. The bodies are made from it, and it names the input to correct when the shop
// refuses a field.

/** The texts of a version, as they are sent. */
export interface VersionFields {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
}

/** Where the text of a version comes from: an input, or the release. */
export type TextSource = 'changelog' | 'changelog-file' | 'notes'

/** The inputs that fed those fields which several inputs can feed. */
export interface FieldSources {
  readonly textSource: TextSource
  readonly asset: readonly string[]
}

export interface TextField {
  readonly kind: 'text'
  /** In both bodies, and in the shop's complaints. */
  readonly name: string
  /** `after file`: required, and sent last, so that a body that was cut short is refused. */
  readonly place: 'before file' | 'after file'
  value(version: VersionFields): string
  /** The input that feeds it, or words for where it comes from. */
  source(inputs: FieldSources): string
}

interface FileField {
  readonly kind: 'file'
  readonly name: string
  source(inputs: FieldSources): string
}

/** A field of the form. */
export type FormField = TextField | FileField

/** In the order in which they are sent. */
const FORM: Readonly<Record<keyof VersionFields | 'file', FormField>> = {
  title: {
    kind: 'text',
    name: 'title',
    place: 'before file',
    value: ({ title }) => title,
    source: () => 'title'
  },
  changelog: {
    kind: 'text',
    name: 'changelog',
    place: 'before file',
    value: ({ changelog }) => changelog,
    source: ({ textSource }) => (textSource === 'notes' ? 'the release notes' : textSource)
  },
  changelogFormat: {
    kind: 'text',
    name: 'changelog_format',
    place: 'before file',
    value: ({ changelogFormat }) => changelogFormat,
    source: () => 'changelog-format'
  },
  file: {
    kind: 'file',
    name: 'file',
    source: ({ asset }) => (asset.length > 0 ? 'asset' : 'file')
  },
  versionName: {
    kind: 'text',
    name: 'version_name',
    place: 'after file',
    value: ({ versionName }) => versionName,
    source: () => 'version-name'
  }
}

/** All fields. */
export const FORM_FIELDS: readonly FormField[] = Object.values(FORM)

/** The fields that are texts, in the same order: all but the file. */
export const TEXT_FIELDS: readonly TextField[] = FORM_FIELDS.filter(field => field.kind === 'text')

/** The names of the fields that the shop requires. */
export const REQUIRED_FIELDS: readonly string[] = FORM_FIELDS.map(({ name }) => name).filter(
  name => name !== FORM.changelogFormat.name
)

/** The name of the file's field. */
export const FILE_FIELD = FORM.file.name
