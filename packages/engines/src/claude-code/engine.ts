// Claude Code: the user's own program, spoken to over its standard input and output.
import type { Capabilities, Engine, Probed } from '@treadle/flow/ports/engine'
import { sandboxNote } from '@treadle/sandbox/note'
import { findProgram, versionOf } from '../external/program.ts'
import { untriedNote } from '../external/tried.ts'
import { ClaudeCodeSession } from './session.ts'
import { type ClaudeCodeSettings, hasKey, loginOf } from './settings.ts'

const can: Capabilities = {
  denyMessage: true,
  editInput: true,
  forms: true,
  structured: true,
  budget: true,
  maxTurns: true,
  cost: true,
  toolOutput: true,
  retries: true,
  resume: true,
  steer: true,
  pause: true,
}

const INSTALL = 'npm install -g @anthropic-ai/claude-code, or set engines.claude-code.command in treadle.json'
const KEY = 'set ANTHROPIC_API_KEY, or engines.claude-code.login to own'

export function openClaudeCode(settings: ClaudeCodeSettings): Engine {
  return {
    id: 'claude-code',
    takes: 'groups',
    can,
    probe: () => probe(settings),
    async open(options) {
      return new ClaudeCodeSession(settings, options)
    },
  }
}

async function probe(settings: ClaudeCodeSettings): Promise<Probed> {
  const { command, env, access, sandbox: mode } = settings
  const program = findProgram(command, env.PATH ?? '')
  if (program === null) return { is: 'unusable', why: `There is no program ${command}.`, hint: INSTALL }
  const versioned = await versionOf(program, env)
  if (versioned.is === 'broken')
    return { is: 'unusable', why: `${program} does not work: ${versioned.why}`, hint: INSTALL }
  const login = loginOf(settings)
  if (login === 'key' && !hasKey(access)) return { is: 'unusable', why: 'There is no key.', hint: KEY }
  const sandbox = await sandboxNote(mode)
  if (sandbox.is === 'unusable') return sandbox
  const paid = login === 'key' ? 'with a key' : 'with the login of this user, which is not checked'
  const version = `${versioned.version}${untriedNote('claude-code', versioned.version)}`
  return { is: 'usable', note: `Claude Code ${version}, ${paid}, ${sandbox.note}` }
}
