// A task that fails in each way that a program can tell: what follows, through the daemon.
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { begun, begunOn, fail, failChecks, landed, play, start, stateOf, taskOf } from './hand-build.ts'
import { lockOf, startRegistry } from './registry.ts'

const registry = await startRegistry({ 'left-pad': 400, 'left-pod': 2 })
afterAll(() => registry.close())
const open = useInProcess('any', {
  settings: { limits: { sweepMs: 300, improvements: 1 }, merge: { autoResolve: false } },
  files: { 'package-lock.json': lockOf(registry.url) },
})

verifies(
  'AGENT-BUILD-21',
  'a missing package is installed if the registry of the lock file has had it for long enough; one that is invented or new is not',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const build = await start(daemon, 'packages', [
      { id: 'T1', file: 'a.mjs' },
      { id: 'T2', file: 'b.mjs' },
      { id: 'T3', file: 'c.mjs' },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    // A registry that is busy for a moment is asked again.
    registry.busy = 1
    await fail(
      daemon,
      numberOf('T1'),
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from a.mjs",
    )
    const again = await eventually('T1 is offered again', async () => {
      const item = await stateOf(client, numberOf('T1'))
      return item.state === 'backlog' ? item : undefined
    })
    expect(again.reason).toContain('left-pad 1.0.0 is installed for you before this attempt')
    const [first] = (await client.showBuild({ params: { id: 'packages' } })).failures
    expect(first?.install).toMatchObject({ name: 'left-pad', version: '1.0.0', registry: registry.url })
    // What fails while the registry is asked about another one is not decided before it was asked, too.
    const answers = Promise.withResolvers<void>()
    registry.hold = answers.promise
    await fail(daemon, numberOf('T2'), "Cannot find module 'left-pod'")
    await eventually('it is asked', () => (registry.asked.includes('left-pod') ? true : undefined))
    await fail(daemon, numberOf('T3'), "Cannot find module 'left-pud'")
    answers.resolve()
    const refused = await begun(client, 'packages', ({ counts }) => counts.failed === 2)
    expect(taskOf(refused, 'T2').why).toMatch(
      /left-pod is missing, and is not installed: .* only since .*builds\.packageAgeMs/,
    )
    expect(taskOf(refused, 'T3').why).toBe(
      `left-pud is missing, and is not installed: ${registry.url} has no package left-pud`,
    )
    expect(registry.asked).toEqual(expect.arrayContaining(['left-pad', 'left-pod', 'left-pud']))
    // Asked again once a person has it tried again: the registry may have it for long enough by now.
    registry.ages['left-pud'] = 30
    await client.retryTask({ params: { id: 'packages' }, body: { by: 'ada', task: 'T3' } })
    await fail(daemon, numberOf('T3'), "Cannot find module 'left-pud'")
    await eventually('T3 is offered again', async () => {
      const item = await stateOf(client, numberOf('T3'))
      return item.state === 'backlog' && item.reason?.includes('left-pud 1.0.0') ? item : undefined
    })
    // The same package is installed once; what is missing after that is for a person.
    await fail(daemon, numberOf('T1'), "Cannot find package 'left-pad' imported from a.mjs")
    const stuck = await begun(client, 'packages', ({ failures }) => failures.length === 5)
    expect(stuck.failures.map(({ task, class: kind, decision }) => [task, kind, decision])).toEqual([
      ['T1', 'MISSING_DEPENDENCY', 'INSTALL_AND_RETRY'],
      ['T2', 'MISSING_DEPENDENCY', 'ESCALATE'],
      ['T3', 'MISSING_DEPENDENCY', 'ESCALATE'],
      ['T3', 'MISSING_DEPENDENCY', 'INSTALL_AND_RETRY'],
      ['T1', 'MISSING_DEPENDENCY', 'ESCALATE'],
    ])
  },
)

verifies(
  'AGENT-BUILD-22',
  'a task whose file another one has changed meanwhile is tried again on the newest branch',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'conflict', [
      { id: 'T1', file: 'same.txt' },
      { id: 'T2', file: 'other.txt', phase: 'api' },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    // Both begin on the same commit; the second is still at work while the first lands.
    const second = await begunOn(daemon, numberOf('T2'))
    await play(daemon, numberOf('T1'), { 'same.txt': 'one\n' })
    await landed(client, numberOf('T1'))
    await second.deliver({ 'other.txt': 'two\n', 'same.txt': 'two\n' })
    const again = await begun(client, 'conflict', ({ failures }) => failures.length === 1)
    expect(again.failures[0]).toMatchObject({
      task: 'T2',
      class: 'CONFLICT',
      decision: 'REBASE_AND_RETRY',
      reason: 'Merge conflict detected',
    })
    const item = await eventually('T2 is offered again', async () => {
      const now = await stateOf(client, numberOf('T2'))
      return now.state === 'backlog' && !now.needsHuman ? now : undefined
    })
    expect(item.reason).toContain('Merge conflict detected')
    expect(workspace.git('show', 'build/conflict:same.txt')).toBe('one')
  },
)

verifies(
  [
    'AGENT-BUILD-18',
    'AGENT-BUILD-19',
    'AGENT-BUILD-20',
    'AGENT-BUILD-23',
    'AGENT-BUILD-24',
    'AGENT-BUILD-25',
  ],
  'a syntax error is tried three times and left to a person, a failed validation twice and skipped, and anything else is asked at once',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const build = await start(daemon, 'boundaries', [
      { id: 'T1', file: 'syntax.mjs' },
      { id: 'T2', file: 'validation.mjs' },
      { id: 'T3', file: 'unknown.mjs' },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    const decided = (count: number) =>
      begun(client, 'boundaries', ({ failures }) => failures.length === count)
    for (const attempt of [1, 2, 3]) {
      await fail(daemon, numberOf('T1'), 'SyntaxError: Unexpected token )')
      await decided(attempt)
    }
    for (const attempt of [1, 2]) {
      await failChecks(daemon, numberOf('T2'))
      await decided(3 + attempt)
    }
    await fail(daemon, numberOf('T3'), 'the engine said nothing sensible')
    const now = await decided(6)
    expect(
      now.failures.map(({ task, class: kind, decision, reason }) => [task, kind, decision, reason]),
    ).toEqual([
      ['T1', 'SYNTAX_ERROR', 'RETRY', 'Syntax error - will retry with correction'],
      ['T1', 'SYNTAX_ERROR', 'RETRY', 'Syntax error - will retry with correction'],
      ['T1', 'SYNTAX_ERROR', 'ESCALATE', expect.stringContaining('Syntax error after 3 attempts')],
      ['T2', 'VALIDATION_FAILED', 'RETRY', 'Validation failed - will fix'],
      ['T2', 'VALIDATION_FAILED', 'SKIP', 'Validation failed after 2 attempts'],
      ['T3', 'UNKNOWN', 'ESCALATE', 'Unknown error: the engine said nothing sensible'],
    ])
    expect(
      now.tasks.map(({ id, status, attempts, needsHuman }) => [id, status, attempts, needsHuman]),
    ).toEqual([
      ['T1', 'failed', 3, true],
      ['T2', 'skipped', 2, false],
      ['T3', 'failed', 1, true],
    ])
    expect(now.status).toBe('running')
  },
)

test('a specification that is edited while it is built: the build says what differs, and a newer one takes its place when it is approved', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const build = await start(daemon, 'edited', [{ id: 'T1', file: 'a.txt' }])
  const spec = await client.showSpecification({ params: { id: 'edited' } })
  const text = (await client.specificationDocument({ params: { id: 'edited' } })).tasks
  workspace.write(spec.tasksPath, text.replaceAll('a.txt', 'changed.txt'))
  const newer = await client.showSpecification({ params: { id: 'edited' } })
  expect(newer.revision).toBe(spec.revision + 1)
  const edited = await begun(client, 'edited', (now) => now.edited !== null)
  expect(edited).toMatchObject({ id: build.id, status: 'running', revision: spec.revision })
  expect(edited.edited?.difference.join('\n')).toContain('+validation: "test -s changed.txt"')
  const told = await eventually('it is told', async () => {
    const { items } = await client.events({ query: { type: 'build.spec_changed' } })
    return items[0]?.event
  })
  expect(told).toMatchObject({ spec: 'edited', revision: newer.revision })
  await client.approveSpecification({
    params: { id: 'edited' },
    body: { by: 'ada', revision: newer.revision },
  })
  const next = await begun(client, 'edited', ({ id, status }) => id !== build.id && status === 'running')
  expect(next).toMatchObject({ branch: 'build/edited-2', revision: newer.revision })
  const old = await client.showBuild({ params: { id: build.id } })
  expect(old).toMatchObject({ status: 'stopped', why: `revision ${newer.revision} was approved` })
  expect(old.tasks[0]?.status).toBe('skipped')
  const refused = { status: 409, message: expect.stringContaining(`revision ${newer.revision} is built`) }
  const params = { id: build.id }
  await expect(client.resumeBuild({ params, body: { by: 'ada' } })).rejects.toMatchObject(refused)
  await expect(client.retryTask({ params, body: { by: 'ada', task: 'T1' } })).rejects.toMatchObject(refused)
})

test('a task that takes away the file of another one is sent back with the reason, and nothing of it lands', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const build = await start(daemon, 'deleted', [
    { id: 'T1', file: 'a.txt' },
    { id: 'T2', file: 'b.txt' },
  ])
  const numberOf = (id: string) => taskOf(build, id).number
  await play(daemon, numberOf('T1'), { 'a.txt': 'one\n' })
  await landed(client, numberOf('T1'))
  await play(daemon, numberOf('T2'), { 'b.txt': 'two\n', 'a.txt': null })
  const back = await eventually('T2 is sent back', async () => {
    const item = await stateOf(client, numberOf('T2'))
    return item.state === 'rework' ? item : undefined
  })
  expect(back.reason).toContain('this is the file of task T1 of the same build')
  expect(workspace.git('show', 'build/deleted:a.txt')).toBe('one')
  await play(daemon, numberOf('T2'), { 'b.txt': 'two\n' })
  await landed(client, numberOf('T2'))
  expect(workspace.git('ls-tree', '--name-only', 'build/deleted').split('\n')).toEqual(
    expect.arrayContaining(['a.txt', 'b.txt']),
  )
})

test('a task that writes an invented package into the manifest is sent back with the reason, and lands without it', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const build = await start(daemon, 'invented', [{ id: 'T1', file: 'a.txt' }])
  const { number } = taskOf(build, 'T1')
  const manifest = (name: string) => `${JSON.stringify({ dependencies: { [name]: '1.0.0' } })}\n`
  for (const name of ['left-pid', 'left-pod']) {
    await play(daemon, number, { 'a.txt': 'one\n', 'package.json': manifest(name) })
    const back = await eventually(`${name} is sent back`, async () => {
      const item = await stateOf(client, number)
      return item.state === 'rework' && item.reason?.includes(name) ? item : undefined
    })
    expect(back.reason).toContain(`${name} is new here, and may not be: ${registry.url} has`)
  }
  await play(daemon, number, { 'a.txt': 'one\n', 'package.json': manifest('left-pad') })
  await landed(client, number)
  expect(workspace.git('show', 'build/invented:package.json')).toContain('left-pad')
})
