// Wrong use ends with 2, a missing thing with 1; both with a sentence, and neither with a stack.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type CommandOptions, run } from '../kit/command.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
const nowhere = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-nowhere-')))
afterAll(() => {
  place.remove()
  rmSync(nowhere, { recursive: true, force: true })
})

// The others, in one process: apps/cli/src/wrong-use.test.ts.
test.each([
  [[], 'Usage: treadle'],
  [['up', '--agents', 'many'], 'must be a whole number from 0 to 10'],
])('treadle %j', async (args, sentence) => {
  await expectRefusal(args, 2, sentence)
})

test('outside of any workspace the commands say how to make one', async () => {
  const commands = [['up'], ['down'], ['status'], ['add', 'An item'], ['agent', 'stop', '1']]
  for (const args of commands) {
    const stderr = await expectRefusal(args, 1, 'There is no Treadle workspace here or above.', {
      cwd: nowhere,
    })
    expect(stderr).toContain('treadle init')
  }
})

test('who asked for JSON reads the refusal there too', async () => {
  for (const [args, code, message] of [
    [['list', '--json', '--status', 'open'], 2, 'Allowed choices are todo, backlog'],
    [['status', '--json'], 1, 'There is no Treadle workspace here or above.'],
  ] as const) {
    const told = await run(place, args, { cwd: nowhere })
    expect(told.code).toBe(code)
    expect(JSON.parse(told.stdout)).toMatchObject({
      error: { message: expect.stringContaining(message), hint: expect.any(String) },
    })
  }
})

test('outside of any repository, init and fix say how to make one', async () => {
  for (const args of [['init'], ['fix']]) {
    const stderr = await expectRefusal(args, 1, `${nowhere} is not inside a git repository.`, {
      cwd: nowhere,
    })
    expect(stderr).toContain('git init')
  }
  const dir = join(nowhere, 'workspace')
  mkdirSync(dir)
  await expectRefusal(['up'], 1, 'is not inside a git repository.', { added: { TREADLE_WORKSPACE: dir } })
})

test('without a daemon the commands say how to start it', async () => {
  for (const args of [['add', 'An item'], ['show', '1'], ['agent'], ['review']]) {
    const stderr = await expectRefusal(args, 1, 'The daemon of this workspace is not running.')
    expect(stderr).toContain('treadle up')
  }
})

test('a workspace that is named and not there is named again', async () => {
  const added = { TREADLE_WORKSPACE: join(nowhere, 'gone') }
  await expectRefusal(['status'], 1, `TREADLE_WORKSPACE names ${nowhere}/gone, which does not exist.`, {
    added,
  })
})

async function expectRefusal(
  args: string[],
  code: number,
  sentence: string,
  options: CommandOptions = {},
): Promise<string> {
  const ended = await run(place, args, options)
  expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: '' })
  expect(ended.stderr).toContain(sentence)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  return ended.stderr
}
