// The whole flow on a sample repository, with no key: real bugs, real tests, real merges.
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Item } from '@treadle/contracts/item'
import { workspacePaths } from '@treadle/contracts/workspace'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { dashboardLink, type Running, startDaemon, stopDaemon } from '../daemon-process.ts'
import { DEMO_IDEA, IDEA_SAID, playIdea } from '../demo/idea-demo.ts'
import { makeIdeaWorkspace } from '../demo/idea-workspace.ts'
import { makeNight, NIGHT_SAID, playNight } from '../demo/night.ts'
import { makeSample, SAMPLE_ITEMS, sampleItem } from '../demo/sample.ts'
import type { CliEnv } from '../env.ts'
import { itemTable } from '../items/item-table.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { showLive } from '../print-events.ts'
import { asCount, json, type Program } from '../program.ts'
import { flowed, terminalColumns } from '../terminal/columns.ts'
import { UserError } from '../user-error.ts'
import { interruption, stayUntil, waitSettled } from './crew.ts'

interface DemoOptions {
  /** True: the sentence that the demo comes with. */
  readonly idea?: string | true
  /** True: the repository that gets better by itself. */
  readonly night?: boolean
  readonly headless?: boolean
  readonly json?: boolean
  readonly agents: number
  readonly dir?: string
}

const ENGINE = 'repair'
const SETTLED_POLL_MS = 1_000
const IDEA_CHARS_MAX = 2_000

export function demoCommands(program: Program): void {
  const { root, env } = program
  root
    .command('demo')
    .option(
      '--idea [sentence]',
      'from an idea to merged code: specification, build, review, merge; a script plays the model',
    )
    .option('--night', 'surveys and mending: a repository gets better by itself, without a model')
    .option('--headless', 'run to the end, then stop')
    .option('--dir <dir>', 'where to make the sample (default: a temporary folder)')
    .addOption(new Option('--agents <n>', 'how many agents').argParser(asCount(10)).default(2))
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await kindOf(options)(env, options)
    })
}

function kindOf({ idea, night }: DemoOptions): (env: CliEnv, options: DemoOptions) => Promise<number> {
  if (idea !== undefined && night === true)
    throw new UserError('--idea and --night are two demos.', 'Give one of them.', 2)
  if (idea !== undefined) return (env, options) => ideaDemo(env, { ...options, idea })
  return night === true ? nightDemo : demo
}

async function demo(env: CliEnv, options: DemoOptions): Promise<number> {
  const started = performance.now()
  const root = placeOf(options)
  makeSample(root, process.execPath)
  const paths = workspacePaths(root)
  tell(paint('bold', 'Treadle demo'))
  tell(`Sample repository with ${SAMPLE_ITEMS.length} items: ${root}`)
  tell(
    `Engine: ${ENGINE}. It searches for small edits that make the failing tests pass; no model is asked and no key is needed.`,
  )
  tell(
    'This workspace has merge.approval = checks: what passes all checks with high confidence is merged automatically.',
  )
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const running = await startDaemon(paths, env, { agents: 0 })
  tell(`Dashboard: ${paint('cyan', await dashboardLink(running))}\n`)
  for (const item of SAMPLE_ITEMS) await running.client.addItem({ body: sampleItem(item, process.execPath) })
  const live = showLive(running, 0)
  await running.client.startAgents({ body: { count: options.agents, by: callerName() } })
  await Promise.race([waitSettled(running.client, SETTLED_POLL_MS), aborted(interrupted.signal)])
  const { items } = await running.client.listItems()
  live.stop()
  process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt)
  const durationMs = Math.round(performance.now() - started)
  const ok = asExpected(items)
  if (options.json)
    printJson({
      engine: ENGINE,
      durationMs,
      ok,
      workspace: root,
      url: running.url,
      items: items.map(summary),
    })
  else {
    print(`\n${itemTable(items)}\n`)
    print(
      `${merged(items)} of ${items.length} items merged in ${Math.round(durationMs / 1_000)} s; the rest wait for a person, with the reason.`,
    )
    print(`Look at the result: git -C ${root} log --graph --oneline`)
  }
  await finish(running, options.headless === true || interrupted.signal.aborted)
  return ok ? 0 : 1
}

