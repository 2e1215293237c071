// The demo, as anyone would first run it: real bugs, real tests, real merges, and one item nobody can solve.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { workspacePaths } from '@treadle/contracts/workspace'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanEnv } from '../env.ts'
import { run } from '../kit/command.ts'
import { clearWorkspace } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => clearWorkspace(place))

const Shown = z.looseObject({
  engine: z.string().min(1),
  durationMs: z.int().positive(),
  ok: z.boolean(),
  workspace: z.string(),
  url: z.string(),
  items: z.array(
    z.looseObject({
      number: z.int(),
      title: z.string(),
      status: z.string(),
      state: z.string(),
      attempts: z.int().positive(),
      mergeCommit: z.string().nullable(),
      reason: z.string().nullable(),
      approvedBy: z.string().nullable(),
    }),
  ),
})

test('what it is sure of is merged, what it is not waits, one is escalated, and main has what the report says', {
  timeout: 300_000,
}, async () => {
  const root = join(place.home, 'demo')
  const ended = await run(place, ['demo', '--headless', '--json', '--dir', root])
  expect(ended.code, ended.stderr).toBe(0)
  const shown = Shown.parse(JSON.parse(ended.stdout))
  expect(shown).toMatchObject({ ok: true, workspace: root })
  expect(shown.items.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  expect(everythingIn({ ...place, root, paths: workspacePaths(root) })).toEqual([])

  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: cleanEnv(place.home), encoding: 'utf8' }).trim()
  const merged = shown.items.filter(({ mergeCommit }) => mergeCommit !== null)
  const waiting = shown.items.filter(({ state }) => state === 'in_review')
  expect([...merged, ...waiting].map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5])
  expect(merged.length).toBeGreaterThanOrEqual(3)
  for (const { number, status, mergeCommit, approvedBy } of merged) {
    expect({ status, approvedBy }).toEqual({ status: 'done', approvedBy: 'merge.approval=checks' })
    const trailers = git('log', '-1', '--format=%(trailers:unfold,only)', mergeCommit ?? '').split('\n')
    expect(trailers).toEqual([
      'Kind: merge',
      `Item: 1/${number}`,
      'Approved-by: standing_order merge.approval=checks',
      'Evidence: proven',
      expect.stringMatching(/^Run: [0-9a-f-]{36}$/),
      expect.stringMatching(/^Receipt: sha256:[0-9a-f]{64}$/),
    ])
    git('merge-base', '--is-ancestor', mergeCommit ?? '', 'main')
  }
  for (const item of waiting) {
    expect(item).toMatchObject({ mergeCommit: null, approvedBy: null })
    expect(item.reason).toMatch(/^low confidence: /)
  }
  const [escalated] = shown.items.filter(({ state }) => state === 'escalated')
  expect(escalated).toMatchObject({ number: 6, status: 'backlog', mergeCommit: null, approvedBy: null })
  expect(escalated?.reason).toMatch(/\w/)

  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main')
  expect(git('status', '--porcelain')).toBe('')
  expect(git('rev-list', '--count', '--merges', 'main')).toBe(String(merged.length))
  const failing = failingTests(root)
  expect(failing).toHaveLength(1 + waiting.length)
  expect(failing).toContain('test/currency.test.ts')
})

/** Runs the sample's own tests as they are on its main, file by file. */
function failingTests(root: string): string[] {
  const files = execFileSync('git', ['ls-files', 'test'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(files.length).toBeGreaterThanOrEqual(6)
  return files.filter((file) => {
    try {
      execFileSync(process.execPath, ['--test', file], {
        cwd: root,
        env: cleanEnv(place.home),
        stdio: 'pipe',
      })
      return false
    } catch {
      return true
    }
  })
}
