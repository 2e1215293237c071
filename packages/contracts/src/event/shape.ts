// How an event is written down, and how a sentence about it is made.
import { z } from 'zod'
import { PhaseRecord } from '../run.ts'
import type { Tone } from '../words/state.ts'

export const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape })

export const why = z.string().min(1).max(4_000)

/** Phases that ended with a move: told with it, so that neither is ever known without the other. */
export const records = z.array(PhaseRecord).max(10).optional()

export interface Line {
  readonly text: string
  readonly detail: string | null
  readonly tone: Tone
}

/** Who and what a sentence is about, ready to be put in. */
export interface Subject {
  readonly agent: string
  readonly item: string
  readonly state: string | null
}

/** A sentence for each of these events. */
export type Sentences<E extends z.ZodType<{ type: string }>> = {
  readonly [T in z.infer<E>['type']]: (event: Extract<z.infer<E>, { type: T }>, subject: Subject) => Line
}

export const line = (text: string, detail: string | null = null, tone: Tone = 'plain'): Line => ({
  text,
  detail: detail === '' ? null : detail,
  tone,
})

export function spaced(word: string): string {
  return word.replaceAll(/[_-]/g, ' ')
}

export function firstLine(text: string): string {
  const first = text.trim().split('\n', 1)[0] ?? ''
  return first.length > 160 ? `${first.slice(0, 159)}…` : first
}

export function count(many: number, noun: string): string {
  return `${many.toLocaleString('en')} ${noun}${many === 1 ? '' : 's'}`
}
