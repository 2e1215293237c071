import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { treeHash } from './tree-hash.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-test-tree-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the hash follows uncommitted and untracked files, not ignored ones, and leaves the repository alone', () => {
  const folder = scratch()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  writeFileSync(join(folder, 'a'), 'one')
  const objects = readdirSync(join(folder, '.git/objects'))
  const first = treeHash(folder)
  expect(first).toMatch(/^[0-9a-f]{40}$/)
  writeFileSync(join(folder, 'ignored'), 'x')
  expect(treeHash(folder)).toBe(first)
  writeFileSync(join(folder, 'a'), 'two')
  const second = treeHash(folder)
  expect(second).not.toBe(first)
  expect(readdirSync(join(folder, '.git/objects'))).toEqual(objects)
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'x')
  expect(treeHash(folder)).toBe(second)
  expect(git('rev-parse', 'HEAD^{tree}').trim()).toBe(second)
})

test('outside a git checkout the tree is unknown', () => {
  expect(treeHash(scratch())).toBe('unknown')
})
