// Drives a real crew through the launcher, and looks for what it leaves behind.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, createClient } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import { ownerKeyPlace } from '@treadle/contracts/owner-key'

const run = promisify(execFile)
const LAUNCHER = fileURLToPath(new URL('../../bin/treadle.js', import.meta.url))

export interface Up {
  readonly client: Client
  readonly pid: number
}

export class CrewUnderTest {
  readonly root: string
  readonly agents: number
  readonly env: Record<string, string>

  constructor(root: string, agents: number, env: Record<string, string>) {
    this.root = root
    this.agents = agents
    this.env = env
  }

  async treadle(...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [LAUNCHER, ...args], {
      cwd: this.root,
      env: this.env,
      timeout: 90_000,
    })
    return stdout
  }

  async up(): Promise<Up> {
    const { url, pid } = JSON.parse(
      await this.treadle(
        'up',
        '--detach',
        '--json',
        '--agents',
        String(this.agents),
        '--die-with',
        String(process.pid),
      ),
    )
    const { file } = ownerKeyPlace(this.env, this.env.HOME ?? '')
    return { client: createClient({ url, token: readFileSync(file, 'utf8').trim() }), pid }
  }

  async down(): Promise<void> {
    await this.treadle('down')
  }

  /** Waits until every item has ended or asks for a person. */
  async settled(up: Up, msMax: number): Promise<Item[]> {
    const until = Date.now() + msMax
    for (;;) {
      const { items } = await up.client.listItems()
      if (items.every((item) => item.status === 'done' || item.needsHuman)) return items
      if (Date.now() > until)
        throw new Error(
          `not settled in ${msMax} ms: ${items.map((item) => `#${item.number} ${item.state} (${item.reason ?? ''})`).join(', ')}`,
        )
      await sleep(100)
    }
  }

  /** Processes whose command line names this workspace. */
  processes(): { pid: number; args: string }[] {
    return everyProcess().filter(({ pid, args }) => args.includes(this.root) && pid !== process.pid)
  }

  /** Of these, the agents themselves. */
  agentPids(): number[] {
    return this.processes().flatMap(({ pid, args }) => (args.includes('agent/src/main.ts') ? [pid] : []))
  }

  /** What plays the engine of an agent. */
  enginePids(): number[] {
    return everyProcess().flatMap(({ pid, args }) =>
      args.includes('scripted/player') && folderOf(pid).startsWith(`${this.root}/`) ? [pid] : [],
    )
  }

  worktreesLeft(): string[] {
    return readdirSync(join(this.root, '.treadle/worktrees'))
  }
}

function everyProcess(): { pid: number; args: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), args: commandLine(name) }))
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // It ended while we looked.
    return ''
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It ended while we looked.
    return ''
  }
}

export function kill9(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
