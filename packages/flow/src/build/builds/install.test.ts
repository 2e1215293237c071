import type { PackageToInstall, TaskDecision, TaskFailure } from '@treadle/contracts/build'
import { expect, test } from 'vitest'
import { asksFor, installCommand, installsFor } from './install.ts'

const AT = '2026-11-19T12:00:00.000Z'
const wanted = (name: string): PackageToInstall => ({
  name,
  version: '1.1.0',
  registry: 'https://registry.example/npm',
  before: '2026-11-12T12:00:00.000Z',
})
const failed = (task: string, decision: TaskDecision, install: PackageToInstall | null): TaskFailure => ({
  task,
  attempt: 1,
  class: 'MISSING_DEPENDENCY',
  decision,
  reason: 'missing',
  error: 'missing',
  package: install?.name ?? null,
  install,
  runId: null,
  at: AT,
})

test('what was allowed for a task is installed at each attempt of its series, and nothing of another task', () => {
  const failures = [
    failed('T1', 'INSTALL_AND_RETRY', wanted('early')),
    failed('T1', 'ESCALATE', null),
    failed('T1', 'INSTALL_AND_RETRY', wanted('left-pad')),
    failed('T2', 'INSTALL_AND_RETRY', wanted('other')),
    failed('T1', 'REBASE_AND_RETRY', null),
    failed('T1', 'INSTALL_AND_RETRY', wanted('zod')),
  ]
  expect(installsFor(failures, 'T1').map(({ name }) => name)).toEqual(['left-pad', 'zod'])
  expect(installsFor(failures, 'T3')).toEqual([])
})

test('no other registry is asked, whatever the settings of the repository say, and nothing younger is taken', () => {
  expect(installCommand(wanted('left-pad'), 'prod')).toBe(
    "npm install --save-prod --save-exact --package-lock --ignore-scripts --no-audit --no-fund --registry='https://registry.example/npm' --before=2026-11-12T12:00:00.000Z 'left-pad@1.1.0'",
  )
  const scoped = installCommand(wanted('@own/pad'), 'dev')
  expect(scoped).toContain(' --save-dev --save-exact ')
  expect(scoped).toContain(" '--@own:registry=https://registry.example/npm' ")
  expect(scoped).toContain("'@own/pad@1.1.0'")
})

test.each([
  ['{"dependencies":{"zod":"^4"}}', true],
  ['{"devDependencies":{"zod":"4.0.0"}}', true],
  ['{"dependencies":{"zod-mini":"1.0.0"}}', false],
  ['{"dependencies":["zod"]}', false],
  ['[]', false],
  ['no JSON', false],
  [null, false],
])('a manifest of %s asks for zod: %s', (manifest, is) => {
  expect(asksFor(manifest, 'zod')).toBe(is)
})
