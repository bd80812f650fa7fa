// The event's payload, from the file that the runner names.
import { readFile } from 'node:fs/promises'

/** The event file is not there, or is no JSON. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError'
}

/** The payload, or an empty one when no file is named. Throws an `EventFileError` that quotes the path. */
export async function readPayload(path: string): Promise<unknown> {
  if (path === '') return {}
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EventFileError(`The event file "${path}" cannot be read: ${reason}`, { cause })
  }
}
