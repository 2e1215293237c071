import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '@treadle/contracts/run'
import type { EngineAnswer, EngineEvent, EngineQuestion } from '@treadle/flow/ports/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openScripted } from './engine.ts'

let folder: string
let cwd: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scripted-'))
  cwd = join(folder, 'work')
  mkdirSync(cwd)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PATH = '/usr/local/bin:/usr/bin:/bin'
const item = { projectNumber: 1, number: 4, title: 'Fix the sum', body: '', acceptance: [] }
const task = { text: '', item, attempt: 1, testCommand: null, failures: [], evidence: [] }

interface PlayOptions {
  readonly in?: string
  readonly answer?: (question: EngineQuestion) => Promise<EngineAnswer>
  readonly onEvent?: (event: EngineEvent) => void
}

/** Plays one script for item 4 and collects what the engine says. */
async function play(steps: object[], asked: PlayOptions = {}) {
  const scenario = join(folder, 'scenario.json')
  writeFileSync(
    scenario,
    JSON.stringify({ version: 1, items: [{ match: { number: 4 }, attempts: [steps] }] }),
  )
  const events: EngineEvent[] = []
  const session = await openScripted({ scenario, sandbox: { mode: 'auto' } }).open({
    cwd: asked.in ?? cwd,
    env: { PATH, GREETING: 'hello' },
    stallMs: 30_000,
    onEvent: (event) => {
      events.push(event)
      asked.onEvent?.(event)
    },
    onQuestion: asked.answer ?? (async () => ({ text: 'none' })),
  })
  const end = await session.prompt(task)
  const observed = events.flatMap((event) => (event.is === 'observed' ? [event.observation] : []))
  return { end, events, observed, session }
}
const only = (observed: Observation[]): Observation => {
  expect(observed).toHaveLength(1)
  return observed[0] as Observation
}

test('edit replaces the one place, and each place with all', async () => {
  writeFileSync(join(cwd, 'a.txt'), 'one $& two\nx x\n')
  const { end, observed } = await play([
    { edit: { file: 'a.txt', find: 'one', replace: "$& $1 $'" } },
    { edit: { file: 'a.txt', find: 'x', replace: 'y', all: true } },
  ])
  expect(end.outcome).toBe('done')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe("$& $1 $' $& two\ny y\n")
  expect(observed.map(({ tool, success }) => [tool, success])).toEqual([
    ['edit', true],
    ['edit', true],
  ])
  expect(observed[0]?.input).toContain('a.txt')
})

test('an edit that finds nothing, too much or no file fails, changes nothing and lets the play go on', async () => {
  writeFileSync(join(cwd, 'a.txt'), 'x x\n')
  const { end, observed } = await play([
    { edit: { file: 'a.txt', find: 'z', replace: 'y' } },
    { edit: { file: 'a.txt', find: 'x', replace: 'y' } },
    { edit: { file: 'none.txt', find: 'x', replace: 'y' } },
    { write: { file: 'b.txt', text: 'went on' } },
  ])
  expect(observed.map(({ success }) => success)).toEqual([false, false, false, true])
  expect(observed[0]?.output).toContain('not in a.txt')
  expect(observed[1]?.output).toContain('2 times')
  expect(observed[2]?.output).toContain('ENOENT')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('x x\n')
  expect(end.outcome).toBe('done')
})

test('write makes folders on the way, delete removes a file and fails on a missing one', async () => {
  const { observed } = await play([
    { write: { file: 'deep/er/a.txt', text: 'a' } },
    { write: { file: 'b.txt', text: 'b' } },
    { delete: { file: 'b.txt' } },
    { delete: { file: 'b.txt' } },
  ])
  expect(readFileSync(join(cwd, 'deep/er/a.txt'), 'utf8')).toBe('a')
  expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
  expect(observed.map(({ success }) => success)).toEqual([true, true, true, false])
})

test('run reports output and time; success is the expected exit code', async () => {
  const { end, observed } = await play([
    { run: { command: 'echo out; echo err >&2; pwd' } },
    { run: { command: 'exit 3' } },
    { run: { command: 'exit 3', expectExit: 3 } },
    { run: { command: 'kill -9 $$' } },
    { run: { command: 'no-such-command' } },
  ])
  expect(observed.map(({ success }) => success)).toEqual([true, false, true, false, false])
  expect(observed[0]?.output).toContain('out\n')
  expect(observed[0]?.output).toContain('err\n')
  expect(observed[0]?.output).toContain(cwd)
  expect(observed[0]?.input).toBe('echo out; echo err >&2; pwd')
  expect(observed[0]?.durationMs).toBeGreaterThan(0)
  expect(observed[1]?.output).toContain('Ended with 3 where 0 was expected')
  expect(observed[3]?.output).toContain('SIGKILL')
  expect(end.outcome).toBe('done')
})

