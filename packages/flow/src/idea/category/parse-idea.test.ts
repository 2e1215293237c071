import { CategoryIdea } from '@treadle/contracts/category-idea'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIdea } from './parse-idea.ts'

const ANSWER = `**Title:** Cache parsed manifests between surveys
**Description:** Each survey parses every manifest again. A cache by content saves most of that time.
**Acceptance Criteria:**
- AC-1.a: Two surveys of the same tree parse each manifest once
- AC-1.b: A manifest that changed is parsed again
- AC-1.c: The cache holds at most 100 manifests
**Technical Approach:** Keep a map from the hash of the text to the parsed manifest in src/manifest.ts.
**Estimated Effort:** 5 hours`

const IDEA: CategoryIdea = {
  title: 'Cache parsed manifests between surveys',
  description: 'Each survey parses every manifest again. A cache by content saves most of that time.',
  acceptanceCriteria: [
    'AC-1.a: Two surveys of the same tree parse each manifest once',
    'AC-1.b: A manifest that changed is parsed again',
    'AC-1.c: The cache holds at most 100 manifests',
  ],
  technicalApproach: 'Keep a map from the hash of the text to the parsed manifest in src/manifest.ts.',
  effort: 5,
}

test('the form that the prompt asks for is read into title, description, criteria, approach and effort', () => {
  expect(parseIdea(ANSWER)).toEqual({ is: 'idea', idea: IDEA })
})

const [title, description, , a, b, c, approach, effort] = ANSWER.split('\n').map((line) =>
  line.replace(/^\*\*[^*]+\*\* ?|^- AC-1\.\w: /, ''),
)
const criteria = [a, b, c]
const bold = (name: string) => `**${name}:**`
/** The idea with its labels and criteria written otherwise. */
function written(label: (name: string) => string, criterion: (text: string, id: string) => string): string {
  return [
    `${label('Title')} ${title}`,
    `${label('Description')} ${description}`,
    label('Acceptance Criteria'),
    ...criteria.map((text = '', at) => criterion(text, `AC-1.${'abc'[at]}`)),
    `${label('Technical Approach')} ${approach}`,
    `${label('Estimated Effort')} ${effort}`,
  ].join('\n')
}

test.each<[string, string]>([
  ['line ends of Windows', ANSWER.replaceAll('\n', '\r\n')],
  ['the colon behind the bold words', ANSWER.replaceAll(':**', '**:')],
  [
    'headings',
    written(
      (name) => `\n## ${name}\n`,
      (text, id) => `- ${id}: ${text}`,
    ),
  ],
  [
    'headings with numbers and colons',
    written(
      (name) => `### 1. ${name}:`,
      (text, id) => `- ${id}: ${text}`,
    ),
  ],
  [
    'bold headings',
    written(
      (name) => `\n# **${name}**\n\n`,
      (text, id) => `- ${id}: ${text}`,
    ),
  ],
  [
    'headings with a picture',
    written(
      (name) => `\n## 🎯 ${name}\n`,
      (text, id) => `* ${id}: ${text}`,
    ),
  ],
  [
    'labels without emphasis',
    written(
      (name) => `${name}:`,
      (text, id) => `${id}: ${text}`,
    ),
  ],
  [
    'labels in italics',
    written(
      (name) => `_${name}_:`,
      (text, id) => `${id} - ${text}`,
    ),
  ],
  [
    'labels in capital letters',
    written(
      (name) => `**${name.toUpperCase()}**:`,
      (text) => `- ${text}`,
    ),
  ],
  [
    'labels in a list',
    written(
      (name) => `- **${name}**:`,
      (text, id) => `  - ${id}: ${text}`,
    ),
  ],
  [
    'labels with a note',
    written(
      (name) => `**${name} (as asked):**`,
      (text, id) => `- ${id}: ${text}`,
    ),
  ],
  ['a checklist', written(bold, (text, id) => `- [ ] ${id}: ${text}`)],
  ['a ticked checklist', written(bold, (text, id) => `* [x] **${id}**: ${text}`)],
  ['numbered criteria', written(bold, (text, id) => `${Number.parseInt(id.at(-1) ?? '', 36) - 9}. ${text}`)],
  ['numbered criteria with ids', written(bold, (text, id) => `1) **${id}:** ${text}`)],
  ['bold ids without a bullet', written(bold, (text, id) => `**${id}:** ${text}\n`)],
  ['ids in brackets', written(bold, (text, id) => `- [${id}] ${text}`)],
  ['ids twice', written(bold, (text, id) => `- [ ] ${id}: **${id}:** ${text}`)],
  ['ids of another form', written(bold, (text, id) => `- AC${id.charCodeAt(5) - 96}: ${text}`)],
  ['one id for all', written(bold, (text) => `- AC-1.a: ${text}`)],
  ['criteria that go on in the next line', ANSWER.replace('is parsed again', '\n  is parsed again')],
  ['a code fence around everything', `\`\`\`markdown\n${ANSWER}\n\`\`\``],
  ['a fence, and words around it', `Here it is:\n\n~~~\n${ANSWER}\n~~~\n\nTell me if you want 3 more.`],
  ['a fence that is not closed', `\`\`\`md\n${ANSWER}`],
  [
    'words before and after',
    `I looked at the repository.\n\n---\n${ANSWER}\n\n---\nShall I build it in 2 days?`,
  ],
  [
    'the form first, then the idea',
    `**Title:** [Concise improvement title]\n**Description:** [2-3 sentences]\n\n${ANSWER}`,
  ],
  ['a second idea', `${ANSWER}\n\n${ANSWER.replaceAll('manifest', 'lockfile')}`],
  ['an incomplete idea before it', `**Title:** Something\n**Description:** Else\n\n${ANSWER}`],
  ['quotation marks around the title', ANSWER.replace(title ?? '', `"${title}"`)],
  ['the title in the next line, in bold', ANSWER.replace(` ${title}`, `\n\n**${title}**\n`)],
  ['more labels than were asked for', ANSWER.replace('**Technical', '**Risks:**\n- none\n\n**Technical')],
  ['rules between the parts', ANSWER.replaceAll('\n**', '\n\n---\n\n**')],
  ['groups of criteria', ANSWER.replace('- AC-1.a', '- Parsing:\n  - AC-1.a')],
])('%s', (_, text) => {
  expect(parseIdea(text)).toEqual({ is: 'idea', idea: IDEA })
})

