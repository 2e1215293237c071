import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { atSomePace } from '@treadle/requirements/pace'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAcp } from '../acp/engine.ts'
import { openClaudeCode } from '../claude-code/engine.ts'
import { openPrices } from '../prices.ts'
import { accessOf } from './access.ts'
import { housed } from './home.ts'
import { findProgram, versionOf } from './program.ts'
import { TRIED } from './tried.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'external-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('a program is found on the path, never in a relative folder', () => {
  const path = program('agent', 'echo 1.2.3')
  mkdirSync(join(folder, 'other'))
  expect(findProgram('agent', `relative:${folder}/other:${folder}`)).toBe(path)
  expect(findProgram('agent', '.:relative')).toBeNull()
  expect(findProgram(path, '')).toBe(path)
  expect(findProgram('other', folder)).toBeNull()
})

test('a program says its own version', async () => {
  expect(await versionOf(program('new', 'echo "2.1.325 (Claude Code)"'), {})).toEqual({
    is: 'found',
    version: '2.1.325',
  })
  expect(await versionOf(program('mute', 'exit 0'), {})).toMatchObject({ is: 'broken' })
  expect(await versionOf(program('bad', 'exit 7'), {})).toMatchObject({ is: 'broken' })
})

test('a version that is newer than the one that was tried says so', async () => {
  const shared = { sandbox: 'off' as const, access: {}, prices: openPrices({}), env: { PATH: folder } }
  const noteOf = async (version: string) => {
    for (const name of ['claude', 'codex-acp']) program(name, `echo ${version}`)
    const claude = openClaudeCode({ ...shared, command: 'claude', model: null, retries: 1, login: 'auto' })
    const probed = [
      await claude.probe(),
      await openAcp('codex', { ...shared, command: null, model: null }).probe(),
    ]
    return probed.map((each) => (each.is === 'usable' ? each.note : each.why))
  }
  const [claude, codex] = [TRIED['claude-code'], TRIED.codex]
  expect(await noteOf('99.0.0')).toEqual([
    expect.stringContaining(`99.0.0 (newer than ${claude}, which was tried)`),
    expect.stringContaining(`99.0.0 (newer than ${codex}, which was tried)`),
  ])
  expect((await noteOf('1.99.99')).join()).not.toContain('newer')
  expect((await noteOf(`${claude}`))[0]).not.toContain('newer')
})

test('an engine gets its own keys and no others', () => {
  const env = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GEMINI_API_KEY: '', AWS_SECRET_ACCESS_KEY: 'x' }
  expect(accessOf('claude-code', env)).toEqual({ ANTHROPIC_API_KEY: 'a' })
  expect(accessOf('codex', env)).toEqual({ OPENAI_API_KEY: 'o' })
  expect(accessOf('gemini', env)).toEqual({})
  expect(accessOf('acp', env)).toEqual({})
  expect(accessOf('constructor', env)).toEqual({})
})

test('a home that was lent is gone afterwards, one that was given stays', () => {
  const open: EngineOpen = {
    cwd: folder,
    env: {},
    stallMs: 1,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  }
  const lent = housed(open)
  expect(existsSync(lent.open.home)).toBe(true)
  lent.leave()
  expect(existsSync(lent.open.home)).toBe(false)
  const given = housed({ ...open, home: join(folder, 'home') })
  given.leave()
  expect(existsSync(join(folder, 'home'))).toBe(true)
})

