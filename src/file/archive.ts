// Whether an archive is fit to be mailed to buyers, and what is in it.

import { sizeText } from '../runner/text.ts'
import { ERRORS, type Kind, type Noticed, openNotes, WARNINGS } from './contents.ts'
import { isArchive, type Source, walkEntries } from './entries.ts'
import { FileFault, listed, quoted } from './fault.ts'
import { judgeManifests } from './manifest.ts'
import type { Versions } from './versions.ts'

/** What a release's archive has to be like. */
export interface Rules {
  /** Patterns of what it must contain, and with `!` of what it must not. */
  readonly contents: readonly string[]
  /** What manifests are compared with; undefined: with nothing. */
  readonly versions: Versions | undefined
}

/** What is in an archive, for the summary. */
export interface Contents {
  readonly files: number
  /** Unpacked, in bytes. */
  readonly unpacked: number
  /** Names at the top, folders with a slash; eleven at most. */
  readonly top: readonly string[]
  /** Whether all of it was looked at. */
  readonly whole: boolean
}

interface Problem {
  readonly reason: 'bad-file' | 'file-version'
  readonly message: string
}

export interface Inspection {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Undefined for a file that is no archive by its name, or that cannot be read as one. */
  readonly contents: Contents | undefined
}

/** Of a `.tar.gz`, so many unpacked bytes are looked at: it has no directory. */
const UNPACKED = 256 * 1024 * 1024
/** No data that a person makes packs so well. */
const BOMB = { unpacked: 1024 ** 3, ratio: 200 }

/** Looks into a file that is an archive by its name, without unpacking it to disk. */
export async function inspectArchive(
  source: Source & { readonly name: string },
  { contents, versions }: Rules,
  limit = UNPACKED
): Promise<Inspection> {
  const file = `the file ${quoted(source.name)}`
  const failed = (message: string): Inspection => {
    return { problems: [{ reason: 'bad-file', message }], warnings: [], contents: undefined }
  }
  if (!isArchive(source.name)) {
    if (contents.length === 0) return { problems: [], warnings: [], contents: undefined }
    return failed(
      `${file} cannot be opened: its name is not that of an archive such as .zip, .jar or .tar.gz. Leave out \`contents\`.`
    )
  }
  const { visit, end } = await openNotes(contents)
  let whole = true
  try {
    whole = await walkEntries(source, visit, limit)
  } catch (error) {
    if (error instanceof FileFault) throw error
    const said = error instanceof Error ? error.message : String(error)
    return failed(`${file} cannot be read as an archive: ${said}. ${await guess(source)}`)
  }
  const noticed = end()
  whole &&= !noticed.stopped
  const { files, unpacked, top } = noticed
  const isPart = whole ? [] : [`${file} is too large to be looked through: only a part of it was.`]
  return {
    problems: [
      ...badFile(noticed, file, source.size, whole),
      ...judgeManifests(noticed.manifests, versions ?? ['']).flatMap(message =>
        versions === undefined ? [] : [versionProblem(file, message)]
      )
    ],
    warnings: [...isPart, ...messagesOf(noticed, file, WARNINGS)],
    contents: { files, unpacked, top, whole }
  }
}

/** Such as `2 files, 59 bytes unpacked: gallery/`; empty for what was not looked into. */
export function describeContents({ contents }: Inspection): string {
  if (contents === undefined) return ''
  const { files, unpacked, top, whole } = contents
  const count = files === 1 ? '1 file' : `${files.toLocaleString('en-US')} files`
  const names = [...top.slice(0, TOP).map(quoted), ...(top.length > TOP ? ['…'] : [])].join(', ')
  return `${whole ? '' : 'at least '}${count}, ${sizeText(unpacked)} unpacked: ${names}`
}

const TOP = 10

function badFile(
  { files, unpacked, packed, missing, ...noticed }: Noticed,
  file: string,
  size: number,
  whole: boolean
): Problem[] {
  const part = whole ? '' : ' in the part that was looked at'
  const messages = [
    ...(files === 0 && whole ? [`${file} is an archive without a file in it.`] : []),
    ...(packed > size ? [`${file} is not a proper archive: its entries overlap.`] : []),
    ...(unpacked > BOMB.unpacked && unpacked > BOMB.ratio * size
      ? [`${file} says that it unpacks from ${sizeText(size)} to ${sizeText(unpacked)}.`]
      : []),
    ...messagesOf(noticed, file, ERRORS),
    ...missing.map(
      line => `${file} contains nothing that matches ${quoted(line)} of \`contents\`${part}.`
    )
  ]
  return messages.map(message => ({ reason: 'bad-file', message }))
}

const ALLOWED: readonly Kind[] = ['secret', 'git', 'token', 'key', 'nested']

function messagesOf(
  { found }: Pick<Noticed, 'found'>,
  file: string,
  texts: Readonly<Partial<Record<Kind, string>>>
): string[] {
  return [...found].flatMap(([kind, entries]) => {
    const text = texts[kind]
    if (text === undefined) return []
    const advice = ALLOWED.includes(kind)
      ? ' Leave that out of the build; what buyers should have, name in `contents`.'
      : ''
    return [`${file} contains ${listed(entries.names, entries.count)}, ${text}.${advice}`]
  })
}

function versionProblem(file: string, message: string): Problem {
  const advice =
    'Build it from the tag that is published; `file-version: any` turns this check off.'
  return { reason: 'file-version', message: `in ${file}, ${message}. ${advice}` }
}

/** What the file is instead. */
async function guess(source: Source): Promise<string> {
  const head = (await source.readAt(0, Math.min(source.size, 512))).toString('latin1')
  if (/^\s*(?:<!doctype html|<html|<\?xml|<head)/i.test(head)) {
    return 'It is a web page: look at the step that downloads it, and at what that address answers.'
  }
  if (/^\s*[[{]/.test(head)) return 'It looks like JSON: look at the step that downloads it.'
  return 'Look at the step that builds or downloads it.'
}
