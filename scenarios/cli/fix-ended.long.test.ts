// A search that is ended from outside tells what it has by then, at once, and leaves nothing running.
import { expect, test } from 'vitest'
import { start } from '../kit/command.ts'
import { everythingIn } from '../kit/processes.ts'
import { useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const END_MS_MAX = 3_000

/** Every candidate costs time, so that the search is still at work when it has found something. */
const files = {
  'package.json': '{ "type": "module" }\n',
  'src/sum.js': `export function sum(list) {
  let total = 1
  for (let round = 0; round < 20000; round += 1) total = total + 0
  for (const each of list) total += each
  return total
}
`,
  'test/sum.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.js'
test('some', () => assert.equal(sum([1, 2]), 3))
test('none', () => assert.equal(sum([]), 0))
`,
}

interface Ended {
  readonly outcome: string
  readonly patches?: readonly { readonly diff: string }[]
  readonly patch?: { readonly diff: string } | null
}

function begin(more: readonly string[]) {
  const workspace = shop({
    scripts: [],
    files,
    settings: {
      tests: { command: 'node --test' },
      engines: { default: 'repair', repair: { budgetSeconds: 300, slowSeconds: 300, maxCandidates: 60_000 } },
    },
  })
  return { workspace, started: start(workspace, ['fix', '--engine', 'repair', '--json', ...more]) }
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s: a dry run prints the best patch so far', async (signal) => {
  const { workspace, started } = begin(['--dry-run'])
  await eventually('a green patch', () => (started.seen().includes('best so far') ? true : undefined))
  const before = performance.now()
  started.child.kill(signal)
  const { code, stdout } = await started.ended
  expect(performance.now() - before).toBeLessThan(END_MS_MAX)
  const ended = JSON.parse(stdout) as Ended
  expect(code).toBe(130)
  expect(ended.outcome).toBe('plausible')
  expect(ended.patches?.[0]?.diff).toContain('src/sum.js')
  await eventually('nothing is left running', () => (everythingIn(workspace).length === 0 ? true : undefined))
})

test('a fix does the same, and can be gone on with', async () => {
  const { workspace, started } = begin([])
  await eventually('the search', () =>
    started.seen().includes('a patch makes the tests pass') ? true : undefined,
  )
  const before = performance.now()
  started.child.kill('SIGTERM')
  const { code, stdout } = await started.ended
  expect(performance.now() - before).toBeLessThan(END_MS_MAX)
  const ended = JSON.parse(stdout) as Ended
  expect([code, ended.outcome]).toEqual([130, 'not_fixed'])
  expect(ended.patch?.diff).toContain('src/sum.js')
  await eventually('nothing is left running', () => (everythingIn(workspace).length === 0 ? true : undefined))
})
