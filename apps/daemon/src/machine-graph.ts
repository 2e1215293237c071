// The machines that run, as graphs: to be drawn, and to be looked through for dead ends.
import type { Machine, MachineName } from '@treadle/contracts/machine'
import { paorMachine } from '@treadle/engines/goal/goal.machine'
import { workItemMachine } from '@treadle/flow/item.machine'
import { agentMachine } from '@treadle/flow/supervise/agent.machine'
import { runMachine } from '@treadle/flow/work/run.machine'

/** Only what a graph needs of a machine; XState's own types differ from machine to machine. */
interface Graph {
  readonly config: { readonly initial?: unknown }
  readonly states: Record<
    string,
    {
      readonly key: string
      readonly type: string
      readonly transitions: Map<string, { target?: readonly { key: string }[] | undefined }[]>
    }
  >
}

function machineOf(name: MachineName, graph: Graph): Machine {
  const states = Object.values(graph.states)
  return {
    name,
    initial: String(graph.config.initial),
    states: states.map(({ key, type }) => ({ name: key, final: type === 'final' })),
    moves: states.flatMap((state) =>
      [...state.transitions].flatMap(([on, transitions]) =>
        transitions.flatMap(({ target = [] }) => target.map(({ key }) => ({ from: state.key, to: key, on }))),
      ),
    ),
  }
}

export const MACHINES: readonly Machine[] = [
  machineOf('item', workItemMachine),
  machineOf('run', runMachine),
  machineOf('goal', paorMachine),
  machineOf('agent', agentMachine),
]
