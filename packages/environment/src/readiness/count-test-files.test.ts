import { expect, test } from 'vitest'
import { TestFileCount } from './count-test-files.ts'

test('files are counted as the output names them, once each, also where a chunk cuts a name', () => {
  const count = new TestFileCount(['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'])
  expect(count.see('RUN v1\n')).toBeNull()
  expect(count.see(' ✓ test/a.test.ts (3 tests)\n ✓ test/b.te')).toEqual({ done: 1, of: 3 })
  expect(count.see('st.ts (1 test)\n')).toEqual({ done: 2, of: 3 })
  expect(count.see('FAIL test/a.test.ts > adds\n')).toBeNull()
})
