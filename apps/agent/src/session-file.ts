// Keeps .claude-sessions/<agent>.session, the local projection of this agent. A broken disk never stops the agent.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentId } from '@treadle/contracts/ids'
import { idleSession, SessionFile } from '@treadle/contracts/session-file'
import { messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import { replaceFile } from './replace-file.ts'

const FOLDER = '.claude-sessions'
const RETRY_MS = [1_000, 2_000, 4_000]

export interface SessionFileOptions {
  readonly workspace: string
  readonly agentId: AgentId
  readonly clock: Clock
  log(message: string): void
}

export type SessionPatch = Partial<Omit<SessionFile, 'agentId'>>
export type SessionWritten = { readonly is: 'written' } | { readonly is: 'given_up'; readonly why: string }

export function sessionFilePath(workspace: string, agentId: AgentId): string {
  return join(workspace, FOLDER, `${agentId}.session`)
}

export class AgentSessionFile {
  readonly path: string
  readonly #options: SessionFileOptions
  /** What the file is to say; null until it was read or written once. */
  #state: SessionFile | null = null
  #loading: Promise<SessionFile> | null = null
  #swept = false
  /** Reads and writes take turns on the file. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The write that has not begun yet: it takes along every update made until it does. */
  #waiting: Promise<SessionWritten> | null = null

  constructor(options: SessionFileOptions) {
    this.#options = options
    this.path = sessionFilePath(options.workspace, options.agentId)
  }

  /** Every update is a sign of life. Resolves when the file says so, or when that was given up. */
  async update(patch: SessionPatch): Promise<SessionWritten> {
    if (this.#state === null) {
      this.#loading ??= this.read()
      const found = await this.#loading
      this.#state ??= found
    }
    this.#state = SessionFile.parse({ ...this.#state, lastHeartbeat: this.#now(), ...patch })
    this.#waiting ??= this.#queue(async () => {
      this.#waiting = null
      await this.#tellOfDamage()
      return await this.#write()
    })
    return await this.#waiting
  }

  /** What the file says; a missing or invalid one is made anew. */
  async read(): Promise<SessionFile> {
    return await this.#queue(async () => {
      const read = await this.#insist('read', async () => await contentOf(this.path))
      if (read.is === 'given_up') return this.#state ?? this.#idle()
      const checked = check(read.value, this.#options.agentId)
      if (checked.is === 'valid') return checked.session
      if (checked.is === 'missing') this.#state ??= this.#idle()
      else this.#options.log(`${this.path} is corrupt and starts over as idle: ${checked.why}`)
      // An update that waits for its turn knows better than the default.
      if (checked.is === 'invalid' && this.#waiting === null) this.#state = this.#idle()
      const shown = this.#state ?? this.#idle()
      await this.#write()
      return shown
    })
  }

  #queue<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act)
    // Errors belong to whoever asked; the next in the queue has its turn all the same.
    this.#turn = result.catch(() => undefined)
    return result
  }

  #idle(): SessionFile {
    return idleSession(this.#options.agentId, this.#now())
  }

  /** Written over in any case; but that somebody has damaged the file is not to go unnoticed. */
  async #tellOfDamage(): Promise<void> {
    const content = await contentOf(this.path).catch(() => null)
    const checked = check(content, this.#options.agentId)
    if (checked.is === 'invalid')
      this.#options.log(`${this.path} was corrupt and is written again: ${checked.why}`)
  }

  async #write(): Promise<SessionWritten> {
    const done = await this.#insist('write', async () => {
      await this.#prepareFolder()
      await replaceFile(this.path, `${JSON.stringify(this.#state, null, 2)}\n`)
    })
    return done.is === 'done' ? { is: 'written' } : done
  }

  async #prepareFolder(): Promise<void> {
    const folder = join(this.#options.workspace, FOLDER)
    await mkdir(folder, { recursive: true })
    await unlessThere(writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }))
    if (!this.#swept) await this.#sweep(folder)
    this.#swept = true
  }

  /** Half-written files that a killed process of this agent has left. */
  async #sweep(folder: string): Promise<void> {
    const prefix = `${this.#options.agentId}.session.`
    for (const name of await readdir(folder)) {
      if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue
      if (!isAlive(Number(name.slice(prefix.length, -'.tmp'.length)))) await rm(join(folder, name))
    }
  }

  /** Tries until it works or the retries are used up; says in the log what was in the way. */
  async #insist<T>(
    what: string,
    act: () => Promise<T>,
  ): Promise<{ is: 'done'; value: T } | { is: 'given_up'; why: string }> {
    const { clock, log } = this.#options
    for (let tried = 0; ; tried += 1) {
      try {
        return { is: 'done', value: await act() }
      } catch (cause) {
        const why = `cannot ${what} ${this.path}: ${messageOf(cause)}`
        const waitMs = RETRY_MS[tried]
        log(waitMs === undefined ? `${why}; given up` : `${why}; again in ${waitMs} ms`)
        if (waitMs === undefined) return { is: 'given_up', why }
        await clock.sleep(waitMs)
      }
    }
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

type Checked =
  | { readonly is: 'valid'; readonly session: SessionFile }
  | { readonly is: 'missing' }
  | { readonly is: 'invalid'; readonly why: string }

function check(content: string | null, agentId: AgentId): Checked {
  if (content === null) return { is: 'missing' }
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (cause) {
    return { is: 'invalid', why: messageOf(cause) }
  }
  const parsed = SessionFile.safeParse(json)
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
    return { is: 'invalid', why }
  }
  if (parsed.data.agentId === agentId) return { is: 'valid', session: parsed.data }
  return { is: 'invalid', why: `it is the file of ${parsed.data.agentId}` }
}

async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

async function unlessThere(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
