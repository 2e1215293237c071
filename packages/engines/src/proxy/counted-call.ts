// One counted call of the proxy: what it comes to, and the words with which a turn is ended in its place.
import type { ServerResponse } from 'node:http'
import type { CallUnderWay } from '@treadle/flow/ports/model-calls'
import type { RestPlace, Trouble } from '@treadle/flow/ports/provider-rest'
import type { CallReply } from './call-reply.ts'
import type { ModelCall, Route } from './model-call.ts'
import type { ProviderAnswer } from './provider-answer.ts'
import type { Ending } from './turn-book.ts'
import type { Upstream } from './upstream.ts'
import type { TokenCounts } from './usage-meter.ts'

export interface Counted {
  readonly call: ModelCall
  readonly route: Route
  readonly upstream: Upstream
  readonly reply: CallReply
  readonly response: ServerResponse
  /** The program has gone away. */
  readonly gone: AbortSignal
  /** Its place among those of the crew, while it has one. */
  underWay: CallUnderWay | null
}

export interface Holding {
  readonly place: RestPlace
  readonly since: { readonly trouble: Trouble | null; ms: number }
}

export type Persisted =
  | { readonly is: 'answer'; readonly answer: ProviderAnswer }
  /** Asked: the provider may be at work on it, and wants to be paid. */
  | { readonly is: 'gone'; readonly hasAsked: boolean }
  | { readonly is: 'over'; readonly ending: Ending }

export type Sent =
  | { readonly is: 'answer'; readonly answer: ProviderAnswer }
  | { readonly is: 'trouble'; readonly trouble: Trouble }

export interface CallMade {
  readonly counts: TokenCounts
  readonly startedMs: number
  readonly isAssumed?: boolean
}

/** True: the provider has said no, before the program went away. A line that broke then was broken by that. */
export function isRefusal(sent: Sent): boolean {
  return sent.is === 'answer' ? sent.answer.status >= 400 : sent.trouble.cause !== 'network'
}

export function troubleEnd(
  { provider, model }: RestPlace,
  { why, until, trouble }: { why: string; until: string; trouble: Trouble | null },
): Ending {
  const text = `${provider} could not serve ${model}: ${why}.`
  return {
    is: 'trouble',
    trouble: trouble ?? { cause: 'overloaded', why, retryAfterMs: 0 },
    until,
    text,
  }
}

/** The words are ours, and say so: they are no model's. */
export const closingText = ({ text }: Ending) => `[Treadle] ${text} The turn ends here.`

/** Resolves when one of them is aborted. */
export function ending(signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  if (any.aborted) return Promise.resolve()
  return new Promise((resolve) => any.addEventListener('abort', () => resolve(), { once: true }))
}

/** A call whose turn did not come: the turn of the program is over, or the program has gone. */
export function overOr(ended: Ending | null, gone: AbortSignal): Persisted {
  return ended === null || gone.aborted ? { is: 'gone', hasAsked: false } : { is: 'over', ending: ended }
}