test('the environment is the given one and nothing else', async () => {
  const { observed } = await play([{ run: { command: '/usr/bin/env' } }])
  const names = only(observed)
    .output.split('\n')
    .flatMap((line) => line.split('=').slice(0, 1))
  // The shell itself adds PWD, and some shells SHLVL and _; the sandbox says where its own things are.
  const added = ['', 'PWD', 'OLDPWD', 'SHLVL', '_', 'TMPDIR', 'GIT_CONFIG_SYSTEM']
  expect(names.filter((name) => !added.includes(name)).sort()).toEqual(['GREETING', 'PATH'])
})

test('long output is cut in the middle to 8,000 characters', async () => {
  const { observed } = await play([{ run: { command: 'echo begin; seq 1 100000; echo end' } }])
  const { output } = only(observed)
  expect(output.length).toBeLessThanOrEqual(8_000)
  expect(output.length).toBeGreaterThan(7_000)
  expect(output).toMatch(/^begin\n/)
  expect(output).toMatch(/\nend\n$/)
  expect(output).toMatch(/… \d+ characters left out …/)
})

test('say is text, use is usage, and the last word said is the end', async () => {
  const usage = { model: 'm-1', inputTokens: 12, outputTokens: 3, usd: 0.25 }
  const { end, events } = await play([
    { say: { text: 'working' } },
    { use: usage },
    { say: { text: 'fixed it' } },
  ])
  expect(events).toEqual([
    { is: 'text', text: 'working' },
    { is: 'used', usage },
    { is: 'text', text: 'fixed it' },
  ])
  expect(end).toEqual({ outcome: 'done', text: 'fixed it' })
})

test('an answer reaches the steps after the question, as it is', async () => {
  const questions: EngineQuestion[] = []
  const { events, observed } = await play(
    [
      { write: { file: 'before.txt', text: '{{answer}}' } },
      { ask: { question: 'Which colour?', options: ['red', 'blue'] } },
      { write: { file: 'after.txt', text: 'It is {{answer}}, {{answer}}.' } },
      { edit: { file: 'after.txt', find: 'It is {{answer}},', replace: '{{answer}}:' } },
    ],
    {
      answer: async (question) => {
        questions.push(question)
        return { text: '$& blue' }
      },
    },
  )
  expect(questions).toMatchObject([{ title: 'Which colour?', options: ['red', 'blue'] }])
  expect(events).toContainEqual({ is: 'asked', question: questions[0] })
  expect(observed[1]).toMatchObject({ tool: 'ask', input: 'Which colour?', output: '$& blue', success: true })
  expect(readFileSync(join(cwd, 'before.txt'), 'utf8')).toBe('{{answer}}')
  expect(readFileSync(join(cwd, 'after.txt'), 'utf8')).toBe('$& blue: $& blue.')
})

test('wait waits', async () => {
  const { observed } = await play([{ wait: { ms: 150 } }])
  expect(only(observed)).toMatchObject({ tool: 'wait', success: true })
  expect(only(observed).durationMs).toBeGreaterThanOrEqual(149)
})

test('a lie claims success, does nothing and ends the turn', async () => {
  const { end, events } = await play([
    { lie: { text: 'All tests pass!' } },
    { write: { file: 'a', text: '' } },
  ])
  expect(end).toEqual({ outcome: 'done', text: 'All tests pass!' })
  expect(events).toEqual([{ is: 'text', text: 'All tests pass!' }])
  expect(readdirSync(cwd)).toEqual([])
})

test.each(['rate_limited', 'max_turns', 'auth'])(
  'fail ends the turn with the outcome %s',
  async (outcome) => {
    const { end } = await play([{ fail: { outcome, text: 'as told' } }, { write: { file: 'a', text: '' } }])
    expect(end).toEqual({ outcome, text: 'as told' })
    expect(readdirSync(cwd)).toEqual([])
  },
)

test('exit ends the turn as done, before the steps that follow', async () => {
  const { end } = await play([
    { write: { file: 'a', text: '' } },
    { exit: {} },
    { write: { file: 'b', text: '' } },
  ])
  expect(end.outcome).toBe('done')
  expect(readdirSync(cwd)).toEqual(['a'])
})

