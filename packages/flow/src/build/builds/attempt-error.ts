// What the end of an attempt says, gathered for whoever decides about it and for whoever tries again. Pure.
import { type GateResult, isBlocking } from '@treadle/contracts/gate'
import type { Run } from '@treadle/contracts/run'
import type { TaskItem } from '../../work/build-items.ts'
import type { AttemptFacts } from './failure.ts'

const ERROR_MAX = 2_000

export function attemptFacts(item: TaskItem, run: Pick<Run, 'gates' | 'outcome'> | null): AttemptFacts {
  const red = (run?.gates ?? []).filter((gate) => isBlocking(gate))
  const told = red.map(gateWords).filter((text) => text !== '')
  const words = [item.reason ?? '', ...told].filter((text) => text !== '')
  return {
    conflicted: item.state === 'conflicted',
    refused: red.length > 0,
    error: (words.length === 0 ? 'it ended without saying why' : words.join('\n')).slice(0, ERROR_MAX),
  }
}

/** The end of what a check printed says most. */
function gateWords(gate: GateResult): string {
  if (!('evidence' in gate)) return 'why' in gate ? gate.why : ''
  const failures = gate.is === 'failed' ? gate.failures.map(({ id, message }) => `${id}: ${message}`) : []
  return [...failures.slice(0, 5), gate.evidence.tail.slice(-800)].join('\n').trim()
}
