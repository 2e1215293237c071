// Every command explains itself.
import { afterAll, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => place.remove())

test('every command has help that names its use and describes its options', async () => {
  const names = await commandsBelow([])
  const nested = await Promise.all(
    names.filter((name) => ['review', 'agent'].includes(name)).map((name) => commandsBelow([name])),
  )
  expect(names).toEqual(expect.arrayContaining(['demo', 'init', 'up', 'down', 'add', 'fix', 'doctor']))
  expect(nested.flat().length).toBeGreaterThanOrEqual(9)

  async function commandsBelow(path: string[]): Promise<string[]> {
    const below = listedIn(await helpOf(path))
    await Promise.all(below.map((name) => helpOf([...path, name])))
    return below
  }
})

test('the version is a number', async () => {
  const ended = await run(place, ['--version'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

async function helpOf(path: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(place, [...path, '--help'])
  expect({ path, code, stderr }).toEqual({ path, code: 0, stderr: '' })
  expect(stdout.startsWith(`Usage: ${['treadle', ...path].join(' ')}`)).toBe(true)
  for (const line of optionLines(stdout)) expect(line).toMatch(/^ {2}-.* {2,}\S/)
  return stdout
}

/** A long option has its description on the next line. */
function optionLines(help: string): string[] {
  return help
    .replace(/\n {20,}/g, '  ')
    .split('\n')
    .filter((line) => /^ {2}-/.test(line))
}

function listedIn(help: string): string[] {
  const names = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? ''
  return names.split('\n').flatMap((line) => {
    const name = /^ {2}([\w-]+)/.exec(line)?.[1]
    return name === undefined || name === 'help' ? [] : [name]
  })
}
