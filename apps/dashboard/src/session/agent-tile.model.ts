// What an agent does at this moment, in two lines and a few numbers.
import type { StoredEvent } from '@treadle/contracts/event'
import type { Run } from '@treadle/contracts/run'
import { oneLine } from './session.model.ts'

interface TileCall {
  readonly tool: string
  readonly input: string
  readonly isRunning: boolean
}

export interface TileNow {
  /** The last call of a tool; null if none is known. */
  readonly call: TileCall | null
  /** The last line that the engine has said, as builder or as reader of a delivery, or got from a tool. */
  readonly line: string | null
  /** The newest event about money or tokens; changes when there is more to add up. */
  readonly used: string | null
}

/** `events` newest first, as the page keeps them. */
export function tileNow(agentId: string, runId: string | null, events: readonly StoredEvent[]): TileNow {
  const own = events.filter((each) => each.agentId === agentId && runId !== null && each.runId === runId)
  const lines = own.flatMap(({ event }) => {
    if (event.type === 'run.said' || event.type === 'thought.said') return lastLine(event.text)
    return event.type === 'run.observed' ? lastLine(event.observation.output) : []
  })
  const used = own.find(({ event }) => event.type === 'run.used')?.cursor ?? null
  return { call: callOf(own), line: lines.find((line) => line !== '') ?? null, used }
}

function callOf(own: readonly StoredEvent[]): TileCall | null {
  for (const { event } of own) {
    if (event.type === 'run.began')
      return { tool: oneLine(event.tool), input: oneLine(event.input), isRunning: true }
    if (event.type === 'run.observed') {
      const { tool, input } = event.observation
      return { tool: oneLine(tool), input: oneLine(input), isRunning: false }
    }
  }
  return null
}

function lastLine(text: string): string {
  return oneLine(text.trim().split('\n').at(-1) ?? '')
}

export interface TileCost {
  readonly tokens: number
  /** Null where no price is known. */
  readonly usd: number | null
}

export function tileCost({ usage }: Pick<Run, 'usage'>): TileCost {
  const tokens = usage.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
  const prices = usage.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  return { tokens, usd: prices.length === 0 ? null : prices.reduce((sum, usd) => sum + usd, 0) }
}
