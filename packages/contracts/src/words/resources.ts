// What the machine has for the crew, in words for people.
import type { Resources } from '../resources.ts'

/** What holds work up because of the machine, one sentence for each; none: there is enough. */
export function resourceLines({ pressure, calls }: Resources): string[] {
  const { atOnce, underWay, waiting } = calls
  return [
    ...pressure.map((why) => `One agent works at a time: ${why}.`),
    ...(waiting === 0
      ? []
      : [
          `${waiting === 1 ? '1 call of a model waits' : `${waiting} calls of models wait`} for a turn: ${underWay} are under way (limits.callsAtOnce is ${atOnce}).`,
        ]),
  ]
}

/** Reasons that the lines about the machine do not have already. */
export function otherHolds(holds: readonly string[], resources: Resources | null): string[] {
  const machine = resources?.pressure ?? []
  return holds.filter((why) => !machine.some((line) => why.startsWith(line)))
}

export function coreWords({ count, agents, why }: Resources['cores']): string {
  const kept = Object.entries(agents)
  if (kept.length > 0) return kept.map(([id, list]) => `${id} on ${list}`).join(', ')
  const cores = count === 1 ? '1 core' : `${count} cores`
  return why === null ? cores : `${count === 0 ? '' : `${cores}; `}agents are not kept to their own: ${why}`
}

export function machineWords({ memoryFreeMb, load, cores }: Resources): string {
  return `${Math.round(memoryFreeMb)} MB free, load ${Math.round(load * 10) / 10} on ${cores.count} cores`
}
