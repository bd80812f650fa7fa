// The modes of the publish action, a row each: what it needs, what it does with the record, and its words.

/** The modes, in the order in which messages list them. */
export const MODE_NAMES = [
  'publish',
  'plan',
  'check',
  'mark-published',
  'mark-not-published'
] as const

export type Mode = (typeof MODE_NAMES)[number]

/** A row of the table of modes. Code that depends on the mode asks its row. */
export interface ModeRules {
  /** Whether `file` or `asset` has to be given. */
  readonly needsFile: boolean
  /** Whether it asks the shop, and so needs `token`. */
  readonly asksShop: boolean
  /** Whether it needs the record on GitHub. */
  readonly needsRecord: boolean
  /** The permission for deployments that its job needs; of a check, the one that publishing needs. */
  readonly permission: 'read' | 'write'
  /** Whether a tag has to exist: a mark may be of one that is gone. */
  readonly needsTag: boolean
  /** Whether a draft counts as the release of its tag. */
  readonly takesDrafts: boolean
  /** Whether it is about the release of one tag, which the button then has to name. */
  readonly isOfRelease: boolean
  /** The heading of a failure. */
  readonly failed: string
  /** The beginning of a sentence, when it failed. */
  readonly nothingDone: string
}

const MARK = {
  needsFile: false,
  asksShop: false,
  needsRecord: true,
  permission: 'write',
  needsTag: false,
  takesDrafts: false,
  isOfRelease: true,
  failed: 'Not marked',
  nothingDone: 'Nothing was recorded'
} as const

const MODES = {
  publish: {
    needsFile: true,
    asksShop: true,
    needsRecord: true,
    permission: 'write',
    needsTag: true,
    takesDrafts: false,
    isOfRelease: true,
    failed: 'Not published',
    nothingDone: 'Nothing was published'
  },
  plan: {
    needsFile: true,
    asksShop: false,
    needsRecord: false,
    permission: 'read',
    needsTag: true,
    takesDrafts: true,
    isOfRelease: true,
    failed: 'Not planned',
    nothingDone: 'Nothing was planned'
  },
  check: {
    needsFile: false,
    asksShop: true,
    needsRecord: false,
    permission: 'write',
    needsTag: false,
    takesDrafts: false,
    isOfRelease: false,
    failed: 'Check failed',
    nothingDone: 'Nothing was checked'
  },
  'mark-published': MARK,
  'mark-not-published': MARK
} as const satisfies Record<Mode, ModeRules>

/** The mode that a text names; undefined for any other text. */
export function modeIn(text: string | undefined): Mode | undefined {
  return MODE_NAMES.find(mode => mode === text)
}

/** The row of a mode; of `publish` while it is not clear which was meant. */
export function rulesOf(mode: Mode | undefined): ModeRules {
  return MODES[mode ?? 'publish']
}
