// Merges made by hand, with receipts that were copied or made up: none is called true, on a machine without ssh-keygen.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { signingKeyFile } from '@treadle/contracts/owner-key'
import { RECEIPT_NOTES, type Receipt } from '@treadle/contracts/receipt'
import { openGit } from '@treadle/git/git'
import { makeSshKey } from '@treadle/git/scratch-repository'
import { makeCommit } from '@treadle/git/sign'
import { expect, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { run } from '../kit/command.ts'
import { announcedDaemon, treadle } from '../kit/daemon.ts'
import { addOrigin } from '../kit/origin.ts'
import { addRepair, moduleOf, moduleText, repair, until, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

interface Answer {
  readonly verdict: string
  readonly signer: { readonly is: string; readonly by: string | null } | null
  readonly checks: readonly { readonly what: string; readonly is: string; readonly words: string }[]
}

/** Every program of the system but ssh-keygen. */
function withoutKeygen(home: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  for (const name of readdirSync('/usr/bin'))
    if (name !== 'ssh-keygen') symlinkSync(join('/usr/bin', name), join(bin, name))
  return bin
}

/** Two merges of a crew, with the public half of the key committed, and a clone of a stranger's. */
async function merged() {
  const workspace = shop({ scripts: [[[repair(1)]], [[repair(2)]]] })
  addOrigin(workspace)
  const added = { PATH: withoutKeygen(workspace.home) }
  const before = readFileSync(workspace.paths.config, 'utf8')
  expect((await treadle(workspace, ['init'], added)).code).toBe(0)
  workspace.git('commit', '-qam', 'who signs')
  const ended = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1'], added)
  const daemon = announcedDaemon(workspace, ended.stdout)
  const commits: string[] = []
  for (const n of [1, 2]) {
    await addRepair(daemon, n)
    commits.push((await until(daemon, n, 'done')).mergeCommit ?? 'none')
  }
  const home = join(workspace.home, 'stranger')
  mkdirSync(home)
  workspace.git('push', '-q', 'origin', 'main', RECEIPT_NOTES)
  workspace.git('clone', '-q', workspace.git('remote', 'get-url', 'origin'), join(home, 'clone'))
  const stranger = { root: join(home, 'clone'), home }
  workspace.git('-C', stranger.root, 'fetch', '-q', 'origin', `${RECEIPT_NOTES}:${RECEIPT_NOTES}`)
  return { workspace, before, stranger, commits, added }
}
type Merged = Awaited<ReturnType<typeof merged>>

async function verify({ stranger, added }: Merged, ...args: string[]) {
  const ended = await run(stranger, ['verify', ...args, '--json'], { added })
  const answer = JSON.parse(ended.stdout || '{}') as Answer
  return {
    code: ended.code,
    answer,
    of: (what: string) => answer.checks.find((check) => check.what === what),
  }
}

const EVE = {
  GIT_AUTHOR_NAME: 'Eve',
  GIT_AUTHOR_EMAIL: 'eve@example.invalid',
  GIT_COMMITTER_NAME: 'Eve',
  GIT_COMMITTER_EMAIL: 'eve@example.invalid',
}

/** A merge that was made by hand, with a receipt that fits it in every byte. */
async function forge(
  { stranger, commits }: Merged,
  change: { files?: Record<string, string>; command?: string; key?: string; onto?: number },
): Promise<string> {
  const at = commits[change.onto ?? 1] ?? ''
  const git = openGit({
    repository: stranger.root,
    env: cleanEnv(stranger.home, EVE),
    ...(change.key === undefined ? {} : { signingKey: change.key }),
  })
  const ask = async (...args: string[]) => (await git.run(args)).stdout.trim()
  const receipt = JSON.parse(await ask('notes', '--ref=treadle', 'show', at)) as Receipt
  await ask('checkout', '-q', '--detach', at)
  for (const [file, text] of Object.entries(change.files ?? {}))
    writeFileSync(join(stranger.root, file), text)
  await ask('add', '-A')
  const tree = await ask('write-tree')
  await ask('reset', '-q', '--hard', 'origin/main')
  receipt.subject[0].digest.gitTree = tree
  if (change.command !== undefined)
    for (const gate of receipt.predicate.merged)
      Object.assign(gate, { command: change.command, exitCode: 0, tests: null })
  const text = `${JSON.stringify(receipt, null, 2)}\n`
  const digest = createHash('sha256').update(text).digest('hex')
  const message = (await ask('show', '-s', '--format=%B', at)).replace(
    /^Receipt: .*$/m,
    `Receipt: sha256:${digest}`,
  )
  const { base, head } = receipt.predicate
  const parents = [base.commit, head.commit]
  const { commit } = await makeCommit(git, { tree, parents, message, sign: change.key !== undefined })
  await git.run(['notes', '--ref=treadle', 'add', '-f', '-F', '-', commit], { stdin: text })
  return commit
}

const signersOf = (workspace: Workspace): string[] =>
  (JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as { merge: { signers: string[] } }).merge.signers

test('merges are signed without set-up, and what was made by hand is never a yes', {
  timeout: 600_000,
}, async () => {
  const shopped = await merged()
  const { workspace, before, stranger, commits } = shopped
  const [first = '', second = ''] = commits

  // The key: private beside the owner's, public in treadle.json, which is otherwise as it was.
  const file = signingKeyFile({ folder: join(workspace.home, '.config/treadle') }, workspace.root)
  expect(existsSync(file)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const [line = ''] = signersOf(workspace)
  expect(line).toMatch(/^ssh-ed25519 AAAA\S+ treadle:repository$/)
  const after = readFileSync(workspace.paths.config, 'utf8')
  expect(after.replace(/^.*"signers".*\n/m, '')).toBe(before)

  // What the crew has merged.
  const one = await verify(shopped, first)
  expect([one.code, one.answer.verdict, one.answer.signer?.is]).toEqual([0, 'yes', 'first_key'])
  expect(one.of('signature')?.words).toContain('treadle.json before it names the key')
  const two = await verify(shopped, second)
  expect([two.code, two.answer.verdict, two.answer.signer?.is]).toEqual([0, 'yes', 'first_key'])
  expect(two.of('signature')?.words).toContain('signed by the key of the first signed merge')
  expect(two.of('own tests')?.is).toBe('same')
  const list = join(stranger.home, 'signers')
  writeFileSync(list, `crew@example.invalid ${line}\n`)
  const listed = await verify(shopped, second, '--signers', list)
  expect([listed.code, listed.answer.signer]).toMatchObject([0, { is: 'listed', by: 'crew@example.invalid' }])

  // The same tree and a receipt of the same words: nobody has signed it.
  const copied = await verify(shopped, await forge(shopped, {}))
  expect([copied.code, copied.answer.verdict, copied.answer.signer?.is]).toEqual([
    3,
    'cannot_tell',
    'unsigned',
  ])

  // Another key, on the line of the first merge and beside it.
  const key = join(stranger.home, 'eve.key')
  makeSshKey(key)
  for (const onto of [1, 0]) {
    const forged = await forge(shopped, { key, onto })
    const other = await verify(shopped, forged)
    expect([onto, other.code, other.answer.signer?.is]).toEqual([onto, 3, 'another_key'])
    expect(other.of('signature')?.words).toContain('signed by another key')
    if (onto === 1) expect((await verify(shopped, forged, '--signers', list)).code).toBe(1)
  }

  // A broken tree with a receipt that names a command which is always green: the tree's own tests are red.
  const broken = await forge(shopped, {
    command: 'true',
    files: { [moduleOf(2)]: moduleText(2, 'wrong') },
  })
  const red = await verify(shopped, broken)
  expect([red.code, red.of('own tests')?.is]).toEqual([1, 'differs'])

  // Nor is one whose tree names that command itself: no test was counted.
  const settings = { merge: { signers: [line] }, tests: { command: 'true' } }
  const empty = await forge(shopped, { command: 'true', files: { 'treadle.json': JSON.stringify(settings) } })
  const none = await verify(shopped, empty)
  expect([none.code, none.of('own tests')]).toMatchObject([
    3,
    { is: 'missing', words: expect.stringContaining('no tests were counted') },
  ])
})
