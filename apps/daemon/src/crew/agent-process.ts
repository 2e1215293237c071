// Starts the process of one agent, with its log and its mark.
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AGENT_MARK } from '@treadle/contracts/child-env'
import type { AgentId } from '@treadle/contracts/ids'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { messageOf } from '@treadle/flow/fault'
import { type ProcessId, startOf } from '@treadle/process/table'
import { markOf } from './processes.ts'

const AGENT_MAIN = fileURLToPath(new URL('../../../agent/src/main.ts', import.meta.url))
/** Agents start often; what one has compiled the next one reads. */
const COMPILED = fileURLToPath(new URL('../../../../.cache/compile', import.meta.url))
/** An agent's surroundings, which nothing that it starts is told of; its threads share two pools of memory. */
const SPARING = { NODE_COMPILE_CACHE: COMPILED, MALLOC_ARENA_MAX: '2' }
const TAIL_BYTES = 2_048
/** An agent mostly waits: young objects get 4 MB instead of 16, which nobody notices but the machine's memory. */
const NODE_FLAGS = ['--max-semi-space-size=4']

export interface SpawnDeps {
  readonly paths: WorkspacePaths
  readonly childEnv: Readonly<Record<string, string>>
  /** The Node that runs the agents. */
  readonly node: string
}

export type Spawned =
  | { readonly is: 'started'; readonly process: ProcessId }
  | { readonly is: 'failed'; readonly why: string }

export async function spawnAgent(
  { paths, childEnv, node }: SpawnDeps,
  id: AgentId,
  onExit: (how: string) => void,
): Promise<Spawned> {
  let out: number | null = null
  try {
    mkdirSync(paths.logs, { recursive: true })
    out = openSync(`${paths.logs}/${id}.log`, 'a')
    const child = spawn(node, [...NODE_FLAGS, AGENT_MAIN, '--workspace', paths.root, '--id', id], {
      cwd: paths.root,
      detached: true,
      stdio: ['ignore', out, out],
      env: { ...childEnv, ...SPARING, [AGENT_MARK]: markOf(id, paths.root) },
    })
    // Before anything is awaited: as long as nobody has collected it, its number is its own.
    const started = child.pid === undefined ? null : startOf(child.pid)
    child.on('exit', (code, signal) => onExit(signal ?? `exit code ${code}`))
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.unref()
    return { is: 'started', process: { pid: child.pid ?? 0, started: started ?? 'gone' } }
  } catch (error) {
    return { is: 'failed', why: `its process could not be started: ${messageOf(error)}` }
  } finally {
    if (out !== null) closeSync(out)
  }
}

/** The end of the agent's log, so that whoever reads of its end need not go and look. */
export function lastWords(paths: WorkspacePaths, id: AgentId): string {
  const line = tailOf(`${paths.logs}/${id}.log`).trim().split('\n').at(-1) ?? ''
  return line === '' ? '' : `; its log ends: ${line.slice(0, 500)}`
}

function tailOf(file: string): string {
  let fd: number | null = null
  try {
    fd = openSync(file, 'r')
    const buffer = Buffer.alloc(TAIL_BYTES)
    const read = readSync(fd, buffer, 0, TAIL_BYTES, Math.max(0, fstatSync(fd).size - TAIL_BYTES))
    return buffer.toString('utf8', 0, read)
  } catch {
    // No log, no last words.
    return ''
  } finally {
    if (fd !== null) closeSync(fd)
  }
}