test('criteria with ids of their own keep them, each once', () => {
  const text = ANSWER.replace('AC-1.a', 'AC-1.1.a').replace('AC-1.c: ', 'AC-2.c: AC-2.c: ')
  expect(parseIdea(text)).toMatchObject({
    idea: {
      acceptanceCriteria: ['AC-1.1.a: ', 'AC-1.b: ', 'AC-2.c: '].map((id, at) => `${id}${criteria[at]}`),
    },
  })
})

test.each([
  ['- **AC-1.a (first):** Two surveys', 'AC-1.a: (first): Two surveys'],
  ['- [ ] `AC-1.a` — Two surveys', 'AC-1.a: Two surveys'],
  ['- AC-1.a: **Two** surveys', 'AC-1.a: **Two** surveys'],
  ['- AC-1.a: `AC-2` is a row', 'AC-1.a: `AC-2` is a row'],
  ['- AC-1.a: Two surveys, as AC-1.b: has them', 'AC-1.a: Two surveys, as AC-1.b: has them'],
])('%j is the criterion %j', (line, criterion) => {
  const read = parseIdea(
    ANSWER.replace('- AC-1.a: Two surveys of the same tree parse each manifest once', line),
  )
  expect(read).toMatchObject({ idea: { acceptanceCriteria: { 0: criterion } } })
})

test('approach and description keep their lines, their code and the words that look like labels in it', () => {
  const steps = '1. Read it\n2. Write it:\n\n```yaml\nTitle: x\n**Description:** y\n```\n\nTitle: of a book'
  const text = ANSWER.replace(approach ?? '', `\n${steps}`)
  expect(parseIdea(text)).toEqual({ is: 'idea', idea: { ...IDEA, technicalApproach: steps } })
})

test.each<[string, number | null]>([
  ['6 hours', 6],
  ['6', 6],
  ['~6h', 6],
  ['**6 hours**', 6],
  ['6-8h', 8],
  ['6 – 8 hours', 8],
  ['6h to 8h', 8],
  ['between 4 and 6 hours', 6],
  ['less than 8 hours', 8],
  ['4.5 hrs.', 4.5],
  ['4,5 hours', 4.5],
  ['90 minutes', 1.5],
  ['8 hours (1 day)', 8],
  ['9 hours (6 for code, 3 for tests)', 9],
  ['Small (2-4 hours)', 4],
  ["I'd say 3 hours, for 2 files", 3],
  ['\n- Code: 4 hours\n- Tests: 2 hours\n- Total: 6 hours', 6],
  ['half a day', null],
  ['a day', null],
  ['1 day', null],
  ['1d', null],
  ['2 days (8h each)', null],
  ['8 hours a week', null],
  ['5 story points', null],
  ['8+ hours', null],
  ['6 hours of code and 3 hours of tests', null],
  ['\n- Code: 4 hours\n- Tests: 2 hours', null],
  ['1,000 hours', null],
  ['0 hours', null],
  ['medium', null],
])('an effort of %j is %j hours', (said, hours) => {
  const read = parseIdea(ANSWER.replace('5 hours', said))
  if (hours === null) expect(read).toMatchObject({ is: 'unreadable', why: expect.stringContaining('hours') })
  else expect(read).toMatchObject({ idea: { effort: hours } })
})

