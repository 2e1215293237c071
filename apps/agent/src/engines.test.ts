// Whoever works or reviews is told how to ask: what really reaches a model and a program.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@treadle/contracts/config'
import { workspacePaths } from '@treadle/contracts/workspace'
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { TEST_PATH, taskOf } from '@treadle/engines/testing/native'
import type { Engine } from '@treadle/flow/ports/engine'
import { QUESTIONING_MODULE } from '@treadle/questions/module'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { engineOf, reviewEngineOf } from './engines.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engines-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function ask(engine: Engine, readOnly: boolean): Promise<void> {
  const session = await engine.open({
    cwd: folder,
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    readOnly,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  await session.prompt(taskOf('Look'))
  await session.stop(0)
}

verifies(
  'AGENT-QUESTION-41',
  'the system prompt of a builder and of a reviewer holds the questioning module, whichever engine it is',
  async () => {
    const server = await startModelServer({ answer: () => ({ text: 'Done.' }) })
    const program = join(folder, 'claude')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${folder}/told\n`)
    chmodSync(program, 0o755)
    const native = { provider: 'openai-compatible', baseURL: server.url }
    const engines = { default: 'native', reviewer: 'native', sandbox: 'off', native }
    const claude = { 'claude-code': { command: program, login: 'own' } }
    const command = { run: `cat "$TREADLE_PROMPT_FILE" >> ${folder}/told` }
    const config = Config.parse({
      merge: { approval: 'reviewer' },
      engines: { ...engines, ...claude, command },
    })
    const choice = { config, paths: workspacePaths(folder), id: 'agent-1', memory: null }
    try {
      await ask(engineOf(choice), false)
      await ask(reviewEngineOf(choice), true)
      expect(server.requests.map(({ system }) => system.includes(QUESTIONING_MODULE))).toEqual([true, true])
    } finally {
      await server.close()
    }
    for (const name of ['claude-code', 'command']) {
      writeFileSync(join(folder, 'told'), '')
      await ask(engineOf(choice, name), false)
      expect([name, readFileSync(join(folder, 'told'), 'utf8')]).toEqual([
        name,
        expect.stringContaining(QUESTIONING_MODULE),
      ])
    }
  },
)

verifies(
  'ORCH-S5-25',
  'where no model is named, those who build and those who review ask the current Sonnet; a stronger one can be chosen',
  async () => {
    const server = await startModelServer({ answer: () => ({ text: 'Done.' }) })
    const asked = async (chosen: Record<string, string>) => {
      const native = { provider: 'openai-compatible', baseURL: server.url }
      const models = { native: chosen }
      const engines = { default: 'native', reviewer: 'native', sandbox: 'off', native, models }
      const config = Config.parse({ merge: { approval: 'reviewer' }, engines })
      const choice = { config, paths: workspacePaths(folder), id: 'agent-1', memory: null }
      await ask(engineOf(choice), false)
      await ask(reviewEngineOf(choice), true)
      return server.requests.slice(-2).map(({ model }) => model)
    }
    try {
      expect(await asked({})).toEqual(['claude-sonnet-5', 'claude-sonnet-5'])
      expect(await asked({ default: 'claude-opus-5-5' })).toEqual(['claude-opus-5-5', 'claude-opus-5-5'])
    } finally {
      await server.close()
    }
  },
)
