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

const WRONG: readonly (readonly [args: string[], sentence: string])[] = [
  [[], 'Usage: treadle'],
  [['frobnicate'], "unknown command 'frobnicate'"],
  [['statsu'], 'Did you mean status?'],
  [['agent', 'frobnicate'], "unknown command 'frobnicate'"],
  [['up', '--bogus'], "unknown option '--bogus'"],
  [['up', 'extra'], 'too many arguments'],
  [['up', '--agents', 'many'], 'must be a whole number from 0 to 10'],
  [['up', '--agents', '11'], 'must be a whole number from 0 to 10'],
  [['up', '--agents', ''], 'must be a whole number from 0 to 10'],
  [['add'], "missing required argument 'title'"],
  [['add', 'An item', '--priority', '-1'], 'must be a whole number from 0 to 1000'],
  [['show', 'x'], 'must be the number of an item'],
  [['show', '0'], 'must be the number of an item'],
  [['list', '--status', 'open'], 'Allowed choices are todo, backlog'],
  [['review', 'reject', '1'], "required option '--feedback <text>' not specified"],
  [['fix', '--dry-run', '--resume'], "option '--dry-run' cannot be used with option '--resume'"],
  [['repair', 'bench', '--from-history', '.', '--since', 'notadate'], 'must be a date, such as'],
  [['repair', 'bench', '--from-history', '.', '--limit', '0'], 'must be a number above 0'],
  [['agent', 'pause'], "missing required argument 'id'"],
  [['agent', 'pause', 'bob'], 'must be the name of an agent, such as agent-1'],
]

test.each(WRONG)('treadle %j', async (args, sentence) => {
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
