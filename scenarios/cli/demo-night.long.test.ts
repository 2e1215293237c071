// `treadle demo --night`: surveys find what is wrong, mend puts right what a program can, each change is measured and
// merged, and the rest is listed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanEnv } from '../env.ts'
import { run } from '../kit/command.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => place.remove())

const Finding = z.object({ key: z.string(), category: z.string(), mendable: z.boolean() })
const Shown = z.object({
  ok: z.boolean(),
  workspace: z.string(),
  found: z.array(Finding),
  items: z.array(
    z.object({
      number: z.int(),
      state: z.string(),
      engine: z.string().nullable(),
      measure: z.string().nullable(),
      mergeCommit: z.string().nullable(),
    }),
  ),
  left: z.array(Finding),
})

test('a repository that nobody touches gets better by itself, without a model', async () => {
  const root = join(place.home, 'night')
  const ended = await run(place, ['demo', '--night', '--headless', '--json', '--dir', root])
  expect(ended.code, ended.stderr).toBe(0)
  const { ok, found, items, left } = Shown.parse(JSON.parse(ended.stdout))
  expect(ok).toBe(true)
  const keys = (list: typeof found) => list.map(({ key }) => key).sort()
  expect(keys(found)).toEqual([
    'document-command:README.md:npm run begin',
    'import-cycle:src/orders.ts:2',
    'untested-file:src/old-discount.ts',
    'unused-dependency:padding',
    'unused-export:src/cart.ts:lineTotal',
    'unused-export:src/old-discount.ts:summerDiscount',
    'unused-file:src/old-discount.ts',
  ])
  // What no program can put right is left, and nothing else.
  expect(keys(left)).toEqual(['document-command:README.md:npm run begin', 'import-cycle:src/orders.ts:2'])
  expect(items.map(({ state, engine }) => [state, engine])).toEqual(items.map(() => ['done', 'mend']))
  expect(items.length).toBeGreaterThanOrEqual(3)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: cleanEnv(place.home), encoding: 'utf8' }).trim()
  for (const { measure, mergeCommit } of items) {
    expect(measure).toMatch(/^treadle survey [a-z-]+ --finding '/)
    expect(git('log', '-1', '--format=%(trailers:unfold,only)', mergeCommit ?? '')).toContain(
      'Evidence: proven',
    )
  }
  expect(existsSync(join(root, 'src/old-discount.ts'))).toBe(false)
  expect(git('show', 'HEAD:package-lock.json')).not.toContain('padding')
  // Nothing is left to do, and nobody makes anything up.
  const [last] = items.toReversed()
  const verified = await run({ ...place, root }, ['verify', last?.mergeCommit ?? '', '--json'])
  expect(verified.code, verified.stderr).toBe(0)
})

test('two kinds of demo at once are refused', async () => {
  const refused = await run(place, ['demo', '--night', '--idea', 'A shop'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('two demos')])
})
