import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadProject } from '../project/load.ts'
import { loadMessage } from './baseline.ts'
import { reachOf } from './plan.ts'
import { Pool, type PoolVerdict } from './pool.ts'

const SILENCE_MS = 600_000
/** Ends the process at once: two of these are more than its memory. */
const DEADLY = 'const all = []; for (;;) all.push(new Array(3e7).fill(0))'

test('a process that dies at once costs the time that it took, not the longest silence', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pool-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, scratch] = [join(folder, 'project'), join(folder, 'scratch')]
  for (const path of [root, scratch]) mkdirSync(path)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'answer.js'), 'export function answer() {\n  return 41\n}\n')
  writeFileSync(
    join(root, 'answer.test.js'),
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from './answer.js'
test('the answer', () => assert.equal(answer(), 42))
`,
  )
  const project = loadProject(root, null)
  const module = project.files.findIndex((file) => file.path === 'answer.js')
  const at = project.files[module]?.rendered.code.text.indexOf('return 41') ?? -1
  const edits = [{ module, at, remove: 'return 41'.length, text: DEADLY }]
  const waiting = [{ id: 0, tests: [], edits }]
  const verdicts: PoolVerdict[] = []
  let spentMs = 0
  const startedMs = performance.now()
  const pool = new Pool({
    place: { root, scratch: { path: scratch, before: [] }, confined: true },
    workers: 1,
    silenceMs: SILENCE_MS,
    greeting: [loadMessage(project, { fuel: 200_000, cpuMs: SILENCE_MS, testMs: SILENCE_MS })],
  })
  const failing = [`${project.tests[0]}|the answer`]
  await pool.run({
    plan: { failing, steps: [0], passing: [], fuel: {}, reach: reachOf(project) },
    next: (count) => waiting.splice(0, count),
    heard: (_, { verdict, cpuMs }) => {
      verdicts.push(verdict)
      spentMs += cpuMs
    },
  })
  pool.stop()
  expect(verdicts).toEqual([{ is: 'killed' }])
  expect(spentMs).toBeGreaterThan(0)
  expect(spentMs).toBeLessThanOrEqual(performance.now() - startedMs)
})
