// A workspace with one real program as its engine, a fresh home, a dummy key and a model on the loopback.
import { dirname } from 'node:path'
import type { ItemState } from '@treadle/contracts/item'
import type { ModelReply, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { expect, onTestFinished } from 'vitest'
import { installEngines } from '../../tools/engines/install.ts'
import { agentOf } from './agents.ts'
import { announcedDaemon, clearWorkspace, daemonLog, treadle } from './daemon.ts'
import { kill, waitGone } from './processes.ts'
import { eventually } from './wait.ts'
import { makeWorkspace } from './workspace.ts'

const { bin } = installEngines()
/** For what hangs: a program starts slowly on a busy machine. */
const PATIENCE_MS = 10 * 60_000
const PATH = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

/** With which key each program reaches the model. Which model it asks is left to it, as a user would leave it. */
export const PROGRAMS: Readonly<Record<string, { env(url: string): Record<string, string> }>> = {
  'claude-code': { env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: url }) },
  codex: { env: (url) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1` }) },
  gemini: { env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }) },
  opencode: { env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: `${url}/v1` }) },
}

const FILES = {
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test.mjs': `import { sum } from './sum.mjs'
if (sum(2, 3) !== 5) process.exit(3)
process.stdout.write('PASS\\n')
`,
}

/** A repository in which several can add something at once, and whose tests are what was added. */
export const GROWING = {
  'test.mjs': `import { readdirSync } from 'node:fs'
for (const file of readdirSync('.').filter((name) => name.endsWith('.check.mjs'))) await import('./' + file)
process.stdout.write('PASS\\n')
`,
}

export interface CrewGiven {
  readonly agents?: number
  readonly sandbox?: 'required' | 'off'
  readonly limits?: Readonly<Record<string, number>>
  /** Dollars for a million tokens, by model: on the loopback nothing costs anything unless told. */
  readonly prices?: Readonly<Record<string, { readonly inputUSD: number; readonly outputUSD: number }>>
  /** The repository; one with a wrong sum unless told. */
  readonly files?: Readonly<Record<string, string>>
  /** Deliveries are read by the same program. */
  readonly isReviewed?: boolean
  readonly answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>
}

/** Its daemon is up, with as many agents as are wanted; all of it is gone when the test is over. */
export async function crewOf(name: string, given: CrewGiven) {
  const program = PROGRAMS[name]
  if (program === undefined) throw new Error(`there is no program ${name}`)
  const server = await startModelServer({ answer: given.answer })
  onTestFinished(() => server.close())
  const settings = {
    sandbox: { mode: given.sandbox ?? 'required' },
    tests: { command: 'node test.mjs' },
    limits: given.limits ?? {},
    ...(given.isReviewed === true
      ? { merge: { approval: 'reviewer', needs: 'supported', target: 'main' } }
      : {}),
    engines: {
      default: name,
      reviewer: given.isReviewed === true ? name : null,
      'claude-code': { login: 'key' },
      prices: given.prices ?? {},
    },
  }
  const workspace = makeWorkspace({ settings: settings as never, files: given.files ?? FILES })
  onTestFinished(() => clearWorkspace(workspace))
  const up = async () => {
    const args = ['up', '--detach', '--json', '--agents', String(given.agents ?? 1)]
    const started = await treadle(workspace, args, { PATH, ...program.env(server.url) })
    expect(started.code, started.stderr).toBe(0)
    return announcedDaemon(workspace, started.stdout)
  }
  let daemon = await up()
  /** Kill -9 of the daemon, and another one in its place. */
  const killDaemon = async () => {
    kill(daemon.pid)
    await waitGone(daemon.pid)
    daemon = await up()
  }
  /** Kill -9 of an agent, with all that it has started. */
  const killAgent = async () => {
    const { pid } = await agentOf(daemon)
    if (pid === null) throw new Error('the agent has no process')
    kill(pid)
    await waitGone(pid)
  }
  const show = (issueNumber: number) => daemon.client.showItem({ params: { projectNumber: 1, issueNumber } })
  const add = (scenario: string) =>
    daemon.client.addItem({
      body: { title: 'Sums are wrong', body: `Mend the sum. [[s:${scenario}]]`, projectNumber: 1 },
    })
  const until = (number: number, state: ItemState) =>
    eventually(
      `#${number} is ${state}`,
      async () => {
        const shown = await show(number)
        const { state: found, reason } = shown.item
        if (found === 'escalated' && state !== 'escalated')
          throw new Error(`#${number} needs a person: ${reason}\n${daemonLog(workspace).slice(-2_000)}`)
        return found === state ? shown : undefined
      },
      PATIENCE_MS,
    )
  /** A person reads what was delivered, and it is merged. */
  const merged = async (number: number) => {
    await until(number, 'in_review')
    await daemon.client.approveItem({ params: { projectNumber: 1, issueNumber: number }, body: {} })
    return until(number, 'done')
  }
  return {
    server,
    workspace,
    client: () => daemon.client,
    show,
    add,
    until,
    merged,
    killDaemon,
    killAgent,
  }
}

export type Crew = Awaited<ReturnType<typeof crewOf>>
