// Owns what the runner makes of printed lines: which are commands, and what the commands do.
import { COMMAND_NAMES, type ParsedCommand, parseCommand, propertyOf } from './commands.ts'
import { splitLines } from './lines.ts'
import { type Annotation, createPage, type Page, type PageOptions, type PageText } from './page.ts'

/** Where a line was printed. */
export type Stream = 'stdout' | 'stderr'

/** A command that the runner recognised, with the line it stood in. */
export interface Command extends ParsedCommand {
  readonly stream: Stream
  readonly line: string
}

/** What the printed lines amount to. */
export interface Log extends PageText {
  /** Every command, in the order of arrival; not those printed while commands were stopped. */
  readonly commands: readonly Command[]
  /** The texts that `add-mask` was given. */
  readonly masks: readonly string[]
  readonly outputs: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
}

/** Reads lines as they arrive. */
export interface LogReader {
  readonly page: Page
  readonly read: (line: string, stream: Stream) => void
  readonly finish: () => Log
}

/** What commands change. */
interface Step {
  readonly page: Page
  readonly masks: string[]
  readonly outputs: Map<string, string>
  readonly state: Map<string, string>
  /** In lower case; no command counts until this one is printed. */
  stopToken: string | undefined
  echo: boolean
}

const MIN_MASKED_TOKEN_LENGTH = 7
const NEVER_ECHOED: ReadonlySet<string> = new Set([
  'add-mask',
  'debug',
  'error',
  'notice',
  'stop-commands',
  'warning'
])

/** Reads a whole text as the runner reads one stream of a step. */
export function parseLog(text: string, options: PageOptions = {}): Log {
  const reader = createLogReader(options)
  for (const line of splitLines(text.replace(/^\uFEFF/, ''))) reader.read(line, 'stdout')
  return reader.finish()
}

/** A reader that has seen nothing yet. */
export function createLogReader(options: PageOptions = {}): LogReader {
  const page = createPage(options)
  const commands: Command[] = []
  const step: Step = {
    page,
    masks: [],
    outputs: new Map(),
    state: new Map(),
    stopToken: undefined,
    echo: false
  }
  return {
    page,
    read: (line, stream) => {
      const parsed = parseCommand(line, knownNames(step))
      if (step.stopToken !== undefined) {
        if (parsed?.name === step.stopToken) step.stopToken = undefined
        page.show(line)
      } else if (parsed === undefined) {
        page.show(line)
      } else {
        const command = { ...parsed, stream, line }
        commands.push(command)
        if (step.echo && !NEVER_ECHOED.has(command.name)) page.show(line)
        obey(command, step)
      }
    },
    finish: () => ({
      ...page.finish(),
      commands,
      masks: step.masks,
      outputs: Object.fromEntries(step.outputs),
      state: Object.fromEntries(step.state)
    })
  }
}

function knownNames({ stopToken }: Step): ReadonlySet<string> {
  return stopToken === undefined ? COMMAND_NAMES : new Set([...COMMAND_NAMES, stopToken])
}

function obey(command: Command, step: Step): unknown {
  const { page } = step
  switch (command.name) {
    case 'error':
    case 'warning':
    case 'notice':
      return page.annotate(toAnnotation(command.name, command))
    case 'group':
      return page.show(`▸ ${command.data}`)
    case 'debug':
      return page.debug(command.data)
    case 'add-mask':
      return addMask(command.data, step)
    case 'set-output':
      return setPair(command, step.outputs, page)
    case 'save-state':
      return setPair(command, step.state, page)
    case 'stop-commands':
      return stopCommands(command, step)
    case 'echo':
      return setEcho(command.data, step)
    case 'set-env':
    case 'add-path':
      return page.fault(`Unable to process command '${command.line}' successfully. It is disabled.`)
    default:
      // `endgroup` shows nothing; matchers are recorded, but their files are not read here.
      return undefined
  }
}

function toAnnotation(kind: Annotation['kind'], command: Command): Annotation {
  const places = ['title', 'file', 'line', 'endLine', 'col', 'endColumn'].flatMap(name => {
    const value = propertyOf(command, name)
    return value === undefined ? [] : [[name, value]]
  })
  return { kind, message: command.data, ...Object.fromEntries(places) }
}

function addMask(text: string, { page, masks }: Step) {
  if (text.trim() === '') {
    page.annotate({ kind: 'warning', message: "Can't add secret mask for empty string." })
    return
  }
  masks.push(text)
  page.masker.add(text)
}

function setPair(command: Command, pairs: Map<string, string>, page: Page) {
  const name = propertyOf(command, 'name')
  if (name === undefined) page.fault(`Required field 'name' is missing in ${command.name}.`)
  else pairs.set(name, command.data)
}

function stopCommands({ data, line }: Command, step: Step) {
  const token = data.toLowerCase()
  if (token === '' || token === 'pause-logging' || COMMAND_NAMES.has(token)) {
    step.page.fault(`stop-commands cannot use the token '${data}'.`)
    return
  }
  step.stopToken = token
  if (token.length >= MIN_MASKED_TOKEN_LENGTH) step.page.masker.add(data)
  step.page.show(line)
}

function setEcho(data: string, step: Step) {
  const wanted = data.trim().toLowerCase()
  if (wanted === 'on' || wanted === 'off') step.echo = wanted === 'on'
  else step.page.fault(`Invalid echo command value: '${data}'.`)
}
