import { expect, test } from 'vitest'
import { readNewItem, type Typed } from './add-item.model.ts'

const typed = (given: Partial<Typed>): Typed => ({
  title: 'A title',
  body: '',
  acceptance: '',
  priority: '',
  ...given,
})

test('each line that is not empty is a criterion, and an empty priority is none', () => {
  expect(
    readNewItem(typed({ title: '  A title ', body: 'More', acceptance: 'One\n\n  \nTwo ' })),
  ).toMatchObject({
    is: 'item',
    item: { title: 'A title', body: 'More', acceptance: ['One', 'Two'], priority: null },
  })
  expect(readNewItem(typed({ priority: ' 7 ' }))).toMatchObject({ is: 'item', item: { priority: 7 } })
})

test.each([
  [{ title: '  ' }, 'in one line'],
  [{ priority: 'soon' }, 'whole number'],
  [{ priority: '1001' }, 'whole number'],
  [{ priority: '-1' }, 'whole number'],
  [{ body: 'x'.repeat(70_000) }, 'body'],
  [{ acceptance: 'y'.repeat(3_000) }, 'acceptance'],
] satisfies [Partial<Typed>, string][])('%o is not taken', (given, why) => {
  expect(readNewItem(typed(given))).toMatchObject({ is: 'wrong', why: expect.stringContaining(why) })
})
