// The engine mend in a real worktree: one change that puts the finding right, or none at all.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Category } from '@treadle/contracts/categories'
import { findingCommand } from '@treadle/contracts/finding-measure'
import type { EngineEvent, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { type Files, makeChange } from '@treadle/gates/testing/change'
import { openMend } from '@treadle/mend/engine'
import { expect, onTestFinished, test } from 'vitest'
import { openWorktreeFiles } from './worktree-files.ts'

interface Mended {
  readonly end: TurnEnd
  readonly events: readonly EngineEvent[]
  readonly read: (path: string) => string | null
}

interface Asked {
  readonly command?: string
  readonly attempt?: number
  /** Before the engine begins. */
  readonly prepare?: (cwd: string) => void
}

async function mend(
  files: Files,
  [category, key]: readonly [Category, string],
  { command, attempt = 1, prepare }: Asked = {},
): Promise<Mended> {
  const made = makeChange(files, {})
  onTestFinished(made.remove)
  const cwd = join(made.dir, 'head')
  prepare?.(cwd)
  const events: EngineEvent[] = []
  const session = await openMend({ openTree: openWorktreeFiles }).open({
    cwd,
    env: made.options.env,
    stallMs: 60_000,
    onEvent: (event) => events.push(event),
    onQuestion: async () => ({ text: '' }),
  })
  const measure = { command: command ?? findingCommand({ category, key }), better: null }
  const task: EngineTask = {
    text: '',
    item: { projectNumber: 1, number: 1, title: 'x', body: '', acceptance: [], measure },
    attempt,
    testCommand: null,
    failures: [],
    evidence: [],
  }
  const end = await session.prompt(task)
  await session.stop(0)
  const read = (path: string) => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), 'utf8') : null)
  return { end, events, read }
}

const text = (data: object) => `${JSON.stringify(data, null, 2)}\n`
const LEFT_PAD = ['dependency-management', 'unused-dependency:left-pad'] as const
const SHOP = {
  'package.json': text({ name: 'shop', private: true, dependencies: { 'left-pad': '1.0.0' } }),
  'package-lock.json': text({
    name: 'shop',
    lockfileVersion: 3,
    packages: {
      '': { name: 'shop', dependencies: { 'left-pad': '1.0.0' } },
      'node_modules/left-pad': { version: '1.0.0' },
    },
  }),
  'index.js': "console.log('open')\n",
}

test('a package that nothing uses goes from manifest and lock file, at no cost, and the turn says what was done', async () => {
  const { end, events, read } = await mend(SHOP, LEFT_PAD)
  expect(end).toMatchObject({ outcome: 'done', confidence: { level: 'high' } })
  expect(end.text).toContain('took left-pad out of package.json and package-lock.json')
  expect(read('package.json')).toBe(text({ name: 'shop', private: true }))
  expect(read('package-lock.json')).toBe(
    text({ name: 'shop', lockfileVersion: 3, packages: { '': { name: 'shop' } } }),
  )
  const observed = events.flatMap((event) => (event.is === 'observed' ? [event.observation.tool] : []))
  expect(observed).toEqual(['plan', 'survey'])
})

test('what brings something new is taken back to the last byte, and the end says why', async () => {
  const files = {
    'package.json': text({ name: 'shop', private: true }),
    'index.js': "import './src/used.js'\n",
    'src/used.js': 'go()\n',
    'src/dead.js': "import './only-here.js'\n",
    'src/only-here.js': 'stay()\r\n',
  }
  const { end, read } = await mend(files, ['code-quality', 'unused-file:src/dead.js'])
  expect(end.outcome).toBe('refused')
  expect(end.text).toMatch(/was taken back: .*unused-file:src\/only-here\.js\. Nothing was changed\.$/)
  for (const [path, before] of Object.entries(files)) expect(read(path)).toBe(before)
})

test.each<[string, readonly [Category, string], Asked, string]>([
  ['is gone', ['dependency-management', 'unused-dependency:right-pad'], {}, 'no package.json asks for such'],
  ['no program can put right', ['architecture', 'import-cycle:a.js:2'], {}, 'no program puts right what'],
  ['is no finding', LEFT_PAD, { command: 'npm run size' }, 'not for a finding of a survey'],
  ['was tried before', LEFT_PAD, { attempt: 2 }, 'mend has had its try'],
])('what %s is refused at once, and nothing is changed', async (_, key, asked, why) => {
  const { end, read } = await mend(SHOP, key, asked)
  expect(end).toMatchObject({ outcome: 'refused', text: expect.stringContaining(why) })
  expect(read('package.json')).toBe(SHOP['package.json'])
})

test('nothing is written through a link', async () => {
  const files = {
    'package.json': text({ name: 'shop', private: true }),
    'index.js': "import './used.js'\n",
    'used.js': 'go()\n',
  }
  const outside = makeChange({ 'dead.js': 'keep()\n' }, {})
  onTestFinished(outside.remove)
  const prepare = (cwd: string) => symlinkSync(join(outside.dir, 'head/dead.js'), join(cwd, 'dead.js'))
  const { end } = await mend(files, ['code-quality', 'unused-file:dead.js'], { prepare })
  expect(end.outcome).toBe('refused')
  expect(readFileSync(join(outside.dir, 'head/dead.js'), 'utf8')).toBe('keep()\n')
})
