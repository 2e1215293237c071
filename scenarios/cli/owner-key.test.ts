// The owner's key as a person meets it: where it is made, who is kept from it, and what is said without it.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { probeSandbox } from '@treadle/sandbox/probe'
import { afterAll, expect, test } from 'vitest'
import { keyOfLink } from '../kit/command.ts'
import { announcedDaemon, clearWorkspace, treadle } from '../kit/daemon.ts'
import { begin, deliver, itemOf } from '../kit/hand-agent.ts'
import { makeWorkspace, ownerKeyOf, type Workspace } from '../kit/workspace.ts'

const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})
function workspace(): Workspace {
  const fresh = makeWorkspace({ settings: { merge: { approval: 'human', target: 'main' } } })
  made.push(fresh)
  return fresh
}
const UP = ['up', '--detach', '--json', '--agents', '0']
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('init makes it in the configuration folder, for the owner alone, and never again', async () => {
  const place = workspace()
  const { home } = place
  const at = join(home, '.config/treadle')
  expect((await treadle(place, ['init', '--json'])).code).toBe(0)
  expect([mode(at), mode(join(at, 'owner.key'))]).toEqual(['700', '600'])
  const key = ownerKeyOf(home)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  const elsewhere = join(home, 'elsewhere')
  const added = { TREADLE_CONFIG_HOME: elsewhere }
  expect((await treadle(place, ['init'], added)).code).toBe(0)
  expect(existsSync(join(elsewhere, 'owner.key'))).toBe(true)
  await treadle(place, ['init'])
  expect(ownerKeyOf(home)).toBe(key)
})

test('up says the crew key, and the owner’s is neither in what it prints nor in the workspace', async () => {
  const place = workspace()
  const ended = await treadle(place, UP)
  const daemon = announcedDaemon(place, ended.stdout)
  expect(readFileSync(place.paths.token, 'utf8').trim()).toBe(daemon.token)
  expect(daemon.token).not.toBe(daemon.ownerKey)
  expect(ended.stdout + ended.stderr).not.toContain(daemon.ownerKey)
  const status = await treadle(place, ['status', '--json'])
  expect(status.stdout).toContain(daemon.token)
  expect(status.stdout).not.toContain(daemon.ownerKey)
  const { status: found } = await fetch(`${daemon.url}/api/items`, {
    headers: { authorization: `Bearer ${daemon.token}` },
  })
  expect(found).toBe(200)
  const opened = await treadle(place, ['open', '--link'])
  expect(opened.stdout).not.toContain(daemon.ownerKey)
  expect(await keyOfLink(opened.stdout)).toBe('owner')
  const tree = place.git('grep', '--untracked', '--no-exclude-standard', '-l', daemon.token)
  expect(tree).toContain('.treadle/token')
  expect(() => place.git('grep', '--untracked', '--no-exclude-standard', '-l', daemon.ownerKey)).toThrow()
})

test('what an agent starts is not the owner, and neither is somebody without the key; both are told what to do', async () => {
  const place = workspace()
  const daemon = announcedDaemon(place, (await treadle(place, UP)).stdout)
  const work = await begin(daemon)
  await deliver(place, work, { 'a.txt': 'right\n' })
  const approve = ['review', 'approve', String(work.ref.number)]
  const byAgent = await treadle(place, approve, { TREADLE_AGENT: 'agent-1' })
  const file = join(place.home, 'no-such.key')
  const without = await treadle(place, approve, { TREADLE_OWNER_KEY_FILE: file })
  for (const { code, stderr } of [byAgent, without]) {
    expect(code).toBe(1)
    expect(stderr).toContain('This wants the owner’s key')
    expect(stderr).toContain('TREADLE_OWNER_KEY_FILE')
  }
  expect((await treadle(place, ['list', '--json'], { TREADLE_AGENT: 'agent-1' })).code).toBe(0)
  expect((await treadle(place, ['open', '--link'], { TREADLE_OWNER_KEY_FILE: file })).stderr).toContain(file)
  expect(await itemOf(work)).toMatchObject({ state: 'in_review', approval: null })
  // A script that names the key's file speaks for the owner.
  const copy = join(place.home, 'ci.key')
  writeFileSync(copy, daemon.ownerKey, { mode: 0o600 })
  rmSync(join(place.home, '.config/treadle/owner.key'))
  expect((await treadle(place, approve, { TREADLE_OWNER_KEY_FILE: copy })).code).toBe(0)
  expect((await itemOf(work)).approval).toMatchObject({ kind: 'human' })
})

test('a daemon that knows another key can be looked at and ended', async () => {
  const place = workspace()
  const daemon = announcedDaemon(place, (await treadle(place, UP)).stdout)
  writeFileSync(join(place.home, '.config/treadle/owner.key'), `${'0'.repeat(64)}\n`)
  const listed = await treadle(place, ['list', '--json'])
  expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining('another owner’s key')])
  expect(JSON.parse((await treadle(place, ['down', '--json'])).stdout)).toMatchObject({
    stopped: true,
    pid: daemon.pid,
  })
})

test('a home inside the workspace is said', async () => {
  const place = workspace()
  const inside = join(place.root, 'home')
  const ended = await treadle(place, UP, { TREADLE_CONFIG_HOME: join(inside, '.config') })
  expect(ended.stderr).toContain('Your key is inside this workspace')
})

test('up says before it starts anybody that nothing keeps the key from the crew, and says nothing where a sandbox does', async () => {
  const place = workspace()
  place.setConfig({
    merge: { approval: 'human', target: 'main' },
    approval: { confirm: 'auto' },
    sandbox: { mode: 'auto' },
  })
  const { stderr } = await treadle(place, UP)
  const isConfined = (await probeSandbox()).is === 'bubblewrap'
  expect(stderr.includes('Nothing keeps your key from code that your agents run')).toBe(!isConfined)
  expect(stderr.includes('(bubblewrap is not installed)')).toBe(!isConfined)
})
