import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LineLimit } from './line-limit.ts'

test('lines pass as they come, also many in one piece and one in many pieces', async () => {
  const limit = new LineLimit(5, () => expect.unreachable())
  const read = text(limit)
  for (const piece of ['abc', 'de\nfgh', 'ij\n\nk\nl', 'mnop']) limit.write(piece)
  limit.end()
  expect(await read).toBe('abcde\nfghij\n\nk\nlmnop')
})

test('a line without end is given up: it is told once, and what follows is taken in and not held', async () => {
  let told = 0
  const source = new PassThrough()
  const limit = source.pipe(new LineLimit(1_000, () => (told += 1)))
  const read = text(limit)
  const piece = Buffer.alloc(65_536, 'x')
  const before = process.memoryUsage.rss()
  // 512 MB in all.
  for (let count = 0; count < 8_192; count += 1) if (!source.write(piece)) await turn()
  source.end()
  expect(await read).toBe('')
  expect(told).toBe(1)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 ** 2)
})
