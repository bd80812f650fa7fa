// Tildes under a line of text, which reStructuredText takes for an underline, and Markdown for code. Pure.

/** `~~~` or three backticks, and more: the sign, and whether nothing follows. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/

interface Fence {
  readonly marks: string
  /** Nothing follows the marks, so it may close another. */
  readonly isBare: boolean
}

function fenceIn(line: string): Fence | undefined {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
  // Backticks that are followed by others are code within the line.
  return marks === '' || (marks.startsWith('`') && rest.includes('`'))
    ? undefined
    : { marks, isBare: rest === '' }
}

/** Four tildes or more, as long as the line above, and that is text: an underline. */
function isUnderline(line: string, above: string): boolean {
  const underline = line.trimEnd()
  const isLine = /^~{4,}$/.test(underline)
  const isUnderText = above.trim() !== '' && !/^[~=-]{3,}$/.test(above.trimEnd())
  return isLine && isUnderText && underline.length >= above.trimEnd().length
}

/** Makes underlines of tildes dashes; tildes that fence code stay. */
export function dashTildes(source: string): string {
  if (!source.includes('~~~~')) return source

  const lines = source.split('\n')
  const longest = longestBelow(lines)

  let open = ''
  return lines
    .map((line, at) => {
      const fence = fenceIn(line)

      if (open !== '') {
        const closes = fence?.isBare && fence.marks.startsWith(open)
        if (closes) open = ''
        return line
      }

      if (isUnderline(line, lines[at - 1] ?? '')) return '-'.repeat(line.trimEnd().length)

      // A fence that nothing closes is none.
      const isClosed = fence && (longest[at]?.[fence.marks.charAt(0)] ?? 0) >= fence.marks.length
      if (isClosed) open = fence.marks
      return line
    })
    .join('\n')
}

/** How long the longest bare fence of each sign is, below each line. */
function longestBelow(lines: readonly string[]): Readonly<Record<string, number>>[] {
  const found: Readonly<Record<string, number>>[] = []
  let longest: Readonly<Record<string, number>> = {}
  for (let at = lines.length - 1; at >= 0; at--) {
    found[at] = longest

    const fence = fenceIn(lines[at] ?? '')
    if (!fence?.isBare) continue

    const sign = fence.marks.charAt(0)
    longest = { ...longest, [sign]: Math.max(longest[sign] ?? 0, fence.marks.length) }
  }
  return found
}
