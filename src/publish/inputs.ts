// The publish action's inputs: raw strings in, typed values or every fault at once out.

import type { PrereleasePolicy } from '../release/event.ts'
import { faultOfPattern } from '../release/tag.ts'
import {
  type Fault,
  oneOf,
  parseBaseUrl,
  parseSeconds,
  parseSecret,
  type Read,
  required,
  startReading
} from '../runner/values.ts'
import { type FileObjectTemplate, parseTemplate } from '../shop/base64.ts'
import { parseTarget, TARGET_INPUT_NAMES, type TargetInputs } from './target-inputs.ts'
import { readTargets } from './targets.ts'

/** Every input, as `action.yml` declares them. */
export const INPUT_NAMES = [
  'base-url',
  'token',
  ...TARGET_INPUT_NAMES,
  'targets',
  'tag',
  'tag-pattern',
  'prerelease',
  'mode',
  'file-version',
  'asset-timeout',
  'base64-file',
  'once',
  'download-link',
  'stall-timeout',
  'response-timeout',
  'github-token'
] as const

export type InputName = (typeof INPUT_NAMES)[number]

export type Mode = 'publish' | 'check' | 'plan'
export type Memory = 'require' | 'auto' | 'off'
export type LinkPolicy = 'show' | 'hide' | 'auto'

export interface PublishInputs {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string
  /** Empty in `plan` mode where it is not given. */
  readonly token: string
  /** At least one. */
  readonly targets: readonly TargetInputs[]
  readonly tag: string
  readonly tagPattern: string
  readonly prerelease: PrereleasePolicy
  readonly mode: Mode
  readonly fileVersion: 'agree' | 'any'
  /** In milliseconds; 0: the attached file is not waited for. */
  readonly assetTimeout: number
  readonly base64File: FileObjectTemplate
  readonly once: Memory
  readonly downloadLink: LinkPolicy
  /** In milliseconds. */
  readonly stallTimeout: number
  readonly responseTimeout: number
  readonly githubToken: string
}

const SECRET = ': is there such a secret, and may this run read it?'

/** Reads every input; there are faults exactly when there are no inputs. */
export async function parseInputs(raw: (name: InputName) => string): Promise<{
  readonly inputs?: PublishInputs
  readonly faults: readonly Fault[]
}> {
  const faults: Fault[] = []
  const read = startReading(raw, faults)
  const mode = read('mode', text => oneOf(text || 'publish', ['publish', 'check', 'plan']))
  const token = (text: string) => parseSecret(mode === 'plan' ? text : required(text, SECRET))
  const parsed = {
    baseUrl: read('base-url', parseBaseUrl),
    token: read('token', token),
    tag: read('tag', parseTag),
    tagPattern: read('tag-pattern', parseTagPattern),
    prerelease: read('prerelease', text => oneOf(text || 'skip', ['skip', 'publish', 'only'])),
    mode,
    fileVersion: read('file-version', text => oneOf(text || 'agree', ['agree', 'any'])),
    assetTimeout: read('asset-timeout', text => (text === '0' ? 0 : parseSeconds(text || '60'))),
    base64File: read('base64-file', text => parseTemplate(text || DEFAULT_BASE64_FILE)),
    once: read('once', text => oneOf(text || 'require', ['require', 'auto', 'off'])),
    downloadLink: read('download-link', text => oneOf(text || 'auto', ['show', 'hide', 'auto'])),
    stallTimeout: read('stall-timeout', text => parseSeconds(text || '60')),
    responseTimeout: read('response-timeout', text => parseSeconds(text || '300')),
    githubToken: read('github-token', parseSecret)
  }
  if (parsed.githubToken === '' && parsed.once === 'require' && mode === 'publish') {
    const message = 'is empty; leave it out to use the job’s own token, or set `once: off`'
    faults.push({ place: 'github-token', message })
  }
  const needsFile = mode !== 'check'
  const targets = await parseTargets(raw, read, needsFile, faults)
  const waits = raw('asset-timeout').trim() !== ''
  if (waits && targets.length > 0 && targets.every(({ asset }) => asset.length === 0)) {
    const message = 'is for `asset` alone: a `file` in the workspace is not waited for'
    faults.push({ place: 'asset-timeout', message })
  }
  const inputs = { ...parsed, targets }
  return faults.length === 0 && isComplete(inputs) ? { inputs, faults } : { faults }
}

/** One target from the step's inputs, or those of the list. */
async function parseTargets(
  raw: (name: InputName) => string,
  read: Read<InputName>,
  needsFile: boolean,
  faults: Fault[]
): Promise<TargetInputs[]> {
  const list = raw('targets').trim()
  if (list === '') {
    const target = parseTarget(
      read,
      { place: '', given: name => raw(name).trim() !== '' },
      needsFile,
      faults
    )
    return target ? [target] : []
  }
  const entries = await readTargets(list, faults)
  return entries.flatMap(entry => {
    const value = (name: InputName) => entry.value(name) ?? (entry.hides(name) ? '' : raw(name))
    // What comes from the step's own input is wrong there.
    const isOwn = (name: InputName) => entry.value(name) !== undefined || value(name) === ''
    const placeOf = (name: InputName) => (isOwn(name) ? entry.placeOf(name) : name)
    const ofEntry = startReading(value, faults, placeOf)
    const given = (name: InputName) => value(name).trim() !== ''
    const target = parseTarget(ofEntry, { place: entry.place, given }, needsFile, faults)
    return target ? [target] : []
  })
}

const DEFAULT_BASE64_FILE = '{"name": "{file_name}", "content": "{base64}"}'

type Parsed = { readonly [K in keyof PublishInputs]: PublishInputs[K] | undefined }

function isComplete(inputs: Parsed): inputs is PublishInputs {
  return Object.values(inputs).every(value => value !== undefined)
}

function parseTag(text: string): string {
  if (text.startsWith('refs/tags/')) {
    throw new Error(`"${text}" is a ref; give the tag alone: "${text.slice('refs/tags/'.length)}"`)
  }
  return text
}

function parseTagPattern(text: string): string {
  const wrong = text === '' ? undefined : faultOfPattern(text)
  if (wrong !== undefined) throw new Error(`"${text}" ${wrong}`)
  return text
}
