// One item for each real program, from claim to delivery, in a workspace that starts nothing without a sandbox: the
// program's turn and every gate are confined. A fresh home, a dummy key and a model on the loopback.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { expect, onTestFinished, test } from 'vitest'
import { announcedDaemon, clearWorkspace, daemonLog, treadle } from '../../scenarios/kit/daemon.ts'
import { eventually } from '../../scenarios/kit/wait.ts'
import { makeWorkspace } from '../../scenarios/kit/workspace.ts'
import { installEngines } from './install.ts'

const { bin } = installEngines()
const DELIVERED_MS = 8 * 60_000
const PATH = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

const files = {
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test.mjs': `import { sum } from './sum.mjs'
if (sum(2, 3) !== 5) process.exit(3)
process.stdout.write('PASS\\n')
`,
}

const engines: Record<string, { settings: object; env(url: string): Record<string, string> }> = {
  'claude-code': {
    settings: { 'claude-code': { model: 'claude-sonnet-4-5', login: 'key', retries: 1 } },
    env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: url }),
  },
  codex: {
    settings: { acp: { model: 'gpt-5-codex' } },
    env: (url) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1` }),
  },
  gemini: {
    settings: { acp: { model: 'gemini-2.5-pro' } },
    env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
  },
  opencode: {
    settings: { acp: { model: 'anthropic/claude-sonnet-4-5' } },
    env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: `${url}/v1` }),
  },
}

test.for(Object.entries(engines))('%s delivers an item inside the sandbox', async ([name, engine]) => {
  const server = await startModelServer({ answer: playScenario })
  onTestFinished(() => server.close())
  const settings = {
    sandbox: { mode: 'required' },
    tests: { command: 'node test.mjs' },
    engines: { default: name, ...engine.settings },
  }
  const workspace = makeWorkspace({ settings: settings as never, files })
  onTestFinished(() => clearWorkspace(workspace))
  const up = ['up', '--detach', '--json', '--agents', '1']
  const started = await treadle(workspace, up, { PATH, ...engine.env(server.url) })
  expect(started.code, started.stderr).toBe(0)
  const { client } = announcedDaemon(workspace, started.stdout)
  await client.addItem({
    body: { title: 'Sums are wrong', body: 'Mend the sum. [[s:edit]]', projectNumber: 1 },
  })
  const show = () => client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
  const delivered = async () => {
    const { item } = await show()
    if (item.state === 'escalated') throw new Error(`${item.reason}\n${daemonLog(workspace).slice(-3_000)}`)
    return item.state === 'in_review' ? item : undefined
  }
  const { headCommit } = await eventually('the item is delivered', delivered, DELIVERED_MS)
  expect(workspace.git('show', `${headCommit}:sum.mjs`)).toContain('a + b')
  expect(server.requests.length).toBeGreaterThan(0)
  const { events } = await show()
  expect(
    events.flatMap(({ event }) => (event.type === 'run.observed' ? [event.observation.tool] : [])),
  ).not.toEqual([])
  expect(existsSync(join(workspace.root, 'sum.mjs'))).toBe(true)
})
