// A build-test-improve loop as it can be taken up again: how far it is, what it did, what the gates said.
import { z } from 'zod'
import { GateName, GateResult } from './gate.ts'
import { RunId } from './ids.ts'
import { PhaseRecord, type Run } from './run.ts'

export const LoopState = z.strictObject({
  /** The run; nothing of another session is ever read under it. */
  session_id: RunId,
  /** Improvements so far; the first build is none. */
  iteration: z.int().min(0),
  history: z.array(PhaseRecord),
  gates: z.partialRecord(GateName, GateResult),
})
export type LoopState = z.infer<typeof LoopState>

export function loopStateOf(run: Pick<Run, 'id' | 'iteration' | 'history' | 'gates'>): LoopState {
  const gates = Object.fromEntries(run.gates.map((gate) => [gate.gate, gate]))
  return { session_id: run.id, iteration: run.iteration, history: run.history, gates }
}
