// A test that passes once after it failed before has not been mended: it is run again before a change is delivered.
import type { LoopState } from '@treadle/contracts/loop-state'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { type Attempts, useShops } from '../kit/shop.ts'

const shop = useShops()

// Each run leaves a line; only the second is lucky.
const LUCKY = `echo run >> ../../../../home/runs
n=$(wc -l < ../../../../home/runs)
echo 'TAP version 13'
echo '1..1'
if [ $((n)) -eq 2 ]; then echo 'ok 1 - shaky'; exit 0; fi
echo 'not ok 1 - shaky'
exit 1
`

test('a test that passes by luck is reported as flaky, and nothing is delivered', async () => {
  const ideas: Attempts = [1, 2, 3, 4].map((n) => [{ write: { file: 'notes.txt', text: `idea ${n}\n` } }])
  const workspace = shop({ scripts: [ideas], files: { 'test.sh': LUCKY } })
  const ended = await run(workspace, ['fix', '--json'])
  expect(ended.code, ended.stderr).toBe(1)
  const { loop } = JSON.parse(ended.stdout) as { loop: LoopState }
  const [first] = loop.history.filter(({ phase }) => phase === 'test')
  expect(first).toMatchObject({ outcome: 'failed' })
  expect(first?.summary).toContain('flaky: shaky passed 1 of 2 runs on the same tree')
  expect(loop.history.map(({ phase }) => phase)).not.toContain('commit')
})
