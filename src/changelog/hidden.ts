// Finds the lines of a changelog file that stand in code or comments, where no title is.

/** What hides lines, from one that begins with the first to one that holds the second. */
const HIDING = [
  [/^[ \t]*<!--/, /-->/],
  [/^[ \t]*<pre\b/i, /<\/pre>/i],
  [/^[ \t]*<\?php/i, /\?>/]
] as const

/** Indexes of lines in code, comments, `<pre>` and the like, as far as something closes these. */
export function hiddenLines(lines: readonly string[]): Set<number> {
  const hidden = new Set<number>()
  const hide = (from: number, to: number) => {
    for (let index = from; index <= to; index++) hidden.add(index)
  }
  const fences = lines.map(line => /^[ \t>]*(`{3,}|~{3,})([^`]*)$/.exec(line))
  // The shortest fence that nothing closed: no longer one is closed, either.
  const unclosed = new Map<string, number>()
  for (let index = 0; index < lines.length; index++) {
    const [, fence = '', info = ''] = fences[index] ?? []
    const before = lines[index - 1]?.trim() ?? ''
    // Code is seldom put between eight tildes or more; rules and underlines are.
    const isMere =
      info.trim() === '' && (fence.length > 8 || (before !== '' && fence.length >= before.length))
    const mark = fence.charAt(0)
    // Under a line of text, `~~~~~` is an underline: https://docutils.sourceforge.io/docs/ref/rst/
    const isUnderline = mark === '~' && isMere
    if (fence === '' || isUnderline || fence.length >= (unclosed.get(mark) ?? Infinity)) continue
    const closes = (it?: RegExpExecArray | null) =>
      it?.[1]?.startsWith(fence) && it[2]?.trim() === ''
    let close = index + 1
    while (close < lines.length && !closes(fences[close])) close++
    if (close === lines.length) unclosed.set(mark, fence.length)
    else {
      hide(index, close)
      index = close
    }
  }
  for (const [opens, closes] of HIDING) {
    for (let index = 0; index < lines.length; index++) {
      if (!opens.test(lines[index] ?? '')) continue
      let close = index
      while (close < lines.length && !closes.test(lines[close] ?? '')) close++
      // No later one is closed, either.
      if (close === lines.length) break
      // What stands on one line with its end may still be a title: `## <code>1.2.3</code>`.
      if (close > index) hide(index, close)
      index = close
    }
  }
  return hidden
}
