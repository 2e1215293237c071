// What an item changes, from a repository of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@treadle/contracts/client'
import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, onTestFinished, test } from 'vitest'
import { approveItem } from '../commands/decide.ts'
import { said } from '../commands/watch.ts'
import { UserError } from '../user-error.ts'
import { changeOf, openedWorktree } from './item-change.ts'

const at = '2026-01-01T00:00:00.000Z'
const anItem = (more: Partial<Item>): Item =>
  blankItem({ number: 1, title: 'One', createdAt: at, branch: 'work', ...more })

function repository() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'item-change-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const commit = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
    git('add', '-A')
    git('commit', '-qm', 'one')
    return git('rev-parse', 'HEAD')
  }
  git('init', '-qb', 'main')
  return { root, git, commit }
}

const noClient = {} as Client

test('an editor is given a name, never an order, and nothing that lies elsewhere', () => {
  const { root, git, commit } = repository()
  commit({ 'a.txt': 'a' })
  git('checkout', '-qb', 'work')
  expect(openedWorktree(root, 'main', anItem({}))).toEqual({ worktree: root, file: null })
  symlinkSync('/etc/passwd', join(root, '!out'))
  symlinkSync('/nowhere/at/all', join(root, '!lost'))
  commit({ '+!id': 'x' })
  expect(openedWorktree(root, 'main', anItem({}))).toEqual({ worktree: root, file: './+!id' })
})

test('what goes wrong is said in a line', async () => {
  expect(await said(() => Promise.reject(new UserError('It is\u001b[2J away.\nReally.')))).toBe('It is away.')
  expect(await said(() => 'well')).toBe('well')
})

test('a change is kept as git prints it, and applies', async () => {
  const { root, git, commit } = repository()
  commit({ 'a.txt': 'one\r\n\u001b[1mtwo\n\n' })
  git('checkout', '-qb', 'work')
  const headCommit = commit({ 'a.txt': 'ONE\r\n\u001b[1mtwo\n\n' })
  const item = anItem({ state: 'in_review', headCommit })
  const { diff } = await changeOf({ root, target: 'main', client: noClient, item })
  expect(diff.endsWith('\n \n')).toBe(true)
  git('checkout', '-q', 'main')
  execFileSync('git', ['apply', '--check'], { cwd: root, input: diff })
})

test('what others have merged between two deliveries is said where it cannot be left out', async () => {
  const { root, git, commit } = repository()
  commit({ 'a.txt': 'a\n' })
  git('checkout', '-qb', 'work')
  const one = commit({ 'a.txt': 'mine\n' })
  git('checkout', '-q', 'main')
  commit({ 'a.txt': 'theirs\n' })
  git('checkout', '-qb', 'again')
  const other = commit({ 'a.txt': 'both\n' })
  const items = [
    { cycle: 1, headCommit: one },
    { cycle: 2, headCommit: other },
  ]
  const client = { listReviews: async () => ({ items }) } as unknown as Client
  const { what } = await changeOf({ root, target: 'main', client, item: anItem({}) }, '1..2')
  expect(what).toContain('delivery 1 to 2, with what others have merged in between')
})

test('only what was shown is approved, and it is shown wherever something was delivered', async () => {
  const { root, git, commit } = repository()
  commit({ 'a.txt': 'a\n' })
  git('checkout', '-qb', 'work')
  const shown = anItem({ state: 'escalated', headCommit: commit({ 'a.txt': 'b\n' }) })
  const approved: unknown[] = []
  const client = {
    showItem: async () => ({ item: shown }),
    workspace: async () => ({ target: 'main' }),
    approveItem: async (given: unknown) => {
      approved.push(given)
      return shown
    },
  } as unknown as Client
  await approveItem(client, { number: 1, project: 1, root }, { yes: true })
  // The daemon refuses it if there is another by then.
  expect(approved).toEqual([
    expect.objectContaining({ body: expect.objectContaining({ head: shown.headCommit }) }),
  ])
})
