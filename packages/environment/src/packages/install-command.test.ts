import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installCommand } from './install-command.ts'

const needs = { dependencies: { left: '1.0.0' } }

test.each([
  ['npm', needs, ['package-lock.json'], 'npm ci'],
  ['npm, for publishing', needs, ['npm-shrinkwrap.json'], 'npm ci'],
  ['pnpm', needs, ['pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
  ['yarn', { devDependencies: { left: '1.0.0' } }, ['yarn.lock'], 'yarn install --frozen-lockfile'],
  ['bun', needs, ['bun.lock'], 'bun install --frozen-lockfile'],
  ['a workspace of packages', { workspaces: ['packages/*'] }, ['package-lock.json'], 'npm ci'],
  [
    'two locks and a name',
    { ...needs, packageManager: 'npm@11.0.0' },
    ['yarn.lock', 'package-lock.json'],
    'npm ci',
  ],
  ['no lock file', needs, [], undefined],
  ['no dependencies', { dependencies: {} }, ['package-lock.json'], undefined],
  ['no manifest', null, ['package-lock.json'], undefined],
  ['a manifest that is no object', [], ['package-lock.json'], undefined],
])('%s', (_, manifest, locks, command) => {
  const root = mkdtempSync(join(tmpdir(), 'treadle-install-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet')
  if (manifest !== null) writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
  for (const lock of locks) writeFileSync(join(root, lock), '')
  // A lock file that git does not have is in no worktree.
  expect(installCommand(root)).toBeNull()
  git('add', '--all')
  expect(installCommand(root)?.command).toBe(command)
})
