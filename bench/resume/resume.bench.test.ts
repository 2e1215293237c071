import { expect, test } from 'vitest'
import { measureResume, printed } from './measure.ts'

test('ten improve turns in one conversation cost less than half of ten conversations', async () => {
  const found = await measureResume()
  process.stdout.write(printed(found))
  expect(found.with.usd / found.without.usd).toBeLessThan(0.5)
})