test.each([
  'NO_IDEA_AVAILABLE',
  '\n  **NO_IDEA_AVAILABLE**.\n',
  '```\nNO_IDEA_AVAILABLE\n```',
  'NO\\_IDEA\\_AVAILABLE',
  '"NO_IDEA_AVAILABLE" - everything here is in order.',
  'I have looked at every module.\r\n\r\nNO_IDEA_AVAILABLE\r\n',
  'Nothing of value is left to do here, so: NO_IDEA_AVAILABLE',
  'NO_IDEA_AVAILABLE\n\nOf little value would be:\n\n**Title:** Rename a file',
  '**Title:** NO_IDEA_AVAILABLE',
  'No idea available.',
])('%j is no idea', (text) => {
  expect(parseIdea(text)).toEqual({ is: 'none' })
})

test('an idea that quotes the words for none is an idea', () => {
  const text = ANSWER.replace(
    approach ?? '',
    'Templates tell models to answer\nNO_IDEA_AVAILABLE\nor an idea.',
  )
  expect(parseIdea(text)).toMatchObject({ is: 'idea' })
  const cut = text.slice(0, text.indexOf('**Estimated'))
  expect(parseIdea(cut)).toMatchObject({ is: 'unreadable' })
})

test.each<[string, string, string]>([
  ['nothing', '  \n', 'empty'],
  ['a refusal', 'I cannot help with that.', '**Title:**'],
  ['no description', ANSWER.replace('**Description:**', '**Overview:**'), '**Description:**'],
  ['no criteria', ANSWER.replace(/- AC.*\n/g, ''), '**Acceptance Criteria:**'],
  ['no approach', ANSWER.replace(/\*\*Technical.*\n/, ''), '**Technical Approach:**'],
  ['no effort', ANSWER.replace(/\*\*Estimated.*/, ''), '**Estimated Effort:** is missing'],
  ['only the form', '**Title:** [Concise improvement title]\n**Description:** [words]', 'repeats the form'],
  ['a title that is too long', ANSWER.replace(title ?? '', 'long '.repeat(70)), '349 characters'],
  [
    'a description that is too long',
    ANSWER.replace(description ?? '', 'x'.repeat(10_001)),
    '10001 characters',
  ],
  ['a criterion that is too long', ANSWER.replace('again\n', `${'x'.repeat(2_000)}\n`), '2000 characters'],
  ['too many criteria', ANSWER.replace('- AC-1.a', `${'- one more\n'.repeat(20)}- AC-1.a`), '23 entries'],
  ['too much', `${ANSWER}\n${'x'.repeat(100_000)}`, 'more than 100000'],
])('%s is unreadable, and it says why', (_, text, why) => {
  expect(parseIdea(text)).toEqual({ is: 'unreadable', why: expect.stringContaining(why) })
})

test('two criteria are read; whether they are enough is judged later', () => {
  expect(parseIdea(ANSWER.replace(/- AC-1\.c.*\n/, ''))).toMatchObject({
    idea: { acceptanceCriteria: { length: 2 } },
  })
})

test('control characters and what nobody sees do not survive', () => {
  const hidden = '\u001b\u0007\u0000\u202e\u2066\u200b\u{e0041}\u009b'
  const read = parseIdea(ANSWER.replaceAll(' ', ` ${hidden}`))
  expect(read.is).toBe('idea')
  expect(JSON.stringify(read).replace(/[ -~]/g, '')).toBe('')
  expect(JSON.stringify(read)).not.toContain('\\u')
})

const pieces = fc.constantFrom(
  ...['**Title:**', '## Description', 'Acceptance Criteria:', '- AC-1.a:', '- [ ] ', '```', '~~~~', '   '],
  ...[
    '**Technical Approach:**',
    '**Estimated Effort:** ',
    '6-8 h',
    'NO_IDEA_AVAILABLE',
    '\n',
    '\r\n',
    '\u0000',
  ],
  ...['words of an idea', '[', '**', '_', '1.', 'AC-1', '\ud800', '\u2028'],
)

test('whatever stands in an answer, what is read of it keeps to the schema', () => {
  const answers = fc.array(pieces, { maxLength: 60 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(answers, (text) => {
      const read = parseIdea(text)
      if (read.is === 'idea') expect(CategoryIdea.parse(read.idea)).toEqual(read.idea)
      if (read.is === 'unreadable') expect(read.why).not.toBe('')
    }),
  )
})

const LONG = 95_000
test.each([
  '*',
  '_',
  '#',
  ' ',
  '`',
  '\n',
  '```\n',
  '```x\n',
  '~~~ \n```\n',
  '- ',
  '- AC-1.a: ',
  '[',
  '**Title:** x\n',
  '**Title:** [x]\n',
  '1.',
  '6-',
  '6 - 8 ',
  '(',
  '()',
  'AC-1.a: ',
  '**Title',
  '_NO_IDEA_AVAILABLE ',
  '\\_',
  '"',
  '**Acceptance Criteria:**\n  - a\n',
  '\u{e0041}',
])('an answer of nothing but %j ends', (piece) => {
  const bomb = piece.repeat(Math.floor(LONG / piece.length))
  for (const text of [bomb, `${ANSWER}${bomb}`, ANSWER.replace('Two surveys', bomb)])
    expect(parseIdea(text)).toHaveProperty('is')
})
