// The form of a version, as one table of fields. The bodies and the parts of a plan are made from it, and it names the
// input to correct when the shop refuses a field.

/** The texts of a version, as they are sent. */
export interface VersionFields {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
}

/** The inputs that feed a field, where there are several that can. */
export interface FieldSources {
  /** Empty if it is not given. */
  readonly changelog: string
  /** Empty if it is not given. */
  readonly changelogFile: string
  readonly asset: readonly string[]
}

interface TextField {
  readonly kind: 'text'
  /** In both bodies, and in the shop's complaints. */
  readonly name: string
  /** A required field stands after the file: without it, a body that was cut short is refused. */
  readonly place: 'before file' | 'after file'
  /** How a plan shows it: a long text by its SHA-256. */
  readonly planned: 'text' | 'sha256'
  value(version: VersionFields): string
  /** The input that feeds it, or words for where it comes from. */
  source(inputs: FieldSources): string
}

interface FileField {
  readonly kind: 'file'
  readonly name: string
  source(inputs: FieldSources): string
}

/** A field of the form. A plan approves a file by its name, size and SHA-256. */
export type FormField = TextField | FileField

/** In the order of a plan, in which the fields before the file are also sent. */
const FORM: Readonly<Record<keyof VersionFields | 'file', FormField>> = {
  versionName: {
    kind: 'text',
    name: 'version_name',
    place: 'after file',
    planned: 'text',
    value: ({ versionName }) => versionName,
    source: () => 'version-name'
  },
  title: {
    kind: 'text',
    name: 'title',
    place: 'before file',
    planned: 'text',
    value: ({ title }) => title,
    source: () => 'title'
  },
  file: {
    kind: 'file',
    name: 'file',
    source: ({ asset }) => (asset.length > 0 ? 'asset' : 'file')
  },
  changelog: {
    kind: 'text',
    name: 'changelog',
    place: 'before file',
    planned: 'sha256',
    value: ({ changelog }) => changelog,
    source: ({ changelog, changelogFile }) => {
      if (changelogFile) return 'changelog-file'
      return changelog ? 'changelog' : 'the release notes'
    }
  },
  changelogFormat: {
    kind: 'text',
    name: 'changelog_format',
    place: 'before file',
    planned: 'text',
    value: ({ changelogFormat }) => changelogFormat,
    source: () => 'changelog-format'
  }
}

/** All fields, in the order of a plan. */
export const FORM_FIELDS: readonly FormField[] = Object.values(FORM)

/** The name of the file's field. */
export const FILE_FIELD = FORM.file.name
