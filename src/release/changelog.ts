// From release notes to the text that buyers read. Pure.

/** Line ends become `\n`, and the text is trimmed; nothing else changes. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}
