// What all texts for buyers share: line ends, and whether there is anything to read. Pure.

/** Line ends become `\n`, and the text is trimmed; nothing else changes. */
export function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}

/** Lines that are not meant for buyers: titles, GitHub's last line, and what says that the text is still to be written. */
const NO_NEWS = [
  /^#{1,6}(?:[ \t]|$)/,
  /^[*_[ \t]*full changelog\b/i,
  /^[^\p{L}\d]*(?:todo|wip|tbd)[^\p{L}\d]*$/iu
]

/** Whether a text has anything to read: invisible characters, tags, and headings alone do not count. */
export function hasText(text: string): boolean {
  const seen = text
    .replace(
      /&(?:nbsp|e[mn]sp|thinsp|zerowidthspace|zwnj|zwj|shy|#0*(?:32|160|8203)|#x0*(?:20|a0|200b));|<\/?(?:p|br|div|span)\b[^<>]*>/gi,
      ''
    )
    .replace(/^.+\n=+[ \t]*$/gm, '')
    .split('\n')
    .map(line => line.trim().replace(/^(?:>\s*)+/, ''))
    .filter(line => !NO_NEWS.some(it => it.test(line)))
  return !/^[\s\p{Default_Ignorable_Code_Point}\u2800#*_>~`=+-]*$/u.test(seen.join('\n'))
}
