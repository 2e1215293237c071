// Why nobody replies in a talk, or writes a specification: what it waits for, in words, and whether that is waited for
// at all.
import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import type { WaitingFor } from '@treadle/contracts/idea'
import type { Thought } from '@treadle/contracts/thought'
import { timeOfDay } from '@treadle/contracts/words/time'

interface AgentFacts {
  readonly id: string
  readonly wanted: AgentWanted
  readonly status: AgentStatus
  /** It has something in hand. */
  readonly busy: boolean
}

export interface UnattendedFacts {
  readonly slug: string
  readonly thought: Pick<Thought, 'kind' | 'status' | 'agentId' | 'engine'>
  /** Those of this workspace that could take it. */
  readonly agents: readonly AgentFacts[]
  /** The rest of the engine that is to reply; null: it does not rest. */
  readonly rest: { readonly why: string; readonly until: string } | null
  /** Why no call of a model is paid for; null: it is. */
  readonly hold: string | null
}

/** Null: somebody is at it, or will be at once. */
export function judgeUnattended(facts: UnattendedFacts): Omit<WaitingFor, 'until'> | null {
  const { slug, thought, rest, hold } = facts
  const waiting = reasonOf(facts)
  if (waiting === null) return null
  const instead =
    thought.kind === 'spec_write'
      ? `Or leave it to rules: treadle spec generate ${slug} --engine none`
      : `Or answer questions instead: treadle idea say ${slug} "…" --engine none`
  switch (waiting) {
    case 'no_money':
      return {
        reason: waiting,
        words: `No model is asked at present: ${hold}`,
        hint: `treadle costs. ${instead}`,
      }
    case 'engine_rests':
      return {
        reason: waiting,
        words: `${thought.engine} rests${rest === null ? '' : ` until ${timeOfDay(rest.until)}: ${rest.why}`}`,
        hint: instead,
      }
    case 'no_agent':
      return {
        reason: waiting,
        words: 'No agent is running.',
        hint: `Start one: treadle agent start. ${instead}`,
      }
    case 'paused':
      return {
        reason: waiting,
        words: 'Every agent is paused.',
        hint: `Let them go on: treadle resume-all. ${instead}`,
      }
    case 'busy':
      return {
        reason: waiting,
        words: 'Every agent is at work on something else, and comes to this next.',
        hint: `Start one more: treadle agent start. ${instead}`,
      }
  }
}

function reasonOf({ thought, agents, rest, hold }: UnattendedFacts): WaitingFor['reason'] | null {
  if (hold !== null) return 'no_money'
  const isHeld = thought.status === 'claimed'
  if (!isHeld && rest !== null) return 'engine_rests'
  // Who has it has it: nobody else takes it over as long as its holder is there.
  const able = isHeld ? agents.filter(({ id }) => id === thought.agentId) : agents
  const alive = able.filter(({ wanted, status }) => wanted !== 'stopped' && status !== 'failed')
  if (alive.length === 0) return isHeld ? null : 'no_agent'
  const going = alive.filter(({ wanted }) => wanted === 'running')
  if (going.length === 0) return 'paused'
  return isHeld || going.some(({ busy }) => !busy) ? null : 'busy'
}
