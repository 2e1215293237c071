import { expect, test } from 'vitest'
import { mergeMessage } from './commit-message.ts'
import { NOW, RUN, sampleItem } from './testing/sample.ts'

test('commit messages say what, and carry the facts as trailers', () => {
  const long = sampleItem({
    title: `${'very '.repeat(30)}long\ntitle`,
    runId: RUN,
    approval: { kind: 'human', by: 'owner', at: NOW.toISOString() },
  })
  const [subject = '', ...rest] = mergeMessage(long, null).split('\n')
  expect(subject.length).toBeLessThanOrEqual(72)
  expect(rest.join('\n')).toContain('Item: 1/7\nApproved-by: human owner\n')
  const reverts = { number: 12, commit: 'c'.repeat(40) }
  expect(mergeMessage({ ...long, reverts }, null)).toContain(`Item: 1/7\nReverts: #12 ${'c'.repeat(40)}\n`)
})
