import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineEvent } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCommand } from './engine.ts'
import { readResponse } from './response.ts'

let folder: string
let cwd: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-'))
  cwd = join(folder, 'work')
  mkdirSync(cwd)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const item = { projectNumber: 1, number: 42, title: 'Fix the sum', body: '', acceptance: [] }
const task = { text: 'The sum is wrong.', item, attempt: 1, testCommand: null, failures: [], evidence: [] }

async function run(
  line: string | null,
  stallMs = 30_000,
  responseFile = join(folder, 'agent-1.response.md'),
) {
  const events: EngineEvent[] = []
  // Where there is no sandbox; confined.test.ts has the other half.
  const session = await openCommand({ run: line, responseFile, sandbox: { mode: 'off' } }).open({
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stallMs,
    onEvent: (event) => void events.push(event),
    onQuestion: async () => ({ text: '' }),
  })
  return { session, events, responseFile, prompt: () => session.prompt(task) }
}

verifies(
  'ORCH-2.2-3',
  'the session is given the command /project-start with the number of the item',
  async () => {
    const { prompt } = await run('echo "$TREADLE_COMMAND" > told; cat "$TREADLE_PROMPT_FILE" > asked')
    expect(await prompt()).toMatchObject({ outcome: 'done' })
    expect(readFileSync(join(cwd, 'told'), 'utf8')).toBe('/project-start 42\n')
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('/project-start 42\n\nThe sum is wrong.')
  },
)

verifies(
  'ORCH-2.2-4',
  'a signal in the response file ends the turn, although the session stays open',
  async () => {
    const { prompt, events } = await run(
      'printf "Changed sum.js.\\n\\nTreadle: done\\n" > "$TREADLE_RESPONSE_FILE"; echo $$ > pid; exec sleep 600',
    )
    expect(await prompt()).toEqual({ outcome: 'done', text: 'Changed sum.js.' })
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    expect(isAlive(pid)).toBe(false)
    expect(events).toMatchObject([{ is: 'observed', observation: { tool: 'command', success: true } }])
  },
)

test('what an earlier turn said is no answer to this one', async () => {
  const { prompt, responseFile } = await run('exit 3')
  writeFileSync(responseFile, 'Treadle: done\n')
  expect(await prompt()).toMatchObject({ outcome: 'crashed', text: 'The command ended with exit code 3.' })
  expect(existsSync(responseFile)).toBe(false)
})

test.each([
  ['echo fine', 'done', 'fine'],
  ['echo no way >&2; exit 2', 'crashed', 'The command ended with exit code 2. no way'],
  ['echo "Treadle: failed: cannot read it" > "$TREADLE_RESPONSE_FILE"', 'refused', 'cannot read it'],
  [null, 'invalid', 'No command: '],
])('%s ends the turn as %s', async (line, outcome, text) => {
  const { prompt } = await run(line)
  const end = await prompt()
  expect(end.outcome).toBe(outcome)
  expect(end.text).toContain(text)
})

test('a session that falls silent is ended with all it started', async () => {
  const { prompt } = await run('sleep 600 & echo $! > pid; wait', 400)
  expect(await prompt()).toMatchObject({ outcome: 'stalled' })
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
})

test('a session that is stopped is interrupted, and takes no further turn', async () => {
  const { prompt, session } = await run('sleep 600')
  const end = prompt()
  await session.stop(500)
  expect(await end).toMatchObject({ outcome: 'interrupted' })
  expect(await prompt()).toMatchObject({ outcome: 'interrupted' })
})

test('what the session says it used is passed on', async () => {
  const usage = { model: 'claude-sonnet-4-5', inputTokens: 1_000, outputTokens: 200, usd: 0.006 }
  const { prompt, events } = await run(
    `printf '%s\\n' 'Treadle-usage: ${JSON.stringify(usage)}' 'Treadle: done' > "$TREADLE_RESPONSE_FILE"`,
  )
  await prompt()
  expect(events).toContainEqual({ is: 'used', usage })
})

test.each([
  ['', null],
  ['I am done, really', null],
  ['Treadle: done\nbut then I wrote on', null],
  ['text\nTreadle: done', { is: 'done' }],
  ['text\n  treadle:  DONE  \n\n', { is: 'done' }],
  ['Treadle: failed', { is: 'failed', why: '' }],
  ['Treadle: failed: no tests', { is: 'failed', why: 'no tests' }],
])('%j holds the signal %j', (written, signal) => {
  expect(readResponse(written).signal).toEqual(signal)
})

test('a folder of response files that cannot be used is a fault of the world, and nothing is started', async () => {
  writeFileSync(join(folder, 'sessions'), 'a file in its place')
  const { prompt, events } = await run('touch started', 30_000, join(folder, 'sessions/agent-1.response.md'))
  expect(await prompt()).toMatchObject({
    outcome: 'crashed',
    text: expect.stringContaining('Nothing was started'),
  })
  expect(existsSync(join(cwd, 'started'))).toBe(false)
  expect(events).toEqual([])
})
