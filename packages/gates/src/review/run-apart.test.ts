// The measure of how strong tests are is started like every other command of the project, or not at all.
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureApart } from './run-apart.ts'

let cwd: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'apart-')))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

test('where a sandbox is required and there is none, it is not started', async () => {
  const ran = join(cwd, 'ran')
  const program = join(cwd, 'program.mjs')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(ran)}, '')\n`,
  )
  const surroundings = openSurroundings({
    mode: 'required',
    owner: cwd,
    show: [],
    bwrap: join(cwd, 'no-bwrap'),
  })
  const options = { evidenceDir: join(cwd, 'evidence'), env: {}, tailBytes: 1_000, surroundings }
  const order = { cwd, command: null, lines: {}, budgetMs: 1_000, timeoutMs: 1_000, mutantsMax: 1 }
  await expect(measureApart(options, program)(order, undefined)).rejects.toThrow('sandbox.mode is required')
  expect(existsSync(ran)).toBe(false)
})
