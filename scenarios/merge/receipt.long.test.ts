// What a merge proves, executed again by a stranger: another clone, an empty home.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { addOrigin } from '../kit/origin.ts'
import { addRepair, moduleOf, repair, until, up, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops('file')
/** Each is a process; that every byte counts: apps/agent/src/verify/compare.test.ts. */
const TAMPERINGS = 3

interface Answer {
  readonly verdict: string
  readonly checks: readonly { readonly what: string; readonly is: string; readonly words: string }[]
}

async function merged() {
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { tests: { command: 'sh test.sh', setupCommand: 'touch installed' } },
  })
  addOrigin(workspace)
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  const { mergeCommit } = await until(daemon, 1, 'done')
  return { workspace, commit: mergeCommit ?? 'none' }
}

let once: ReturnType<typeof merged> | undefined

/** One merge for tests that leave it as it is, and for the last of them, which takes its receipts away. */
function mergedOnce(): ReturnType<typeof merged> {
  once ??= merged()
  return once
}

/** A clone of what origin has, in a home of its own. */
function strangerOf(workspace: Workspace, name: string) {
  const folder = join(workspace.home, name)
  mkdirSync(folder)
  const root = join(folder, 'clone')
  workspace.git('push', '-q', 'origin', 'main', 'refs/notes/treadle')
  workspace.git('clone', '-q', workspace.git('remote', 'get-url', 'origin'), root)
  return { root, home: folder }
}

async function verify(place: { root: string; home: string }, ...args: string[]) {
  const ended = await run(place, ['verify', ...args, '--json'])
  return { code: ended.code, answer: JSON.parse(ended.stdout || '{}') as Answer, stderr: ended.stderr }
}
const telling = ({ checks }: Answer, is: string) => checks.filter((check) => check.is === is)

test('a merge is executed again in another clone: the notes are fetched, the install run, the checks the same', async () => {
  const { workspace, commit } = await mergedOnce()
  const stranger = strangerOf(workspace, 'stranger')
  const { code, answer } = await verify(stranger, commit)
  expect(answer.verdict).toBe('yes')
  expect(code).toBe(0)
  const same = telling(answer, 'same').map(({ what }) => what)
  expect(same).toEqual(
    expect.arrayContaining([
      'receipt',
      'merged tree',
      'base',
      'head',
      'install',
      'tests_pass',
      'no_regression',
    ]),
  )
  expect(answer.checks).toContainEqual(
    expect.objectContaining({ what: 'network', words: expect.stringContaining('taken away') }),
  )
})

test('from a subfolder the answer is the same; what cannot be checked out is no answer', async () => {
  const { workspace, commit } = await mergedOnce()
  const cwd = join(workspace.root, 'below')
  mkdirSync(cwd)
  expect((await run(workspace, ['verify', commit], { cwd })).code).toBe(0)
  const blob = workspace.git('rev-parse', `${commit}:test.sh`)
  const object = join(workspace.root, '.git/objects', blob.slice(0, 2), blob.slice(2))
  renameSync(object, `${object}.away`)
  const { code, answer } = await verify(workspace, commit)
  renameSync(`${object}.away`, object)
  expect([code, telling(answer, 'missing').map(({ what }) => what)]).toEqual([3, ['clone']])
})

test('a changed byte of a receipt is caught, and nothing of it is executed', async () => {
  const { workspace, commit } = await mergedOnce()
  const text = workspace.git('notes', '--ref=treadle', 'show', commit)
  const bytes = Buffer.from(`${text}\n`)
  const file = join(workspace.home, 'receipt.json')
  writeFileSync(file, bytes)
  expect(await verify(workspace, commit, '--receipt', file)).toMatchObject({ code: 0 })
  for (let n = 0; n < TAMPERINGS; n += 1) {
    const changed = Buffer.from(bytes)
    const at = Math.floor(((n + 0.5) / TAMPERINGS) * bytes.length)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(file, changed)
    const { code, answer } = await verify(workspace, commit, '--receipt', file)
    expect({ at, code, is: answer.checks.map(({ what, is }) => [what, is]) }).toEqual({
      at,
      code: 1,
      is: [['receipt', 'differs']],
    })
  }
})

test('a merge commit that was made anew with another tree, or a result that is another one here, is named', async () => {
  const { workspace, commit } = await mergedOnce()
  const message = workspace.git('show', '-s', '--format=%B', commit)
  const [base, head] = workspace.git('show', '-s', '--format=%P', commit).split(' ')
  const forged = workspace.git(
    'commit-tree',
    `${base}^{tree}`,
    ...['-p', base ?? '', '-p', head ?? '', '-m', message],
  )
  workspace.git('notes', '--ref=treadle', 'copy', commit, forged)
  const { code, answer } = await verify(workspace, forged)
  expect(code).toBe(1)
  expect(telling(answer, 'differs').map(({ what }) => what)).toEqual(['merged tree'])

  // The same tree, where the tests say something else.
  const place = { root: workspace.root, home: join(workspace.home, 'elsewhere') }
  mkdirSync(place.home)
  const bin = join(place.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'grep'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const other = await run(place, ['verify', commit, '--json'], { added: { PATH: `${bin}:/usr/bin:/bin` } })
  expect(other.code).toBe(1)
  const differing = telling(JSON.parse(other.stdout) as Answer, 'differs')
  expect(differing.map(({ what }) => what)).toContain('tests_pass')
  expect(differing[0]?.words).toContain(moduleOf(1))
})

test('a commit without a receipt, and a receipt that cannot be found, are no answer and no success', async () => {
  const { workspace, commit } = await mergedOnce()
  const first = await verify(workspace, `${commit}^1`)
  expect(first).toMatchObject({ code: 3, answer: { verdict: 'cannot_tell' } })
  workspace.git('push', '-q', 'origin', 'main', ':refs/notes/treadle')
  workspace.git('update-ref', '-d', 'refs/notes/treadle')
  const second = await verify(workspace, commit)
  expect(second).toMatchObject({ code: 3, answer: { verdict: 'cannot_tell' } })
  expect(second.answer.checks[0]?.words).toContain('refs/notes/treadle')
  const none = await run(workspace, ['verify', 'no-such-commit'])
  expect(none.code).toBe(1)
  expect(none.stderr).toContain("no commit named 'no-such-commit'")
})
