// Help as a process prints it. What it says of each command: apps/cli/src/help.test.ts.
import { loadCommands } from '@treadle/cli/commands'
import { readEnv } from '@treadle/cli/env'
import { makeProgram } from '@treadle/cli/make-program'
import { afterAll, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => place.remove())

test.each([[[]], [['review']], [['up']]])(
  'treadle %j --help goes to stdout, with every command below',
  async (path) => {
    const { code, stdout, stderr } = await run(place, [...path, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.startsWith(`Usage: ${['treadle', ...path].join(' ')}`)).toBe(true)
    const { root } = makeProgram(readEnv({}), await loadCommands())
    const command = root.commands.find((each) => each.name() === path[0]) ?? root
    for (const below of command.commands) expect(stdout).toMatch(new RegExp(`^  ${below.name()}\\b`, 'm'))
  },
)

test('the version is a number', async () => {
  const ended = await run(place, ['--version'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
