// A repository whose tests are a shell script that takes milliseconds, and a script for the engine per item.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CURSOR_START, type StoredEvent } from '@treadle/contracts/event'
import type { Item, NewItem } from '@treadle/contracts/item'
import { SessionFile } from '@treadle/contracts/session-file'
import { afterAll, onTestFinished, TestRunner, vi } from 'vitest'
import { announcedDaemon, clearWorkspace, type Daemon, daemonLog, treadle } from './daemon.ts'
import { readOrEmpty } from './processes.ts'
import { eventually } from './wait.ts'
import { makeWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

export type Step = Readonly<Record<string, Readonly<Record<string, unknown>>>>
export type Attempts = readonly (readonly Step[])[]

/** TAP from a shell: a module is right when it says so and says nothing else. */
export const TEST_SCRIPT = `echo 'TAP version 13'
n=0
for file in \${1:-src/*.txt}; do
  n=$((n + 1))
  if grep -q '^state: right$' "$file" && ! grep -q 'state: wrong' "$file"; then echo "ok $n - $file"; else echo "not ok $n - $file"; failed=1; fi
done
echo "1..$n"
exit \${failed:-0}
`

export function moduleOf(n: number): string {
  return `src/module-${String(n).padStart(2, '0')}.txt`
}

export function titleOf(n: number): string {
  return `Repair module ${n}`
}

export function moduleText(n: number, state: 'right' | 'wrong'): string {
  return `module ${n}\nstate: ${state}\n`
}

export function repair(n: number): Step {
  return { edit: { file: moduleOf(n), find: 'state: wrong', replace: 'state: right' } }
}

/** The engine waits until the test lets it go on; it stands in a worktree, four folders below the home's parent. */
export function hold(name: string): Step {
  return { run: { command: `while [ ! -e ../../../../home/${name} ]; do sleep 0.2; done` } }
}

export function letGo({ home }: Workspace, name: string): void {
  writeFileSync(join(home, name), '')
}

export interface ShopOptions {
  /** What the engine does for item 1, 2, …, attempt by attempt. */
  readonly scripts: readonly Attempts[]
  /** Modules that are right from the start. */
  readonly right?: readonly number[]
  readonly settings?: WorkspaceOptions['settings']
  readonly files?: Readonly<Record<string, string>>
}

export function makeShop({ scripts, right = [], settings = {}, files = {} }: ShopOptions): Workspace {
  const modules = scripts.map((_, index) => {
    const n = index + 1
    return [moduleOf(n), moduleText(n, right.includes(n) ? 'right' : 'wrong')]
  })
  const workspace = makeWorkspace({
    files: { 'test.sh': TEST_SCRIPT, ...Object.fromEntries(modules), ...files },
    settings: {
      merge: { approval: 'checks', target: 'main' },
      tests: { command: 'sh test.sh' },
      engines: { default: 'scripted', scripted: { scenario: '../home/scenario.json' } },
      ...settings,
      limits: { pollMs: 100, sweepMs: 300, ...settings.limits },
    },
  })
  const items = scripts.map((attempts, index) => ({ match: { number: index + 1 }, attempts }))
  writeFileSync(join(workspace.home, 'scenario.json'), JSON.stringify({ version: 1, items }))
  return workspace
}

/**
 * Shops that are gone, with all that runs in them, when the test that made them is over. Those that several tests use
 * stay for the file: a daemon that nobody looks at goes on sweeping, and takes its time from the tests after it.
 */
export function useShops(stay: 'test' | 'file' = 'test'): (options: ShopOptions) => Workspace {
  const kept: Workspace[] = []
  // Several processes and many git commands each: a busy machine must not fail them.
  vi.setConfig({ testTimeout: 180_000 })
  afterAll(async () => {
    for (const workspace of kept) await clearWorkspace(workspace)
  })
  return (options) => {
    const workspace = makeShop(options)
    const isInTest = TestRunner.getCurrentTest() !== undefined
    if (stay === 'test' && isInTest) onTestFinished(() => clearWorkspace(workspace))
    else kept.push(workspace)
    return workspace
  }
}

export async function up(workspace: Workspace, agents: number): Promise<Daemon> {
  const ended = await treadle(workspace, ['up', '--detach', '--json', '--agents', String(agents)])
  if (ended.code !== 0) throw new Error(`treadle up ended with ${ended.code}: ${ended.stderr}`)
  return announcedDaemon(workspace, ended.stdout)
}

type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Changes settings of a crew that is there already, and waits until they are in force; agents go by them from their
 * next item on. What is not named stays as it is.
 */
export async function changeSettings({ client, workspace }: Daemon, changes: Sections): Promise<void> {
  const before = JSON.parse(readOrEmpty(workspace.paths.config)) as Sections
  const changed = Object.entries(changes).map(([name, values]) => [name, { ...before[name], ...values }])
  workspace.setConfig({ ...before, ...Object.fromEntries(changed) })
  await eventually('the settings in force', async () => {
    const config = (await client.workspace()).config as unknown as Sections
    const isInForce = Object.entries(changes).every(([name, values]) =>
      Object.entries(values).every(([key, value]) => isDeepStrictEqual(config[name]?.[key], value)),
    )
    return isInForce ? true : undefined
  })
}

/** Runs a command that must succeed, and reads what it printed. */
export async function told<T>(workspace: Workspace, ...args: string[]): Promise<T> {
  const ended = await treadle(workspace, [...args, '--json'])
  if (ended.code !== 0) throw new Error(`treadle ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return JSON.parse(ended.stdout) as T
}

export async function addRepair(
  { client }: Pick<Daemon, 'client'>,
  n: number,
  given: Partial<NewItem> = {},
): Promise<void> {
  const { number } = await client.addItem({
    body: { title: titleOf(n), testCommand: `sh test.sh ${moduleOf(n)}`, ...given },
  })
  if (number !== n) throw new Error(`module ${n} would be repaired by item #${number}`)
}

export async function itemNumber({ client }: Pick<Daemon, 'client'>, n: number): Promise<Item> {
  return (await client.showItem({ params: { projectNumber: 1, issueNumber: n } })).item
}

/** Waits until the item is in one of these states; says where it stands if that does not come. */
export async function until(daemon: Daemon, n: number, ...states: Item['state'][]): Promise<Item> {
  try {
    return await eventually(
      `#${n} ${states.join(' or ')}`,
      async () => {
        const item = await itemNumber(daemon, n)
        return states.includes(item.state) ? item : undefined
      },
      150_000,
    )
  } catch (error) {
    const item = await itemNumber(daemon, n)
    const where = `#${n} is ${item.state} (${item.reason ?? ''})`
    throw new Error(`${(error as Error).message}; ${where}\n${daemonLog(daemon.workspace).slice(-2_000)}`)
  }
}

/** Waits until an engine works on the item and has come to its hold. */
export async function untilHolding(daemon: Daemon, n: number): Promise<Item> {
  const item = await until(daemon, n, 'building')
  const place = `${item.claimedByAgentId}-1-${n}`
  await eventually(`an engine in ${place}`, () =>
    readOrEmpty(join(daemon.workspace.paths.worktrees, place, AT_WORK)) === '' ? undefined : true,
  )
  return item
}

export const AT_WORK = 'notes/at-work.txt'

/** Half of a change, a wait that the test ends, and the rest of it. */
export function slowRepair(n: number, name = `go-${n}`): Attempts {
  return [
    [{ write: { file: AT_WORK, text: 'half way\n' } }, hold(name), { delete: { file: AT_WORK } }, repair(n)],
  ]
}

export function session({ paths }: Workspace, agent: number): SessionFile {
  return SessionFile.parse(JSON.parse(readOrEmpty(`${paths.sessions}/agent-${agent}.session`)))
}

/** Items that were merged, by the trailers on the target, oldest first. */
export function mergedOnMain({ git }: Workspace): string[] {
  const format = '%(trailers:key=Item,valueonly,separator=%x2C)'
  const lines = git('log', '--first-parent', '--reverse', '--merges', `--format=${format}`, 'main')
  return lines.split('\n').filter((line) => line !== '')
}

export async function eventsOf({ client }: Pick<Daemon, 'client'>, n: number): Promise<StoredEvent[]> {
  return (await client.showItem({ params: { projectNumber: 1, issueNumber: n } })).events
}

export async function allEvents({ client }: Pick<Daemon, 'client'>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let after = CURSOR_START; ; ) {
    const page = await client.events({ query: { after, limit: 1_000 } })
    if (page.items.length === 0) return events
    events.push(...page.items)
    after = page.cursor
  }
}
