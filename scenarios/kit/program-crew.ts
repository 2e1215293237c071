// A workspace with one real program as its engine, a fresh home, a dummy key and a model on the loopback.
import { dirname } from 'node:path'
import type { ModelReply, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { expect, onTestFinished } from 'vitest'
import { installEngines } from '../../tools/engines/install.ts'
import { announcedDaemon, clearWorkspace, treadle } from './daemon.ts'
import { makeWorkspace } from './workspace.ts'

const { bin } = installEngines()
const PATH = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

/** What each program is told of the model, and with which key it is reached. */
export const PROGRAMS: Readonly<Record<string, { model: string; env(url: string): Record<string, string> }>> =
  {
    'claude-code': {
      model: 'claude-sonnet-4-5',
      env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: url }),
    },
    codex: {
      model: 'gpt-5-codex',
      env: (url) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1` }),
    },
    gemini: {
      model: 'gemini-2.5-pro',
      env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
    },
    opencode: {
      model: 'anthropic/claude-sonnet-4-5',
      env: (url) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: `${url}/v1` }),
    },
  }

const FILES = {
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test.mjs': `import { sum } from './sum.mjs'
if (sum(2, 3) !== 5) process.exit(3)
process.stdout.write('PASS\\n')
`,
}

export interface CrewGiven {
  readonly agents?: number
  readonly sandbox?: 'required' | 'off'
  readonly limits?: Readonly<Record<string, number>>
  readonly answer: (request: ModelRequest) => ModelReply
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
    engines: {
      default: name,
      'claude-code': { login: 'key', retries: 1 },
      models: { [name]: { default: program.model } },
    },
  }
  const workspace = makeWorkspace({ settings: settings as never, files: FILES })
  onTestFinished(() => clearWorkspace(workspace))
  const up = ['up', '--detach', '--json', '--agents', String(given.agents ?? 1)]
  const started = await treadle(workspace, up, { PATH, ...program.env(server.url) })
  expect(started.code, started.stderr).toBe(0)
  const { client } = announcedDaemon(workspace, started.stdout)
  const show = (issueNumber: number) => client.showItem({ params: { projectNumber: 1, issueNumber } })
  const add = (scenario: string) =>
    client.addItem({
      body: { title: 'Sums are wrong', body: `Mend the sum. [[s:${scenario}]]`, projectNumber: 1 },
    })
  return { server, workspace, client, show, add }
}
