import { phaseRecord } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { discoveredIn, HOW_TO_TELL, withDiscoveries } from './discovered.ts'

const RUN = '00000000-0000-4000-8000-000000000007'
const at = { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1_000 }

function told(said: string) {
  const fix = {
    group: null,
    novel: true,
    lessonId: null,
    confidence: null,
    engine: 'native',
    outcome: 'done' as const,
    prompt: null,
    context: null,
    said,
  }
  const record = phaseRecord({ ...at, phase: 'improve', iteration: 2, outcome: 'passed', fixes: [fix] })
  return discoveredIn({ id: RUN, item: { projectNumber: 1, number: 4 }, history: [record] }, null)
}

test.each<[string, string, [type: string, glob: string | null, content: string][]]>([
  ['nothing', 'I have mended it.', []],
  ['a trap', 'Done.\nDiscovered gotcha: rows come unsorted\n', [['gotcha', null, 'rows come unsorted']]],
  [
    'files, marks, and letters of any size',
    '- discovered Pattern [ src/db/** ] : Queries live in one file\r\n`Discovered gotcha [*.sql]: semicolons end the batch`',
    [
      ['pattern', 'src/db/**', 'Queries live in one file'],
      ['gotcha', '*.sql', 'semicolons end the batch'],
    ],
  ],
  ['in the middle of a line', 'I have discovered gotcha: nothing of the kind', []],
  ['quoted', '> Discovered gotcha: rows come unsorted\n- > discovered pattern: send keys home', []],
  ['in a fence', 'It prints:\n```text\nDiscovered gotcha: rows come unsorted\n```\nDone.', []],
  ['in a longer fence', '~~~~\n~~~\nDiscovered gotcha: rows come unsorted\n~~~~~\n', []],
  ['in a fence that is left open', '- ```\nDiscovered gotcha: rows come unsorted\n', []],
  ['indented as code', 'It prints:\n\n    Discovered gotcha: rows come unsorted\n', []],
  [
    'after a fence',
    '```js\nrows()\n```\n  * Discovered gotcha: rows come unsorted',
    [['gotcha', null, 'rows come unsorted']],
  ],
  ['too little to say', 'Discovered gotcha: careful', []],
  [
    'no more than a few',
    'Discovered gotcha: one two three\n'.repeat(9),
    Array(5).fill(['gotcha', null, 'one two three']),
  ],
  ['what the prompt shows is no discovery', HOW_TO_TELL, []],
])('%s', (_, said, lessons) => {
  expect(told(said).map(({ type, glob, content }) => [type, glob, content])).toEqual(lessons)
})

test('where it comes from goes with it', () => {
  expect(told('Discovered gotcha: rows come unsorted')).toMatchObject([
    {
      confidence: 0.7,
      discoveredBy: 'native',
      provenance: { runId: RUN, attempt: 3, commit: null },
      seenAt: '1/4',
    },
  ])
})

test('what was found out is kept of a long answer, wherever it was said', () => {
  const line = 'Discovered gotcha: rows come unsorted'
  expect(withDiscoveries('short', 2_000)).toBe('short')
  const fenced = `\`\`\`\n${'x\n'.repeat(2_500)}\`\`\`\n${line}`
  for (const text of [`${line}\n${'x'.repeat(5_000)}`, `${'x'.repeat(5_000)}\n${line}`, fenced]) {
    const cut = withDiscoveries(text, 2_000)
    expect(cut).toHaveLength(2_000)
    expect(told(cut)).toHaveLength(1)
  }
})
