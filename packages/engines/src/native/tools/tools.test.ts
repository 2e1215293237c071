// Where the tools of the native engine look, and what they leave alone.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Shell } from '../../shell.ts'
import { TEST_PATH } from '../../testing/native.ts'
import { edit, read, write } from './files.ts'
import { glob, grep } from './search.ts'
import type { Tool } from './tool.ts'

let base: string
let root: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')))
  root = join(base, 'work')
  for (const file of ['src/utils/a.ts', 'src/other/b.ts', 'lib/c.ts', 'app/[id]/d.ts', 'app/i/e.ts', 'f.ts'])
    put(file, `needle in ${file}\n`)
  writeFileSync(join(base, 'secret.ts'), 'needle\n')
  symlinkSync(base, join(root, 'out'))
  symlinkSync('../other', join(root, 'src/utils/link'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

/** The files that were found, or why there are none. */
async function found(tool: Tool, input: object, scope: readonly string[] = []): Promise<string[]> {
  const nothing = { refresh: async () => undefined, close: () => undefined }
  const shell = new Shell(root, { before: [], env: { PATH: TEST_PATH }, ...nothing })
  const world = { root, scope, signal: new AbortController().signal, shell }
  const { output } = await tool
    .run(input, world)
    .catch((error: unknown) => ({ output: `failed: ${messageOf(error)}` }))
  return output.split('\n').map((line) => line.replace(/:\d+:needle.*/, ''))
}

const GREP = { pattern: 'needle' }
const GLOB = { pattern: '**/*.ts' }
const NONE = [expect.stringContaining('failed: The plan keeps to')]
const LEAVES = [expect.stringContaining('failed: The pattern has to stay')]

test.each([
  ['a scope that is not there finds nothing and says so', grep, GREP, ['src/missing'], NONE],
  ['nor does a pattern find anything there', glob, GLOB, ['src/missing'], NONE],
  ['a scope that leads out is none to look in', grep, GREP, ['out'], NONE],
  ['a scope of which a part is there is that part', grep, GREP, ['src/missing', 'lib'], ['lib/c.ts']],
  [
    'an include does not lead out of the scope',
    grep,
    { ...GREP, include: '../../lib/*.ts' },
    ['src'],
    LEAVES,
  ],
  ['nor out of the worktree', grep, { ...GREP, include: '../../secret.ts' }, [], LEAVES],
  ['a scope that is a file is searched', grep, GREP, ['f.ts'], ['f.ts']],
  ['also with an include', grep, { ...GREP, include: '*.ts' }, ['f.ts'], ['f.ts']],
  ['unless the include is of others', grep, { ...GREP, include: '*.js' }, ['f.ts'], ['Nothing found.']],
  ['and found by a pattern', glob, GLOB, ['f.ts', 'src/utils/a.ts'], ['f.ts', 'src/utils/a.ts']],
  ['by its bare name too', glob, { pattern: 'a.*' }, ['src/utils/a.ts'], ['src/utils/a.ts']],
  ['a folder whose name looks like a pattern is a folder', grep, GREP, ['app/[id]'], ['app/[id]/d.ts']],
  ['also with an include', grep, { ...GREP, include: '*.ts' }, ['app/[id]'], ['app/[id]/d.ts']],
  [
    'a link out of the scope is outside of it',
    grep,
    { ...GREP, path: 'src/utils/link' },
    ['src/utils'],
    [expect.stringContaining('outside of what the plan keeps to')],
  ],
  ['and no pattern goes through it', glob, { pattern: 'link/*' }, ['src/utils'], ['No file matches.']],
  [
    'more than the scope is cut down to it',
    grep,
    { ...GREP, path: 'src' },
    ['src/utils'],
    ['src/utils/a.ts'],
  ],
])('%s', async (...[, tool, input, scope, expected]) => {
  expect(await found(tool, input, scope)).toEqual(expected)
})

test('a file that is not in UTF-8 can be read, and is not changed', async () => {
  const latin = Buffer.from([0x61, 0xe9, 0x0a, 0x62, 0x0a])
  put('latin.txt', latin)
  expect((await found(read, { filePath: 'latin.txt' }))[1]).toBe('2\tb')
  const refused = [expect.stringContaining('failed: latin.txt is not in UTF-8')]
  const filePath = 'latin.txt'
  expect(await found(edit, { filePath, oldString: 'b', newString: 'c' })).toEqual(refused)
  expect(await found(write, { filePath, content: 'new' })).toEqual(refused)
  expect(readFileSync(join(root, 'latin.txt'))).toEqual(latin)
  put('mark.txt', '\ufeffé b\r\n')
  await found(edit, { filePath: 'mark.txt', oldString: 'b', newString: 'c' })
  expect(readFileSync(join(root, 'mark.txt'), 'utf8')).toBe('\ufeffé c\r\n')
})