test.each([
  ['a parent', { write: { file: '../outside.txt', text: 'x' } }],
  ['a parent in the middle', { write: { file: 'a/../../outside.txt', text: 'x' } }],
  ['an absolute path', { write: { file: '/tmp/outside.txt', text: 'x' } }],
  ['the folder itself', { write: { file: '.', text: 'x' } }],
  ['a linked folder', { write: { file: 'link/new/outside.txt', text: 'x' } }],
  ['a linked file', { edit: { file: 'secret', find: 'kept', replace: 'x' } }],
  ['a link to what is not there yet', { write: { file: 'dangling', text: 'x' } }],
  ['a delete behind a link', { delete: { file: 'link/secret.txt' } }],
  ['a delete of a parent', { delete: { file: '../elsewhere/secret.txt' } }],
])('%s is refused and the turn is invalid', async (_, step) => {
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'secret.txt'), 'kept')
  symlinkSync(elsewhere, join(cwd, 'link'))
  symlinkSync(join(elsewhere, 'secret.txt'), join(cwd, 'secret'))
  symlinkSync(join(elsewhere, 'later.txt'), join(cwd, 'dangling'))
  const { end, observed } = await play([step, { write: { file: 'after.txt', text: '' } }])
  expect(end.outcome).toBe('invalid')
  expect(only(observed).success).toBe(false)
  expect(end.text).toBe(only(observed).output)
  expect(readdirSync(elsewhere)).toEqual(['secret.txt'])
  expect(readFileSync(join(elsewhere, 'secret.txt'), 'utf8')).toBe('kept')
  expect(readdirSync(folder).sort()).toEqual(['elsewhere', 'scenario.json', 'work'])
  expect(readdirSync(cwd).sort()).toEqual(['dangling', 'link', 'secret'])
})

test('links that stay inside are followed, and a delete removes a link, not its target', async () => {
  mkdirSync(join(cwd, 'real'))
  symlinkSync('real', join(cwd, 'alias'))
  writeFileSync(join(folder, 'target.txt'), 'kept')
  symlinkSync(join(folder, 'target.txt'), join(cwd, 'out'))
  const { end } = await play([{ write: { file: 'alias/a.txt', text: 'a' } }, { delete: { file: 'out' } }])
  expect(end.outcome).toBe('done')
  expect(readFileSync(join(cwd, 'real/a.txt'), 'utf8')).toBe('a')
  expect(existsSync(join(cwd, 'out'))).toBe(false)
  expect(readFileSync(join(folder, 'target.txt'), 'utf8')).toBe('kept')
})

test('two plays of one script leave the same tree and tell the same', async () => {
  const steps = [
    { write: { file: 'src/a.js', text: 'export const sum = (a, b) => a - b\n' } },
    { ask: { question: 'Sign?', options: ['+'] } },
    { edit: { file: 'src/a.js', find: 'a - b', replace: 'a {{answer}} b' } },
    { run: { command: 'cat src/a.js; ls' } },
    { write: { file: 'gone.txt', text: '' } },
    { delete: { file: 'gone.txt' } },
  ]
  const results = []
  for (const name of ['one', 'two']) {
    const home = join(folder, name)
    mkdirSync(home)
    const { end, events } = await play(steps, { in: home, answer: async () => ({ text: '+' }) })
    const told = JSON.stringify(events).replaceAll(/"durationMs":[\d.]+/g, '')
    results.push({ end, told, tree: hashOf(home) })
  }
  expect(results[0]?.tree).not.toBe(hashOf(cwd))
  expect(results[1]).toEqual(results[0])
})

function hashOf(home: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    hash.update(`${path.slice(home.length)}\0${readFileSync(path, 'utf8')}\0`)
  }
  return hash.digest('hex')
}

test('an item that the scenario does not know is refused by name', async () => {
  const scenario = join(folder, 'empty.json')
  writeFileSync(scenario, JSON.stringify({ version: 1, items: [] }))
  const engine = openScripted({ scenario, sandbox: { mode: 'auto' } })
  expect(await engine.probe()).toMatchObject({ is: 'usable' })
  const session = await engine.open({
    cwd,
    env: {},
    stallMs: 1_000,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  const end = await session.prompt(task)
  expect(end.outcome).toBe('refused')
  expect(end.text).toContain('has nothing for item #4 "Fix the sum"')
})

test('a faulty scenario makes the engine unusable and the turn invalid', async () => {
  const scenario = join(folder, 'bad.json')
  writeFileSync(scenario, '{ "version": 1 }')
  const engine = openScripted({ scenario, sandbox: { mode: 'auto' } })
  expect(await engine.probe()).toMatchObject({ is: 'unusable', why: expect.stringContaining('items') })
  const session = await engine.open({
    cwd,
    env: {},
    stallMs: 1_000,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  expect(await session.prompt(task)).toMatchObject({
    outcome: 'invalid',
    text: expect.stringContaining(scenario),
  })
})

test('a working folder that is not there is told as a crash of the engine', async () => {
  const { end } = await play([{ write: { file: 'a', text: '' } }], { in: join(folder, 'nowhere') })
  expect(end.outcome).toBe('crashed')
})

test('what a callback throws comes back from the prompt', async () => {
  const broken = play([{ ask: { question: 'Why?', options: [] } }], {
    answer: async () => {
      throw new Error('nobody home')
    },
  })
  await expect(broken).rejects.toThrow('nobody home')
  const onEvent = () => {
    throw new Error('no room')
  }
  await expect(play([{ say: { text: 'hi' } }], { onEvent })).rejects.toThrow('no room')
})
