// A change that passes its tests and is refused by another gate outlives that: it is named, shown and can be taken.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Escalation } from '@treadle/contracts/escalation'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { addRepair, moduleOf, repair, told, until, up, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
/** Several processes, npm and git: a machine that is busy must not fail them. */
const MS_MAX = 600_000

const LINT = "if grep -n 'TODO' src/*.txt; then exit 1; fi\n"
const manifest = (scripts: Record<string, string>) => JSON.stringify({ name: 'shop', scripts })
const files = {
  'package.json': manifest({ lint: 'sh lint.sh', unit: 'sh test.sh', test: 'npm run lint && npm run unit' }),
  'lint.sh': LINT,
}
const todo = { edit: { file: moduleOf(1), find: 'module 1', replace: 'module 1 TODO' } }

function linted(more: object = {}): Workspace {
  return shop({
    scripts: [[[repair(1), todo], [{ write: { file: 'notes.txt', text: 'an idea\n' } }]]],
    files,
    settings: { tests: { command: 'npm test' }, limits: { improvements: 1 }, ...more },
  })
}

test(
  'lint in the test command is called lint, and the change that it refused can be taken',
  async () => {
    const workspace = linted()
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    const item = await until(daemon, 1, 'escalated')
    expect(item.reason).toMatch(/^lint: /)
    expect(item.reason).not.toContain('no failing test')

    const shown = await run(workspace, ['show', '1'])
    expect(shown.stdout).toContain("passes the item's tests and was refused by lint. It is kept.")
    expect(shown.stdout).toContain('treadle take 1')
    const { escalation, text } = await told<{ escalation: Escalation; text: string }>(
      workspace,
      'explain',
      '1',
    )
    expect(escalation.kept).toMatchObject({ refusedBy: ['linter_pass'] })
    expect(text).toContain('treadle take 1')
    expect(text).not.toContain('did not help')
    const kept = escalation.kept
    expect(workspace.git('rev-parse', kept?.ref ?? '')).toBe(kept?.commit)

    writeFileSync(join(workspace.root, 'test.sh'), '# mine\n')
    const dirty = await run(workspace, ['take', '1'])
    expect(dirty.code).toBe(1)
    expect(dirty.stderr).toContain('not committed (test.sh)')
    expect(readFileSync(join(workspace.root, 'test.sh'), 'utf8')).toBe('# mine\n')
    workspace.git('checkout', 'test.sh')

    const taken = await told<object>(workspace, 'take', '1')
    expect(taken).toMatchObject({ branch: 'take/1', refusedBy: ['linter_pass'] })
    expect(workspace.git('branch', '--show-current')).toBe('take/1')
    expect(readFileSync(join(workspace.root, moduleOf(1)), 'utf8')).toContain('state: right')
    expect(workspace.git('log', '-1', '--format=%s')).toBe('Repair module 1')
    expect(workspace.git('rev-parse', 'HEAD~1')).toBe(workspace.git('rev-parse', 'main'))

    const again = await run(workspace, ['take', '1'])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('There is a branch take/1 already')
    const other = await run(workspace, ['take', '1', '--branch', 'second'])
    expect(other.code, other.stderr).toBe(0)
    expect(other.stdout).toContain('You are on the new branch second')
  },
  MS_MAX,
)

test(
  'there is nothing to take of an item that nobody worked on, nor of a merged one',
  async () => {
    const workspace = shop({
      scripts: [[[repair(1)]]],
      files,
      settings: { tests: { command: 'npm test' } },
    })
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await until(daemon, 1, 'done')
    const review = await run(workspace, ['review', 'show', '1', '--diff', '--json'])
    expect(JSON.parse(review.stdout)).toMatchObject({ diff: expect.stringContaining('+state: right') })
    const explained = await run(workspace, ['explain', '1'])
    expect(explained.stdout).toContain('It is merged as ')
    expect(explained.stdout).not.toContain('What still fails')
    const merged = await run(workspace, ['take', '1'])
    expect(merged.code).toBe(1)
    expect(merged.stderr).toContain('There is nothing to take: #1 is merged as ')
    await daemon.client.addItem({ body: { title: 'later', status: 'backlog' } })
    for (const args of [
      ['explain', 'zz'],
      ['history', 'zz'],
    ]) {
      const wrong = await run(workspace, args)
      expect(wrong.code).toBe(2)
      expect(wrong.stderr).toContain('zz is neither the number of an item nor the id of a run.')
    }
    const untitled = await run(workspace, ['add', ' '])
    expect(untitled.code).toBe(2)
    expect(untitled.stderr).toContain('An item needs a title.')
    const none = await run(workspace, ['take', '2', '--json'])
    expect(none.code).toBe(1)
    expect(JSON.parse(none.stdout)).toMatchObject({
      error: { message: expect.stringContaining('nothing to take') },
    })
  },
  MS_MAX,
)

test(
  'what an engine wrote is formatted as the project does before it is checked and merged',
  async () => {
    const biome = JSON.stringify({ formatter: { indentStyle: 'space' }, files: { includes: ['src/**'] } })
    const code = 'export const a = 1;\n'
    const workspace = shop({
      scripts: [[[repair(1), { write: { file: 'src/a.ts', text: `${code}export const b   = "b"\n` } }]]],
      files: {
        'biome.json': biome,
        'src/a.ts': code,
        '.gitignore': 'node_modules\n',
        'package.json': manifest({
          lint: 'biome ci src',
          unit: 'sh test.sh',
          test: 'npm run lint && npm run unit',
        }),
      },
      settings: { tests: { command: 'npm test' } },
    })
    symlinkSync(
      fileURLToPath(new URL('../../node_modules', import.meta.url)),
      join(workspace.root, 'node_modules'),
    )
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await until(daemon, 1, 'done')
    expect(workspace.git('show', 'main:src/a.ts')).toBe('export const a = 1;\nexport const b = "b";')
    expect((await run(workspace, ['show', '1'])).stdout).toContain('Formatted with biome: src/a.ts.')
    expect(existsSync(join(workspace.root, 'node_modules'))).toBe(true)
  },
  MS_MAX,
)
