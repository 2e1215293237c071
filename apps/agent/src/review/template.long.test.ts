import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import { expect, onTestFinished } from 'vitest'
import { findTemplate } from './template.ts'

verifies('AC-3.1.b', 'a prompt template of any size is loaded within a second', async () => {
  const root = mkdtempSync(join(tmpdir(), 'treadle-template-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, '.claude', 'commands', 'review-agent-prompt.md')
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'Read it twice.\n'.repeat(100_000))
  await expectWithin(1_000, () =>
    timed(async () => expect(await findTemplate(root, null)).toMatchObject({ path })),
  )
})
