// Turns the lines of Claude Code into events of ours, and says when a turn is over. It does nothing else, so that
// recorded lines can be read again.
import type { EngineEvent, TurnEnd } from '@treadle/flow/ports/engine'
import type { Prices } from '../prices.ts'
import { bounded } from '../scripted/window.ts'
import { diffOf } from './changes.ts'
import { classify } from './classify.ts'
import type { Line, Result } from './lines.ts'
import { UsageBook } from './usage-book.ts'

export interface ReaderOptions {
  readonly prices: Prices
  readonly isResumed: boolean
  /** Milliseconds. */
  now(): number
  onEvent(event: EngineEvent): void
}

interface Call {
  readonly tool: string
  readonly input: string
  readonly agent: string | null
  startedAt: number
  durationMs: number | null
  denied: boolean
}

type Block = Readonly<Record<string, unknown>>
type Of<T extends Line['type']> = Extract<Line, { type: T }>

const MAIN = ''

export class Reader {
  readonly #options: ReaderOptions
  readonly #usage: UsageBook
  readonly #calls = new Map<string, Call>()
  /** Agents that work on beside the main one; a result that comes before they end is not the last. */
  readonly #tasks = new Set<string>()
  #error: unknown = null
  #refusedKeys = 0
  #resetsAt: number | null = null
  #isInterrupted = false
  sessionId: string | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#usage = new UsageBook(options.prices, options.isResumed, (usage) =>
      options.onEvent({ is: 'used', usage }),
    )
  }

  /** A new turn begins. */
  begin(): void {
    this.#error = null
    this.#refusedKeys = 0
    this.#resetsAt = null
    this.#isInterrupted = false
  }

  interrupt(): void {
    this.#isInterrupted = true
  }

  /** A call is let through now: what was before was waiting. */
  release(callId: string): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) call.startedAt = this.#options.now()
  }

  deny(callId: string): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) call.denied = true
  }

  measure(callId: string, durationMs: number): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) call.durationMs = durationMs
  }

  /** The end of the turn, if this line is it. */
  take(line: Line): TurnEnd | null {
    switch (line.type) {
      case 'system':
        return this.#system(line)
      case 'assistant':
        this.#assistant(line)
        return null
      case 'user':
        this.#user(line)
        return null
      case 'stream_event':
        this.#stream(line)
        return null
      case 'rate_limit_event':
        this.#resetsAt =
          line.rate_limit_info.status === 'rejected' ? (line.rate_limit_info.resetsAt ?? null) : null
        return null
      case 'result':
        return this.#result(line)
      case 'control_request':
        return null
    }
  }

  #system(line: Of<'system'>): TurnEnd | null {
    const { subtype, task_id: task, session_id: session } = line
    if (subtype === 'init' && session !== undefined && session !== this.sessionId) this.#meet(session, line)
    if (subtype === 'task_started' && task !== undefined) this.#tasks.add(task)
    if (subtype === 'task_notification' && task !== undefined) this.#tasks.delete(task)
    return subtype === 'api_retry' ? this.#retry(line) : null
  }

  #meet(id: string, { model, claude_code_version: version }: Of<'system'>): void {
    this.sessionId = id
    this.#options.onEvent({
      is: 'session',
      id,
      ...(model === undefined ? {} : { model }),
      ...(version === undefined ? {} : { version }),
    })
  }

  #retry({
    attempt = 1,
    retry_delay_ms: delayMs = 0,
    error,
    error_status: status,
  }: Of<'system'>): TurnEnd | null {
    const cause = typeof error === 'string' ? error : 'unknown'
    const shown = status == null ? cause : `${cause} (${status})`
    this.#options.onEvent({ is: 'retrying', attempt, delayMs, cause: shown })
    if (status !== 401) return null
    this.#refusedKeys += 1
    // The program would go on asking for more than a minute, and a refused key does not get better.
    return this.#refusedKeys < 2 ? null : { outcome: 'auth', text: 'The key was refused twice.' }
  }

  #assistant(line: Of<'assistant'>): void {
    if (line.error !== undefined && line.error !== null) this.#error = line.error
    for (const block of blocksOf(line.message.content)) {
      if (block.type === 'text' && typeof block.text === 'string' && block.text !== '')
        this.#options.onEvent({ is: 'text', text: bounded(block.text) })
      if (block.type === 'tool_use') this.#begin(block, line.parent_tool_use_id ?? null)
    }
  }

  #begin({ id, name, input }: Block, agent: string | null): void {
    const callId = String(id)
    const tool = String(name)
    const todos = todosOf(tool, input)
    if (todos.length > 0) this.#options.onEvent({ is: 'listed', entries: todos })
    const startedAt = this.#options.now()
    const call = {
      tool,
      input: bounded(inputOf(tool, input)),
      agent,
      startedAt,
      durationMs: null,
      denied: false,
    }
    this.#calls.set(callId, call)
    this.#options.onEvent({ is: 'began', callId, tool, input: call.input })
  }

  #user(line: Of<'user'>): void {
    for (const block of blocksOf(line.message.content)) {
      if (block.type !== 'tool_result') continue
      const callId = String(block.tool_use_id)
      const call = this.#calls.get(callId)
      if (call === undefined) continue
      this.#calls.delete(callId)
      const diff = diffOf(line.tool_use_result)
      this.#options.onEvent({
        is: 'observed',
        observation: {
          tool: call.tool,
          input: call.input,
          output: bounded(textOf(block.content)),
          durationMs: call.durationMs ?? Math.max(0, this.#options.now() - call.startedAt),
          success: block.is_error !== true,
          ...(call.denied ? { denied: true } : {}),
          ...(call.agent === null ? {} : { agent: call.agent.slice(0, 100) }),
          ...(diff === null ? {} : { diff: bounded(diff) }),
        },
      })
    }
  }

  #stream({ event, parent_tool_use_id: parent }: Of<'stream_event'>): void {
    const who = parent ?? MAIN
    if (event.type === 'message_start' && event.message !== undefined)
      this.#usage.begin(who, event.message.model, event.message.usage ?? {})
    if (event.type === 'message_delta') this.#usage.end(who, event.usage ?? {})
    const piece = event.type === 'content_block_delta' && who === MAIN ? (event.delta?.text ?? '') : ''
    if (piece !== '') this.#options.onEvent({ is: 'piece', text: piece })
  }

  #result(result: Result): TurnEnd | null {
    this.#usage.settle(result)
    const outcome = classify({ result, error: this.#error, isInterrupted: this.#isInterrupted })
    if (outcome === 'done' && (result.queued_turn_count > 0 || this.#tasks.size > 0)) return null
    this.#tasks.clear()
    this.#calls.clear()
    const text = result.result ?? result.errors.map(String).join('\n')
    const wakeAt =
      outcome === 'rate_limited' && this.#resetsAt !== null
        ? { wakeAt: new Date(this.#resetsAt * 1_000).toISOString() }
        : {}
    const structured = result.structured_output === undefined ? {} : { structured: result.structured_output }
    return { outcome, text, ...structured, ...wakeAt }
  }
}

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [] : content
}

/** A command as it is, anything else as JSON. */
function inputOf(tool: string, input: unknown): string {
  const command = tool === 'Bash' && typeof input === 'object' && input !== null && 'command' in input
  return command ? String(input.command) : JSON.stringify(input ?? {})
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: unknown) => String((block as Block | null)?.text ?? '')).join('\n')
}

function todosOf(tool: string, input: unknown) {
  const todos = tool === 'TodoWrite' ? (input as { todos?: unknown } | null)?.todos : undefined
  if (!Array.isArray(todos)) return []
  return todos.map((todo: Block) => {
    const status = String(todo.status)
    const known = status === 'completed' || status === 'in_progress' ? status : 'pending'
    return { text: String(todo.content), status: known } as const
  })
}
