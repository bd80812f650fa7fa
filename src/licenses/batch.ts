// Bytes that gather until they are worth a write.

/** Bytes to be written; `length` of them are in use. */
export interface Batch {
  bytes: Buffer
  length: number
}

/** So many bytes are worth a write. */
export const WORTH = 256 * 1024
const ROOM = 2 * WORTH

/** Starts empty. */
export function startBatch(): Batch {
  return { bytes: Buffer.allocUnsafeSlow(ROOM), length: 0 }
}

/** Makes room for so many bytes more. */
export function reserve(batch: Batch, count: number): void {
  const wanted = batch.length + count
  if (wanted <= batch.bytes.length) return
  const bytes = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * batch.bytes.length))
  batch.bytes.copy(bytes, 0, 0, batch.length)
  batch.bytes = bytes
}

/** Adds one byte. */
export function appendByte(batch: Batch, byte: number): void {
  reserve(batch, 1)
  batch.bytes[batch.length++] = byte
}

/** Adds the bytes between two offsets. */
export function appendBytes(batch: Batch, from: Buffer, start: number, end: number): void {
  reserve(batch, end - start)
  from.copy(batch.bytes, batch.length, start, end)
  batch.length += end - start
}

/** Adds a text as UTF-8. */
export function appendText(batch: Batch, text: string): void {
  // At most three bytes for each UTF-16 unit.
  reserve(batch, text.length * 3)
  batch.length += batch.bytes.write(text, batch.length)
}

/** Takes the bytes out; they are good until more are added. */
export function drain(batch: Batch): Buffer {
  const bytes = batch.bytes.subarray(0, batch.length)
  // A huge page's room is not kept for the pages after it.
  if (batch.bytes.length > ROOM) batch.bytes = Buffer.allocUnsafeSlow(ROOM)
  batch.length = 0
  return bytes
}
