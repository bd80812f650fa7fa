// What is in an archive, listed by libraries, without unpacking it. The adapter of yauzl and modern-tar.
import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { ActionError } from '../runner/action-error.ts'
import { counted, sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import { judgeContents, type Listing, mayHoldSecret } from './contents.ts'
import { isManifest } from './manifests.ts'
import { listed, quoteName } from './names.ts'
import type { Reading } from './reading.ts'

/** The names of archives that can be looked into. */
const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<\?xml|<head)/i

/** More entries than any product has. */
const ENTRIES = 200_000
/** In bytes, unpacked: no real data packs so well, and no `.tar.gz` beyond is looked into. */
const [UNPACKED, RATIO] = [1024 ** 3, 200]
/** In bytes: no larger entry is read. */
const READABLE = 1024 * 1024
/** How many entries are read: manifests, keys and links. */
const READS = 5000

/** What is asked of an archive: the lines of `contents`, and the versions that a manifest may state, if any count. */
export interface ArchiveRules {
  readonly rules: readonly string[]
  readonly versions: readonly string[] | undefined
}

/**
 * Looks into an archive; `contents` is what is in it, in a line. Throws an `ActionError` if it must not be sent. A file of
 * another kind is not looked into, and must have no `contents`.
 */
export async function inspectArchive(
  file: Reading,
  { rules, versions }: ArchiveRules
): Promise<{ contents: string; warnings: readonly string[] }> {
  const name = quoteName(file.name)
  if (!ARCHIVE.test(file.name)) {
    if (rules.length === 0) return { contents: '', warnings: [] }
    throw new ActionError('bad-file', `${name} is no archive, so \`contents\` cannot be checked.`)
  }
  const isTar = /\.(?:tar\.gz|tgz)$/i.test(file.name)
  const listing = await (isTar ? listTar(file) : listZip(file)).catch(async (cause: unknown) => {
    if (cause instanceof ActionError) throw cause
    const isPage = WEB_PAGE.test(await file.readStart())
    const why = isPage ? 'it is a web page' : textAt(cause, 'message').replace(/\.$/, '')
    const message = `${name} cannot be read as an archive: ${why}.`
    const advice = 'Check the step that builds or downloads it.'
    throw new ActionError('bad-file', message, { advice, cause })
  })
  const { paths, unpacked } = listing
  if (paths.length === 0) throw new ActionError('bad-file', `${name} is an empty archive.`)
  if (unpacked > Math.max(UNPACKED, RATIO * file.size)) {
    const message = `${name} says that it unpacks from ${sizeText(file.size)} to ${sizeText(unpacked)}.`
    throw new ActionError('bad-file', message)
  }
  const warnings = await judgeContents(name, listing, rules, versions)
  const top = [...new Set(paths.map(path => path.slice(0, path.indexOf('/') + 1) || path))]
  const count = counted(paths.length, 'file')
  return { contents: `${count}, ${sizeText(unpacked)} unpacked: ${listed(top)}`, warnings }
}

/** Collects entries. Its methods throw an `Error` in words for users about an entry that no archive may have. */
function openListing() {
  const [paths, texts] = [[] as string[], new Map<string, string>()]
  const seen = new Set<string>()
  let unpacked = 0
  return {
    /** Notes a file or a link; returns its path, as it is unpacked. */
    add(written: string, size: number): string {
      const path = posix.normalize(written.replaceAll('\\', '/'))
      if (leadsOut(path)) throw new Error(`the path ${quoteName(written)} leads out of it`)
      if (seen.has(path)) throw new Error(`${quoteName(path)} is in it twice`)
      if (paths.length >= ENTRIES) throw new Error(`it holds more than ${ENTRIES} files`)
      seen.add(path)
      paths.push(path)
      unpacked += size
      return path
    },
    /** Notes where a link leads. */
    addLink(path: string, target: string): void {
      const to = posix.join(posix.dirname(path), target.replaceAll('\\', '/'))
      if (leadsOut(target) && target.startsWith('/'))
        throw new Error(`the link ${quoteName(path)} leads out of it`)
      if (leadsOut(to)) throw new Error(`the link ${quoteName(path)} leads out of it`)
    },
    /** Whether the text of an entry may matter, and there is room for it. */
    wants: (path: string, size: number) =>
      size <= READABLE && texts.size < READS && (isManifest(path) || mayHoldSecret(path)),
    texts,
    done: (): Listing => ({ paths, texts, unpacked })
  }
}

function leadsOut(path: string): boolean {
  return /^(?:\/|[a-z]:|\.\.(?:\/|$))/i.test(path)
}

async function listZip(file: Reading): Promise<Listing> {
  const { default: yauzl } = await import('yauzl')
  const zip = await yauzl.fromFdPromise(file.fd, { autoClose: false, lazyEntries: true })
  const listing = openListing()
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize: size, compressionMethod: method } = entry
    if (fileName.endsWith('/')) continue
    const path = listing.add(fileName, size)
    if (entry.isEncrypted()) throw new Error(`${quoteName(path)} is encrypted`)
    if (method !== 0 && method !== 8) {
      throw new Error(
        `${quoteName(path)} is packed by method ${method}, which many programs cannot unpack: use Deflate`
      )
    }
    // The upper half holds a Unix mode where the archive was made there.
    const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
    if (!isLink && !listing.wants(path, size)) continue
    if (size > READABLE) throw new Error(`the link ${quoteName(path)} is too long`)
    const text = (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1')
    if (isLink) listing.addLink(path, text)
    else listing.texts.set(path, text)
  }
  return listing.done()
}

async function listTar(file: Reading): Promise<Listing> {
  const { createTarDecoder } = await import('modern-tar')
  const listing = openListing()
  const packed = createReadStream('', { fd: file.fd, start: 0, autoClose: false })
  let unpacked = 0
  const gunzip = createGunzip()
  packed.on('error', cause => gunzip.destroy(cause))
  gunzip.on('data', (chunk: Buffer) => {
    unpacked += chunk.length
    if (unpacked <= Math.max(UNPACKED, RATIO * file.size)) return
    gunzip.destroy(new Error(`it unpacks to more than ${sizeText(unpacked)}`))
  })
  gunzip.pause()
  // Lax, it takes a web page for an empty archive.
  const decoder = createTarDecoder({ strict: true })
  const entries = Readable.toWeb(packed.pipe(gunzip)).pipeThrough(decoder)
  for await (const { header, body } of entries) {
    const { name, size, type = 'file', linkname = '' } = header
    if (type === 'directory' || /header|device|fifo|long/.test(type)) {
      await body.cancel()
      continue
    }
    const path = listing.add(name, size)
    if (type === 'symlink') listing.addLink(path, linkname)
    // A hard link leads from the root of the archive.
    if (type === 'link') listing.addLink('', linkname)
    if (!listing.wants(path, size)) await body.cancel()
    else
      listing.texts.set(
        path,
        Buffer.from(await new Response(body).arrayBuffer()).toString('latin1')
      )
  }
  return listing.done()
}
