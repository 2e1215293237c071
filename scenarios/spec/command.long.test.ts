// treadle spec, as a person and as a program use it, on documents that were written by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { writeIdea } from './idea-files.ts'
import { answer, GOOD } from './written-answers.ts'

const open = useInProcess('any')

verifies(
  ['AGENT-SPEC-1', 'AGENT-SPEC-33', 'AGENT-SPEC-35', 'AGENT-SPEC-36'],
  'a specification is generated, shown, revised and approved on the command line',
  async (context) => {
    const { workspace } = await open(context)
    writeIdea(workspace, 'typed')
    const spec = async (...args: string[]) => run(workspace, ['spec', ...args])
    const made = await spec('generate', 'typed', '--json')
    expect(made.code, made.stderr).toBe(0)
    const { specPath, tasks, validation } = JSON.parse(made.stdout)
    expect(specPath).toBe('users/test/ideas/typed/build/spec.md')
    expect(validation).toMatchObject({ ok: true, problems: [] })
    expect(Object.keys(tasks[0])).toEqual(
      expect.arrayContaining(['id', 'phase', 'file', 'action', 'dependsOn', 'validation']),
    )
    const shown = await spec('show', 'typed')
    for (const words of ['Offline shopping list', 'server/routes/shared-lists.ts', 'AC-1'])
      expect(shown.stdout).toContain(words)
    expect((await spec('revise', 'typed', 'remove', 'dark', 'theme')).stdout).not.toContain('dark-theme')
    const file = join(workspace.root, specPath)
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nMore.\n`)
    const refused = await spec('approve', 'typed', '--revision', '2')
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('+More.')])
    expect(refused.stderr).toContain('has changed since revision 2')
    expect((await spec('approve', 'typed', '--revision', '3')).stdout).toContain('is approved')
    expect((await spec('list')).stdout).toContain('typed\tapproved\t3')
  },
)

test('what is wrong is said with what to do, and ends with a code', async (context) => {
  const { workspace } = await open(context)
  const unknown = await run(workspace, ['spec', 'generate', 'nobody-knows-it'])
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('There is no idea nobody-knows-it'),
  ])
  const outside = await run(workspace, ['spec', 'show', '../etc'])
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('must be the name of an idea')])
  workspace.write('users/test/ideas/half/README.md', '# Half\n')
  const half = await run(workspace, ['spec', 'generate', 'half'])
  expect(half.stderr).toContain('Missing required documents for spec generation')
  expect(half.stderr).toContain('planning/brief.md')
})

test('a model writes it while the command waits, and an engine that reads is named by an option', async (context) => {
  const daemon = await open(context)
  const { workspace } = daemon
  writeIdea(workspace, 'waited')
  const command = run(workspace, [...'spec generate waited --engine native --json --wait 60'.split(' ')])
  const held = await eventually('the thought', async () => {
    const { items } = await daemon.client.listThoughts({ query: { subject: 'waited', status: 'pending' } })
    return items[0]
  })
  await answer(daemon, held.subject, GOOD)
  const made = await command
  expect(made.code, made.stderr).toBe(0)
  expect(JSON.parse(made.stdout)).toMatchObject({ writtenBy: 'native', waiting: false, revision: 2 })
  const shown = await run(workspace, ['spec', 'show', 'waited'])
  expect(shown.stdout).toContain('features 100 %, criteria 100 %, requirements 100 %, tasks 100 %')
  const rules = await run(workspace, ['spec', 'revise', 'waited', 'use', 'vitest', '--engine', 'none'])
  expect([rules.code, rules.stdout]).toEqual([0, expect.stringContaining('by rules')])
  const strange = await run(workspace, ['spec', 'generate', 'waited', '--engine', 'abacus'])
  expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('There is no engine abacus')])
})

test('a specification that nobody is there to write is that of the rules at once, and says who is missing', async (context) => {
  const { workspace } = await open(context)
  writeIdea(workspace, 'unattended')
  const generate = ['spec', 'generate', 'unattended', '--engine', 'native']
  const made = await run(workspace, [...generate, '--json'])
  expect(made.code, made.stderr).toBe(3)
  expect(JSON.parse(made.stdout)).toMatchObject({
    writtenBy: 'rules',
    waiting: true,
    waitingFor: { reason: 'no_agent', words: 'No agent is running.', until: null },
    validation: { ok: true },
  })
  const told = await run(workspace, generate)
  expect([told.code, told.stdout]).toEqual([3, expect.stringContaining('No agent is running.')])
  expect(told.stdout).toContain('Or leave it to rules: treadle spec generate unattended --engine none')
  const rules = await run(workspace, ['spec', 'generate', 'unattended', '--engine', 'none', '--json'])
  expect([rules.code, JSON.parse(rules.stdout)]).toEqual([
    0,
    expect.objectContaining({ waiting: false, waitingFor: null }),
  ])
})