async function ideaDemo(env: CliEnv, options: DemoOptions & { idea: string | true }): Promise<number> {
  const started = performance.now()
  const text = ideaOf(options.idea)
  const root = placeOf(options)
  const says = makeIdeaWorkspace(root, text, process.execPath)
  tell(paint('bold', 'Treadle demo: from an idea to merged code'))
  tell(`Empty repository: ${root}`)
  for (const line of IDEA_SAID) tell(flowed(line, { columns: terminalColumns(process.stderr) }))
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const running = await startDaemon(workspacePaths(root), env, { agents: 0 })
  let ok = false
  try {
    tell(`Dashboard: ${paint('cyan', await dashboardLink(running))}\n`)
    const { agents, json = false } = options
    const { signal } = interrupted
    ok = await playIdea({ env, running, root, text, says, agents, started, signal }, { json })
  } finally {
    process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt)
    await finish(running, options.headless === true || interrupted.signal.aborted)
  }
  return ok ? 0 : 1
}

async function nightDemo(env: CliEnv, options: DemoOptions): Promise<number> {
  const started = performance.now()
  const root = placeOf(options)
  makeNight(root, process.execPath)
  tell(paint('bold', 'Treadle demo: a night without a model'))
  tell(`Sample repository: ${root}`)
  for (const line of NIGHT_SAID) tell(flowed(line, { columns: terminalColumns(process.stderr) }))
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const running = await startDaemon(workspacePaths(root), env, { agents: 0 })
  let ok = false
  try {
    tell(`Dashboard: ${paint('cyan', await dashboardLink(running))}\n`)
    const { agents, json = false } = options
    ok = await playNight({ env, running, root, agents, started, signal: interrupted.signal }, { json })
  } finally {
    process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt)
    await finish(running, options.headless === true || interrupted.signal.aborted)
  }
  return ok ? 0 : 1
}

function ideaOf(given: string | true): string {
  const text = given === true ? DEMO_IDEA : given.trim()
  if (text !== '' && text.length <= IDEA_CHARS_MAX) return text
  throw new UserError(
    text === ''
      ? 'There are no words in it.'
      : `An idea for the demo has at most ${IDEA_CHARS_MAX} characters.`,
    `Say what the idea is, in quotes: treadle demo --idea "${DEMO_IDEA}"`,
    2,
  )
}

function placeOf({ dir }: DemoOptions): string {
  return dir === undefined ? realpathSync(mkdtempSync(join(tmpdir(), 'treadle-demo-'))) : resolve(dir)
}

async function finish(running: Running, isOver: boolean): Promise<void> {
  if (isOver) return stopDaemon(running)
  tell(`\nThe dashboard stays at ${await dashboardLink(running)}\nCtrl-C stops.`)
  await stayUntil(interruption(), running, Date.now())
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}

function merged(items: readonly Item[]): number {
  return items.filter((item) => item.mergeCommit !== null).length
}

/** The demo's expected end: solvable items are merged or wait for a person, the others were escalated with a reason. */
function asExpected(items: readonly Item[]): boolean {
  return (
    items.length === SAMPLE_ITEMS.length &&
    items.every((item) => {
      const solvable = SAMPLE_ITEMS.find((sample) => sample.title === item.title)?.solvable ?? false
      const waits = item.state === 'in_review' && item.confidence?.level === 'low'
      return solvable
        ? item.mergeCommit !== null || waits
        : item.state === 'escalated' && item.reason !== null
    }) &&
    merged(items) > 0
  )
}

function summary({ number, title, status, state, attempts, mergeCommit, reason, approval }: Item) {
  return { number, title, status, state, attempts, mergeCommit, reason, approvedBy: approval?.by ?? null }
}