test('what is missing is said with what to do about it', async () => {
  const shared = { sandbox: 'off' as const, access: {}, prices: openPrices({}), env: { PATH: folder } }
  const claude = { ...shared, command: 'claude', model: null, retries: 1 }
  expect(await openClaudeCode({ ...claude, login: 'auto' }).probe()).toMatchObject({
    is: 'unusable',
    hint: expect.stringContaining('@anthropic-ai/claude-code'),
  })
  program('claude', 'echo "2.1.325 (Claude Code)"')
  expect(await openClaudeCode({ ...claude, login: 'key' }).probe()).toMatchObject({
    is: 'unusable',
    hint: expect.stringContaining('ANTHROPIC_API_KEY'),
  })
  expect(await openClaudeCode({ ...claude, login: 'auto' }).probe()).toMatchObject({
    is: 'usable',
    note: expect.stringContaining('Claude Code 2.1.325'),
  })
  expect(await openAcp('acp', { ...shared, command: null, model: null }).probe()).toMatchObject({
    is: 'unusable',
    hint: 'set engines.acp.command in treadle.json',
  })
  expect(await openAcp('acp', { ...shared, command: ['claude'], model: null }).probe()).toMatchObject({
    is: 'usable',
    note: expect.stringContaining('its costs are known only if it says'),
  })
  program('gemini', 'echo 0.61.0')
  const geminiNote = async (access: Record<string, string>) => {
    const probed = await openAcp('gemini', { ...shared, access, command: null, model: null }).probe()
    return probed.is === 'usable' ? probed.note : probed.why
  }
  expect(await geminiNote({})).toContain('the effort of an item is not told')
  expect(await geminiNote({ GEMINI_API_KEY: 'k' })).not.toContain('effort')
})

test('a program that falls over ends the turn as crashed, with what it said', async () => {
  const command = program('claude', 'echo "bad flag" >&2; exit 3')
  const shared = { sandbox: 'off' as const, access: {}, prices: openPrices({}), env: {} }
  const options = {
    cwd: folder,
    home: join(folder, 'home'),
    env: { PATH: '/usr/bin:/bin' },
    stallMs: 200_000,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  }
  const task = { text: 'go', item: null, attempt: 1, testCommand: null, failures: [], evidence: [] }
  const claude = openClaudeCode({ ...shared, command, model: null, retries: 1, login: 'own' })
  const acp = openAcp('acp', { ...shared, command: [command], model: null })
  for (const engine of [claude, acp]) {
    const session = await engine.open(options)
    const end = await session.prompt(task)
    expect([engine.id, end.outcome]).toEqual([engine.id, 'crashed'])
    expect(end.text).toContain('bad flag')
    await session.stop(1_000)
  }
})

test('a program that says nothing is ended as stalled, with what it has started', () =>
  atSomePace(async (unitMs) => {
    const command = program('claude', `sleep 600 & echo $! > ${folder}/pid; exec cat > /dev/null`)
    const engine = openClaudeCode({
      command,
      model: null,
      retries: 1,
      login: 'own',
      sandbox: 'off',
      access: {},
      prices: openPrices({}),
      env: {},
    })
    const session = await engine.open({
      cwd: folder,
      home: join(folder, 'home'),
      env: { PATH: '/usr/bin:/bin' },
      stallMs: unitMs,
      onEvent: () => undefined,
      onQuestion: async () => ({ text: '' }),
    })
    const task = { text: 'go', item: null, attempt: 1, testCommand: null, failures: [], evidence: [] }
    expect(await session.prompt(task)).toMatchObject({ outcome: 'stalled' })
    const pid = pidIn(join(folder, 'pid'))
    expect(pid).not.toBeNull()
    expect(isAlive(pid ?? 0)).toBe(false)
    await session.stop(1_000)
  }))

test('a program that is stopped while it starts is gone', async () => {
  const command = program('agent', `echo $$ > ${folder}/pid; exec sleep 600`)
  const shared = { sandbox: 'off' as const, access: {}, prices: openPrices({}), env: {} }
  const session = await openAcp('acp', { ...shared, command: [command], model: null }).open({
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    stallMs: 200_000,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  const task = { text: 'go', item: null, attempt: 1, testCommand: null, failures: [], evidence: [] }
  const ended = session.prompt(task)
  const pid = await vi.waitUntil(() => pidIn(join(folder, 'pid')), { timeout: 60_000 })
  await session.stop(1_000)
  expect(await ended).toMatchObject({ outcome: 'interrupted' })
  expect(isAlive(pid)).toBe(false)
})

function pidIn(file: string): number | null {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || null : null
}
