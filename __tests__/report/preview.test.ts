// Tests of a plan's preview in the summary: whatever the notes hold, it stays inside its quote.
import { expect, test } from '@jest/globals'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { renderHtml } from '../../src/changelog/html.ts'
import { ended } from '../../src/report/outcome.ts'
import { summaryOf } from '../../src/report/summary.ts'
import { readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { subject } from '../publish/running.ts'
import { render } from '../support/markdown.ts'

type Node = DefaultTreeAdapterTypes.ChildNode

/** The elements that a browser makes of the summary, each as its name and text, with those they are in. */
function elementsOf(nodes: readonly Node[], within = ''): string[] {
  return nodes.flatMap(node => {
    if (!('childNodes' in node)) return []
    const path = `${within}/${node.nodeName}`
    return [path, ...elementsOf(node.childNodes, path)]
  })
}

function sum(notes: string, title = 'Spring'): string {
  const facts = {
    ...readFacts({ context: contextOf({}, '/'), input: () => '' }),
    ...{ products: [], note: '', digest: '' }
  }
  const planned = { ...subject, title, changelog: notes, removed: [notes] }
  return summaryOf(
    [{ ...ended('planned', '', 'New.'), subject: planned, preview: renderHtml(notes) }],
    facts
  )
}

const ENDS = [
  '&#13;',
  '&#xD;',
  '&#10;',
  '&NewLine;',
  '\r',
  '\n',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\x1b',
  '&#x2028;'
]

test.each(ENDS)('%j twice does not end it', end => {
  const forged = [
    '![a](https://evil.example/a.png)',
    '# Planned',
    '```\n0123\n```',
    '<img src="https://evil.example">'
  ]
  const plain = elementsOf(parseFragment(render(sum('Hello'))).childNodes)
  for (const payload of forged) {
    for (const notes of [
      `Hello${end}${end}${payload}`,
      `<b title="${end}${end}${payload}">a</b>`,
      `\`a${end}${end}${payload}\``
    ]) {
      const summary = sum(notes)
      expect(summary).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029]/u)
      const elements = elementsOf(parseFragment(render(summary)).childNodes)
      const outside = elements.filter(
        path => !path.startsWith('/blockquote/') && !path.includes('/details')
      )
      expect(outside).toEqual(
        plain.filter(path => !path.startsWith('/blockquote/') && !path.includes('/details'))
      )
      expect(elements.join()).not.toContain('/img')
    }
  }
})

test('nothing in titles and names turns the direction of what stands after it', () => {
  expect(sum('a \u202eb\u2066c', 'gallery\u202egpj.exe')).not.toMatch(
    /[\u202a-\u202e\u2066-\u2069]/u
  )
})
