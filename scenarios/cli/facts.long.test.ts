// What the commands print: JSON for programs and nothing beside it, plain lines when it is no terminal.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@treadle/contracts/agent'
import type { Item } from '@treadle/contracts/item'
import type { ImprovementMetric } from '@treadle/contracts/metrics'
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Asked } from '@treadle/contracts/routes/questions'
import type { Run } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { cleanEnv } from '../env.ts'
import { type CommandOptions, LAUNCHER, run } from '../kit/command.ts'
import type { Daemon, Ended } from '../kit/daemon.ts'
import { addRepair, moduleOf, repair, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const sharedShop = useShops('file')
let opened: Promise<Daemon> | null = null

/** One crew that has merged item 1 and escalated item 2. */
function crew(): Promise<Daemon> {
  opened ??= (async () => {
    const workspace = sharedShop({ scripts: [[[repair(1)]], [[{ lie: { text: 'Done.' } }]]] })
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1, { body: 'It is wrong.', acceptance: ['It is right'] })
    await addRepair(daemon, 2)
    await until(daemon, 1, 'done')
    await until(daemon, 2, 'escalated')
    return daemon
  })()
  return opened
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there.
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/

async function printed(
  workspace: Workspace,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  const ended = await run(workspace, args, options)
  expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({ args, code: 0, stderr: '' })
  expect(ended.stdout).not.toMatch(CONTROL)
  return ended
}

test('up twice gives the same daemon, add prints what was added, down ends it', async () => {
  // Confined, as by default: else it would be warned of.
  const workspace = shop({ scripts: [], settings: { sandbox: { mode: 'auto', show: [] } } })
  const first = await told<Record<string, unknown>>(workspace, 'up', '--detach', '--agents', '0')
  expect(Object.keys(first)).toEqual(['url', 'token', 'pid'])
  expect(await told(workspace, 'up', '--detach', '--agents', '0')).toEqual(first)
  expect(await told<Agent[]>(workspace, 'agent')).toEqual([])
  expect((await printed(workspace, ['agent'])).stdout).toBe('No agents. Start some: treadle up --agents 2\n')
  expect((await printed(workspace, ['list'])).stdout).toContain('No items. Add one: treadle add')
  expect((await printed(workspace, ['review'])).stdout).toBe('Nothing waits for review.\n')
  const asJson = await printed(workspace, [
    'add',
    'First',
    '--body',
    'why',
    '--accept',
    'a',
    '--accept',
    'b',
    '--json',
  ])
  expect(JSON.parse(asJson.stdout)).toEqual({
    projectNumber: 1,
    number: 1,
    title: 'First',
    status: 'todo',
    parent: null,
    dependsOn: [],
    blockedBy: [],
    specTask: null,
    target: null,
  })
  expect((await printed(workspace, ['add', 'Second', '--backlog'])).stdout).toBe('Added #2 Second\n')
  await printed(workspace, ['add', 'Third', '--body-file', '-', '--label', 'bug', '--test', 'true'], {
    input: 'typed\n',
  })
  await printed(workspace, ['add', 'Fourth', '--body-file', 'README.md', '--priority', '0', '--project', '2'])
  const items = await told<Item[]>(workspace, 'list')
  expect(
    items.map(({ projectNumber, number, status, body }) => [projectNumber, number, status, body]),
  ).toEqual([
    [1, 1, 'todo', 'why'],
    [1, 2, 'backlog', ''],
    [1, 3, 'todo', 'typed\n'],
    [2, 1, 'todo', '# Sample\n'],
  ])
  expect(items[0]?.acceptance.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(items[2]).toMatchObject({ labels: ['bug'], testCommand: 'true' })
  expect(items[3]?.priority).toBe(0)
  expect((await told<Item[]>(workspace, 'list', '--status', 'backlog')).map(({ number }) => number)).toEqual([
    2,
  ])
  const missing = await run(workspace, ['add', 'Fifth', '--body-file', 'gone.md'])
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toContain('gone.md cannot be read.')
  const empty = await run(workspace, ['add', '  '])
  expect(empty).toMatchObject({ code: 2, stdout: '' })
  expect(empty.stderr).toMatch(/title/)

  const words = (await printed(workspace, ['up', '--detach'])).stdout
  expect(words).toContain(`Already running (process ${first.pid}). Dashboard: ${first.url}/#token=`)
  expect((await printed(workspace, ['down'])).stdout).toBe('Stopped.\n')
  expect((await printed(workspace, ['down'])).stdout).toBe('Nothing was running.\n')
  expect(await told(workspace, 'status')).toEqual({ running: false, workspace: workspace.root })
  expect((await printed(workspace, ['status'])).stdout).toContain('Start with: treadle up')
})

test('items, runs, agents and the whole state, for people and for programs', async () => {
  const { workspace } = await crew()
  const list = (await printed(workspace, ['list'])).stdout
  expect(list).toMatch(/^#1\tDone\tRepair module 1\t/m)
  expect(list).toMatch(/^#2\tNeeds you\t.*the engine changed nothing/m)
  const shown = await told<{ item: Item; runs: Run[] }>(workspace, 'show', '1')
  expect(shown.item).toMatchObject({ number: 1, state: 'done', branch: 'agent-1/project-1' })
  const show = (await printed(workspace, ['show', '#1'])).stdout
  for (const words of ['It is wrong.', '[ ] It is right', 'agent-1/project-1', shown.item.mergeCommit ?? '?'])
    expect(show).toContain(words)
  const history = await told<Run>(workspace, 'history', '1')
  expect(history).toEqual(shown.runs[0])
  expect((await told<Run>(workspace, 'history', history.id)).id).toBe(history.id)
  const phases = (await printed(workspace, ['history', '1'])).stdout
  expect(phases).toContain('success')
  expect(phases).toContain(`sh test.sh ${moduleOf(1)}`)
  const agents = (await printed(workspace, ['agent'])).stdout
  expect(agents).toMatch(/^agent-1\tidle\thealthy/m)
  const status = await told<{ agents: Agent[]; items: Item[] }>(workspace, 'status')
  expect(status).toMatchObject({
    running: true,
    workspace: workspace.root,
    target: 'main',
    approval: 'checks',
  })
  expect(status.agents).toHaveLength(1)
  expect(status.items).toHaveLength(2)
  const words = (await printed(workspace, ['status'])).stdout
  for (const part of [workspace.root, 'merges into main', 'agent-1', 'Repair module 2'])
    expect(words).toContain(part)
})

test('a script asks a question that is answered as any other, and what was measured of runs is listed', async () => {
  const { workspace } = await crew()
  const asking = ['questions', 'ask', 'Which port?', '--option', '80', '--option', '8080', '--from', 'deploy']
  const { question } = await told<z.infer<typeof Asked>>(workspace, ...asking, '--item', '1')
  expect(question).toMatchObject({ agent: 'deploy', type: 'confirming', status: 'open', text: 'Which port?' })
  expect((await printed(workspace, ['questions'])).stdout).toContain('Which port?')
  const answered = await told<QuestionRecord>(workspace, 'answer', String(question?.number), '8080')
  expect(answered).toMatchObject({ status: 'answered', answer: { text: '8080' } })
  const unknown = await run(workspace, ['questions', 'ask', 'What?', '--item', '99'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no item #99')])

  const recorded = await eventually('two looks back', async () => {
    const found = await told<ImprovementMetric[]>(workspace, 'metrics', '--recorded')
    return new Set(found.map(({ runId }) => runId)).size === 2 ? found : undefined
  })
  expect(recorded.filter(({ metric }) => metric === 'first_pass_success').map(({ value }) => value)).toEqual([
    0, 1,
  ])
  expect((await printed(workspace, ['metrics', '1', '--recorded'])).stdout).toContain('first pass success')
})

test('times are those of the reader, and a reader who has enough is no error', async () => {
  const { workspace, client } = await crew()
  const { events } = await client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
  const there = new Date(Date.parse(events[0]?.at ?? '') + 5.5 * 3_600_000).toISOString().slice(11, 19)
  const show = await printed(workspace, ['show', '1'], { added: { TZ: 'Asia/Kolkata' } })
  expect(show.stdout).toContain(`${there}  #1 was added`)

  const pipe = '"$0" "$1" show 1 2>../home/said | true'
  const options = { cwd: workspace.root, env: cleanEnv(workspace.home), stdio: 'pipe' } as const
  execFileSync('sh', ['-c', pipe, process.execPath, LAUNCHER], options)
  expect(readFileSync(join(workspace.home, 'said'), 'utf8')).toBe('')
})

test('what is not there is said in one sentence, with what to do', async () => {
  const { workspace } = await crew()
  const cases: readonly (readonly [string[], string])[] = [
    [['show', '99'], 'There is no item #99 in project 1.'],
    [['history', '99'], 'There is no item #99 in project 1.'],
    [['history', '00000000-0000-4000-8000-000000000000'], 'There is no run'],
    [['agent', 'pause', '9'], 'There is no agent-9.'],
    [['review', 'approve', '2'], 'is escalated and has no delivery that could be approved'],
    [['release', '1'], 'the item is done'],
  ]
  for (const [args, sentence] of cases) {
    const ended = await run(workspace, args)
    expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(ended.stderr).toContain(sentence)
    expect(ended.stderr.trim().split('\n')).toHaveLength(2)
  }
})

test('doctor looks at everything and says what is missing', async () => {
  const { workspace } = await crew()
  const found = await told<{ ok: boolean; findings: { what: string; is: string }[] }>(workspace, 'doctor')
  expect(found.ok).toBe(true)
  expect(found.findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['Node', 'git', 'daemon', 'repository', 'store', 'engine repair', 'sandbox']),
  )
  expect((await printed(workspace, ['doctor'])).stdout).toContain('store embedded')
})

test('the workspace is found from a folder inside it, and by TREADLE_WORKSPACE', async () => {
  const { workspace } = await crew()
  const inside = join(workspace.root, 'src/deep')
  mkdirSync(inside, { recursive: true })
  const args = ['status', '--json']
  for (const options of [
    { cwd: inside },
    { cwd: workspace.home, added: { TREADLE_WORKSPACE: workspace.root } },
  ]) {
    const status = JSON.parse((await printed(workspace, args, options)).stdout) as { workspace: string }
    expect(status.workspace).toBe(workspace.root)
  }
})
