// `treadle demo --night`: a repository that nobody touches gets better by itself, without a model.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import { SurveyReport } from '@treadle/contracts/survey'
import { workspacePaths } from '@treadle/contracts/workspace'
import { readAgentProgram, SURVEY_MAIN } from '../agent-program.ts'
import { callerName } from '../caller-name.ts'
import type { Running } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { paint, print, printJson } from '../output.ts'
import { showLive } from '../print-events.ts'
import { listing } from '../terminal/listing.ts'
import { NIGHT_FILES } from './night-files.ts'
import { makeRepository, testCommand } from './sample.ts'

export const NIGHT_SAID = [
  'Its tests are green, and much in it is not as it should be: a package that nothing uses, dead code, a command in the README that does not exist, files that import each other.',
  'No model is asked and no key is needed: surveys look at the repository, and the engine mend puts right what a program can put right. Each change is measured: bad before it, good after it, and the tests as green as before.',
] as const

const POLL_MS = 500
/** A machine that is busy with other things takes several times as long as an idle one. */
const WHOLE_MS = 10 * 60_000

export function makeNight(root: string, node: string): void {
  makeRepository(root, {
    files: NIGHT_FILES,
    message: 'A small till',
    settings: {
      merge: { approval: 'checks', target: 'main' },
      tests: { command: testCommand(node), timeoutMs: 60_000 },
      engines: { default: 'repair' },
      flags: { enable_ideation: true },
      ideas: { perCategoryPerDay: 20 },
      limits: { pollMs: 250, sweepMs: 500, restartsPerHour: 4 },
    },
  })
}

export interface NightDemo {
  readonly env: CliEnv
  readonly running: Running
  readonly root: string
  readonly agents: number
  readonly started: number
  readonly signal: AbortSignal
}

interface Night {
  /** What surveys found before anybody did anything. */
  readonly found: SurveyReport
  /** What they find now. */
  readonly left: SurveyReport
  readonly items: readonly Item[]
  /** False: it was interrupted, or took too long. */
  readonly isOver: boolean
}

/** True: all that a program can put right was merged. */
export async function playNight(demo: NightDemo, { json = false }: { json?: boolean }): Promise<boolean> {
  const { running, agents, started } = demo
  const live = showLive(running, 0)
  let night: Night
  try {
    const found = await survey(demo)
    await running.client.startAgents({ body: { count: agents, by: callerName() } })
    const signal = AbortSignal.any([demo.signal, AbortSignal.timeout(WHOLE_MS)])
    const isOver = await untilNothingIsLeft(running.client, signal)
    const { items } = await running.client.listItems()
    night = { found, left: await survey(demo), items, isOver }
  } finally {
    live.stop()
  }
  const ok = night.isOver && night.left.findings.every(({ mendable }) => !mendable)
  const durationMs = Math.round(performance.now() - started)
  if (json) printJson(document(demo, night, { ok, durationMs }))
  else printNight(demo, night, durationMs)
  return ok
}

async function survey({ env, root }: NightDemo): Promise<SurveyReport> {
  const { stdout } = await readAgentProgram(env, SURVEY_MAIN, { repository: root, all: true })
  return SurveyReport.parse(JSON.parse(stdout))
}

/** False: it was called off before. */
async function untilNothingIsLeft(client: Client, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const [{ items }, { items: categories }, next] = await Promise.all([
      client.listItems(),
      client.listCategories(),
      client.nextCategory(),
    ])
    const isIdle = items.every(
      (item) => item.status === 'done' || item.state === 'withdrawn' || item.needsHuman,
    )
    const isLooking = categories.some(({ off }) => off?.why === 'under_way')
    if (isIdle && !isLooking && next.category === null) return true
    if (signal.aborted) return false
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

function document(
  { root, running }: NightDemo,
  { found, left, items }: Night,
  { ok, durationMs }: { readonly ok: boolean; readonly durationMs: number },
) {
  return {
    ok,
    durationMs,
    workspace: root,
    url: running.url,
    found: found.findings.map(({ key, category, mendable }) => ({ key, category, mendable })),
    items: items.map(({ number, title, state, reason, measure, mergeCommit, engine }) => ({
      number,
      title,
      state,
      reason,
      engine,
      measure: measure?.command ?? null,
      mergeCommit,
    })),
    left: left.findings.map(({ key, category, mendable }) => ({ key, category, mendable })),
  }
}

function printNight({ root }: NightDemo, { found, left, items, isOver }: Night, durationMs: number): void {
  const merged = items.filter(({ state }) => state === 'done')
  const rows = items.map(({ number, title, state, reason }) => [
    `#${number}`,
    state === 'done' ? 'merged' : state,
    title,
    reason ?? '',
  ])
  print(`\n${paint('bold', 'What was put right')}`)
  print(listing(['ITEM', 'STATE', 'WHAT', 'WHY'], rows, { drop: ['WHY'] }))
  if (left.findings.length > 0) {
    print(`\n${paint('bold', 'What is left for an engine that can write code, or for you')}`)
    const leftRows = left.findings.map(({ category, title }) => [category, title])
    print(listing(['CATEGORY', 'WHAT'], leftRows))
  }
  print(
    `\n${found.findings.length} findings; ${merged.length} put right and merged in ${Math.round(durationMs / 1_000)} s, ${left.findings.length} left.`,
  )
  if (!isOver) print(paint('yellow', 'It was called off before it was over.'))
  const [last] = merged.toReversed()
  if (last?.mergeCommit != null)
    print(
      `Each merge can be checked by anybody: cd ${root} && treadle verify ${last.mergeCommit.slice(0, 12)}`,
    )
  print(`Look at the result: git -C ${workspacePaths(root).root} log --stat`)
}
