// What engines, reviewers and reports write as Markdown is read on a terminal without its marks.
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { renderMarkdown } from './markdown.ts'

const TEXT = `## Review Feedback - Cycle 1/3

**Status:** REJECTED, see [the guide](https://example.invalid/guide) and \`total()\`.

1. Use \`Math.ceil\` in a long sentence that has to go on in the next line because it is wider than a terminal
2. Add a test

- one
  - inner
- [x] done
- [ ] not done

\`\`\`ts
const sum = 0
\`\`\`

\`\`\`diff
-  let sum
+  let sum = 0
\`\`\`

> quoted

| a | b |
|---|---|
| 1 | 日本 |
`

test('no fence, no stars, no hashes; lists, code and tables stay what they are', async () => {
  const shown = await renderMarkdown(TEXT, 60)
  const plain = stripVTControlCharacters(shown)
  expect(plain).not.toMatch(/```|\*\*|^#|`/m)
  for (const line of plain.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(60)
  expect(plain.split('\n')).toEqual(
    expect.arrayContaining([
      'Review Feedback - Cycle 1/3',
      '2. Add a test',
      '• one',
      '  • inner',
      '[x] done',
      '[ ] not done',
      '    const sum = 0',
      '    +  let sum = 0',
      '│ quoted',
      'a  b',
      '1  日本',
    ]),
  )
})

test('a text that is no Markdown stays as it is, and moves no cursor', async () => {
  expect(stripVTControlCharacters(await renderMarkdown('Nothing\u001b[2J special.\u0007', 80))).toBe(
    'Nothing special. ',
  )
})
